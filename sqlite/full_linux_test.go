package sqlite

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
)

// inside runs the test that calls it again in a process of its own, made by
// how, and reports true there. Outside it passes on what the process said.
func inside(t *testing.T, how func(*exec.Cmd)) bool {
	t.Helper()
	if os.Getenv("HEARTH_SQLITE_INSIDE") == t.Name() {
		return true
	}
	cmd := exec.Command(os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	cmd.Env = append(os.Environ(), "HEARTH_SQLITE_INSIDE="+t.Name())
	how(cmd)
	out, err := cmd.CombinedOutput()
	if errors.Is(err, syscall.EPERM) {
		t.Skipf("this machine doesn't let a test make a process with namespaces of its own: %v", err)
	}
	if err != nil || !strings.Contains(string(out), "--- PASS: "+t.Name()) {
		t.Fatalf("in a process of its own: %v\n%s", err, out)
	}
	return false
}

// ownMounts gives the process a user and mount namespace, where it is root.
func ownMounts(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
}

// starve writes notes with eight writers until all of them have failed, each
// with an error that acceptable likes, and returns what was acknowledged.
func starve(t *testing.T, db *DB, prefix string, acceptable func(error) bool) (acknowledged []string) {
	t.Helper()
	var mu sync.Mutex // guards acknowledged and failures
	failures := 0
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := 0; i < 20000; i++ {
				body := fmt.Sprintf("%s %d.%d %0*d", prefix, w, i, 100+i%50*100, 0)
				err := db.Write(context.Background(), insert(body))
				mu.Lock()
				if err == nil {
					acknowledged = append(acknowledged, body)
				} else {
					failures++
				}
				enough := failures > 100
				mu.Unlock()
				if err != nil && !acceptable(err) {
					t.Errorf("not a clear error: %v", err)
				}
				if enough {
					return
				}
			}
			t.Error("20,000 notes and still no end of space")
		})
	}
	wg.Wait()
	slices.Sort(acknowledged)
	return acknowledged
}

// mustHold checks that db has exactly these notes.
func mustHold(t *testing.T, db *DB, when string, want []string) {
	t.Helper()
	got := texts(t, db, "SELECT body FROM notes")
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("%s: %d notes, want exactly the %d acknowledged", when, len(got), len(want))
	}
	if got := texts(t, db, "PRAGMA integrity_check"); !slices.Equal(got, []string{"ok"}) {
		t.Errorf("%s: integrity_check %q", when, got)
	}
}

// smallDisk mounts 2 MB at a new folder and leaves ballast there.
func smallDisk(t *testing.T) (folder, ballast string) {
	t.Helper()
	folder = t.TempDir()
	if err := syscall.Mount("tmpfs", folder, "tmpfs", 0, "size=2m"); err != nil {
		t.Fatalf("mount a small disk: %v", err)
	}
	t.Cleanup(func() { syscall.Unmount(folder, syscall.MNT_DETACH) })
	ballast = filepath.Join(folder, "ballast")
	if err := os.WriteFile(ballast, make([]byte, 512<<10), 0o600); err != nil {
		t.Fatal(err)
	}
	return folder, ballast
}

func openNotes(t *testing.T, path string, opt Options) *DB {
	t.Helper()
	db := openAt(t, path, opt)
	mustExec(t, db, "CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT UNIQUE)")
	return db
}

func TestAFullDiskIsAClearErrorAndPasses(t *testing.T) {
	if !inside(t, ownMounts) {
		return
	}
	folder, ballast := smallDisk(t)
	db := openNotes(t, filepath.Join(folder, "full.db"), Options{})
	acknowledged := starve(t, db, "before", func(err error) bool { return errors.Is(err, ErrFull) })
	t.Logf("%d notes acknowledged; %+v", len(acknowledged), db.Stats())
	mustHold(t, db, "while the disk is full", acknowledged)

	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	more := starve(t, db, "after", func(err error) bool { return errors.Is(err, ErrFull) })
	if len(more) == 0 {
		t.Error("nothing could be written after space had returned")
	}
	more = slices.Sorted(slices.Values(append(acknowledged, more...)))
	mustHold(t, db, "when space had returned", more)
	db.Close() // its checkpoint may find no space: the log has all
	mustHold(t, openAt(t, db.path, Options{}), "after reopening", more)
}

