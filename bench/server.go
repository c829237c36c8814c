package bench

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"hearth/bench/measure"
)

// server is a child process that answers on loopback.
type server struct {
	addr      string
	pid       int
	coldStart time.Duration // from exec to the first 200 of /up

	cmd    *exec.Cmd
	log    string        // the file that takes what it writes
	exited chan struct{} // closed when the process has ended
	err    error         // how it ended; read after exited
}

// startTime is how long a server may take to answer, on a large database too.
const startTime = 60 * time.Second

// stopTime is how long a server may take to end when it is asked to.
const stopTime = 20 * time.Second

// start runs a program that listens where its arguments say and waits until
// /up answers. args gets the address.
func start(ctx context.Context, c cores, binary, folder string, env []string, args func(addr string) []string) (*server, error) {
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(folder, "server-*.log")
	if err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	defer file.Close() // the child has its own
	s := &server{addr: addr, log: file.Name(), exited: make(chan struct{})}
	s.cmd = exec.Command(binary, args(addr)...)
	s.cmd.Dir = folder
	s.cmd.Env = env
	s.cmd.SysProcAttr = measure.ChildAttributes()
	s.cmd.Stdout, s.cmd.Stderr = file, file
	began := time.Now()
	if err := startPinned(s.cmd, c.server, c.load); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	s.pid = s.cmd.Process.Pid
	go func() {
		s.err = s.cmd.Wait()
		close(s.exited)
	}()
	if err := s.awaitUp(ctx, began); err != nil {
		return nil, errors.Join(err, s.stop())
	}
	s.coldStart = time.Since(began)
	return s, nil
}

// freeAddr finds a port that nobody listens on.
func freeAddr() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", fmt.Errorf("find a free port: %w", err)
	}
	defer listener.Close()
	return listener.Addr().String(), nil
}

// awaitUp asks every millisecond, so a cold start is known to about that.
func (s *server) awaitUp(ctx context.Context, began time.Time) error {
	request := []byte("GET /up HTTP/1.1\r\nHost: " + s.addr + "\r\nUser-Agent: " + userAgent + "\r\n\r\n")
	b := &browser{addr: s.addr}
	defer b.close()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	var last error
	for time.Since(began) < startTime {
		a, err := b.ask(ctx, request)
		if err == nil && a.Status == 200 {
			return nil
		}
		if last = err; err == nil {
			last = fmt.Errorf("/up answered %d", a.Status)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.exited:
			return fmt.Errorf("the server ended at once (%v): %s", s.err, s.lastWords())
		case <-tick.C:
		}
	}
	return fmt.Errorf("the server does not answer after %v: %w", startTime, last)
}

// used returns the processor time of a server that has ended.
func (s *server) used() time.Duration {
	if s.cmd.ProcessState == nil {
		return 0
	}
	return s.cmd.ProcessState.UserTime() + s.cmd.ProcessState.SystemTime()
}

// lastWords returns the end of what the server wrote.
func (s *server) lastWords() string {
	written, err := os.ReadFile(s.log)
	if err != nil {
		return err.Error()
	}
	written = bytes.TrimSpace(written)
	return string(written[max(0, len(written)-2000):])
}

// startLine returns what the server says of itself: the first line that names
// its GOMAXPROCS.
func (s *server) startLine() string {
	written, err := os.ReadFile(s.log)
	if err != nil {
		return ""
	}
	for line := range strings.Lines(string(written)) {
		if strings.Contains(strings.ToLower(line), "gomaxprocs") {
			return strings.TrimSpace(line)
		}
	}
	return ""
}

// stop asks the server to end, and ends it when it does not. A server that had
// ended by itself, or ends with a failure, is an error.
func (s *server) stop() error {
	select {
	case <-s.exited:
		return fmt.Errorf("the server ended by itself (%v): %s", s.err, s.lastWords())
	default:
	}
	if err := s.cmd.Process.Signal(os.Interrupt); err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	select {
	case <-s.exited:
	case <-time.After(stopTime):
		s.cmd.Process.Kill()
		<-s.exited
		return fmt.Errorf("the server did not end within %v and was killed", stopTime)
	}
	if s.err != nil {
		return fmt.Errorf("the server ended with %w: %s", s.err, s.lastWords())
	}
	return nil
}

// childEnv is the environment of a server: nothing of ours that would change
// what it does.
func childEnv(secret string) []string {
	env := []string{"SECRET_KEY_BASE=" + secret}
	for _, name := range []string{"PATH", "HOME", "TMPDIR"} {
		if value, ok := os.LookupEnv(name); ok {
			env = append(env, name+"="+value)
		}
	}
	return env
}

func databasePath(storage string) string {
	return filepath.Join(storage, "db", "production.sqlite3")
}
