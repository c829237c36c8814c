package sqlite

import (
	"context"
	"errors"
	"flag"
	"os"
	"os/exec"
	"testing"
	"time"
)

// children are what this test binary does instead of testing when it is started
// again with HEARTH_SQLITE_CHILD set: processes to be killed, starved or traced.
var children = map[string]func() error{}

// atEnd runs when all tests have.
var atEnd []func()

func TestMain(m *testing.M) {
	role := os.Getenv("HEARTH_SQLITE_CHILD")
	if role == "" {
		if !torture {
			flag.Set("rapid.checks", "40")
		}
		code := m.Run()
		for _, clean := range atEnd {
			clean()
		}
		os.Exit(code)
	}
	if err := children[role](); err != nil {
		os.Stderr.WriteString(role + ": " + err.Error() + "\n")
		os.Exit(1)
	}
	os.Exit(0)
}

// foreigner opens a second connection to db's file, as another process would
// (SQLite keeps locks between connections of one process by the same rules).
func foreigner(t testing.TB, db *DB) *conn {
	t.Helper()
	c, err := connect(db.path, false)
	if err != nil {
		t.Fatal(err)
	}
	c.busyTimeout(10 * time.Second)
	t.Cleanup(func() { c.close() })
	return c
}

func run(t testing.TB, c *conn, sql string) {
	t.Helper()
	if err := c.run(sql); err != nil {
		t.Fatal(err)
	}
}

// block keeps the write lock from db, so that what is written meanwhile waits
// together, until release is called.
func block(t testing.TB, db *DB) (release func()) {
	t.Helper()
	c := foreigner(t, db)
	run(t, c, "BEGIN IMMEDIATE")
	return func() { run(t, c, "ROLLBACK") }
}

// await waits until done says so.
func await(t testing.TB, what string, done func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !done(); time.Sleep(50 * time.Microsecond) {
		if time.Now().After(deadline) {
			t.Fatalf("%s: not within a minute", what)
		}
	}
}

// awaitWaiting waits until n writes are in db's queue.
func awaitWaiting(t testing.TB, db *DB, n int) {
	t.Helper()
	await(t, "writes to wait", func() bool { return db.Stats().Waiting == n })
}

// write starts a Write and returns where its error will be.
func write(db *DB, ctx context.Context, fn func(*Tx) error) <-chan error {
	answer := make(chan error, 1)
	go func() { answer <- db.Write(ctx, fn) }()
	return answer
}

func insert(body string) func(*Tx) error {
	return func(tx *Tx) error { return tx.Exec("INSERT INTO notes (body) VALUES (?)", body) }
}

// patient options never end a group by its age, nor a wait by its length.
var patient = Options{groupTime: time.Hour, BusyTimeout: time.Minute}

var errRefused = errors.New("refused")

// startChild starts this test binary again in another role. The child is killed
// when the test ends.
func startChild(t testing.TB, role string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := childCommand(role, env...)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { cmd.Process.Kill() })
	return cmd
}

func childCommand(role string, env ...string) *exec.Cmd {
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), append(env, "HEARTH_SQLITE_CHILD="+role)...)
	cmd.Stderr = os.Stderr
	return cmd
}