func TestAFolderThatCannotBeWrittenIsAClearError(t *testing.T) {
	if !inside(t, ownMounts) {
		return
	}
	folder, _ := smallDisk(t)
	path := filepath.Join(folder, "there.db")
	if err := openNotes(t, path, Options{}).Close(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", folder, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Fatal(err)
	}
	for path, code := range map[string]int{path: codeReadOnly, filepath.Join(folder, "new.db"): 14} {
		db, err := Open(t.Context(), path, Options{})
		if e, ok := errors.AsType[*Error](err); !ok || e.Code != code || e.Op != "open" {
			t.Errorf("Open(%s) = %v, want code %d", path, err, code)
		}
		if db != nil {
			db.Close()
		}
	}
}

// One of a group asks for more than the disk has. The group's commit fails, and
// only that one hears of it.
func TestOneThatFillsTheDiskFailsAlone(t *testing.T) {
	if !inside(t, ownMounts) {
		return
	}
	folder, _ := smallDisk(t)
	opt := patient
	opt.NoCheckpointer = true
	db := openNotes(t, filepath.Join(folder, "full.db"), opt)
	release := block(t, db)
	var answers []<-chan error
	var want []string
	for i := range 10 {
		body := fmt.Sprint(i)
		if i == 5 {
			body += strings.Repeat("!", 4<<20)
		} else {
			want = append(want, body)
		}
		answers = append(answers, write(db, t.Context(), insert(body)))
		awaitWaiting(t, db, i+1)
	}
	release()
	for i, answer := range answers {
		if err := <-answer; errors.Is(err, ErrFull) != (i == 5) || err != nil && i != 5 {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if got := db.Stats().Redone; got != 10 {
		t.Errorf("%d run again, want the whole group of 10", got)
	}
	mustHold(t, db, "after the one too large", want)
}

// RLIMIT_FSIZE makes the kernel refuse writes past a size with EFBIG, which
// SQLite reports as an I/O error.
func TestIOErrorsReachExactlyThoseWhoseWorkIsNotThere(t *testing.T) {
	if !inside(t, func(*exec.Cmd) {}) {
		return
	}
	signal.Ignore(syscall.SIGXFSZ)
	limit := func(bytes uint64) {
		var old syscall.Rlimit
		if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &old); err != nil {
			t.Fatal(err)
		}
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: bytes, Max: old.Max}); err != nil {
			t.Fatal(err)
		}
	}
	db := openNotes(t, filepath.Join(t.TempDir(), "limited.db"), Options{})
	limit(700 << 10)
	acknowledged := starve(t, db, "before", isIOError)
	t.Logf("%d notes acknowledged; %+v", len(acknowledged), db.Stats())
	mustHold(t, db, "while writes are refused", acknowledged)

	limit(1 << 30)
	mustExec(t, db, "INSERT INTO notes (body) VALUES ('after')")
	mustHold(t, db, "when they work again", append([]string{"after"}, acknowledged...))
}

func isIOError(err error) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Code == 10
}

// strace makes every fifth fsync of each thread fail with EIO.
func TestAFailingSyncReachesExactlyThoseWhoseWorkIsNotThere(t *testing.T) {
	if !inside(t, func(cmd *exec.Cmd) {
		strace, err := exec.LookPath("strace")
		if err != nil {
			t.Fatal("strace is not in PATH: install it (apt-get install strace), as `make test` does")
		}
		cmd.Path = strace
		cmd.Args = append([]string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=fsync,fdatasync",
			"-e", "signal=none", "-e", "inject=fsync,fdatasync:error=EIO:when=9+5"}, cmd.Args...)
	}) {
		return
	}
	db := openNotes(t, filepath.Join(t.TempDir(), "failing.db"), Options{})
	var mu sync.Mutex // guards acknowledged and failures
	var acknowledged []string
	failures := 0
	var wg sync.WaitGroup
	for w := range 8 {
		wg.Go(func() {
			for i := range 60 {
				body := fmt.Sprintf("%d.%d", w, i)
				err := db.Write(context.Background(), insert(body))
				mu.Lock()
				if err == nil {
					acknowledged = append(acknowledged, body)
				} else if failures++; !isIOError(err) {
					t.Errorf("not a clear error: %v", err)
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	t.Logf("%d acknowledged, %d failed; %+v", len(acknowledged), failures, db.Stats())
	if failures == 0 || len(acknowledged) == 0 {
		t.Errorf("%d acknowledged and %d failed: the test needs both", len(acknowledged), failures)
	}
	slices.Sort(acknowledged)
	mustHold(t, db, "after failing syncs", acknowledged)
}
