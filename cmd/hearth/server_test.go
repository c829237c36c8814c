package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// runAsHearth makes the test binary, race detector and all, be the program.
const runAsHearth = "HEARTH_TEST_RUN"

func TestMain(m *testing.M) {
	if os.Getenv(runAsHearth) != "" {
		os.Exit(run(os.Args[1:]))
	}
	status := m.Run()
	stopChromium()
	os.Exit(status)
}

// sampleSecret is the SECRET_KEY_BASE that the sample's values were signed with.
const sampleSecret = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"

// hearth is a command of the program, with nothing of this process's settings.
func hearth(t *testing.T, env []string, args ...string) *exec.Cmd {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command := exec.CommandContext(t.Context(), program, args...)
	command.Env = append([]string{runAsHearth + "=1", "PATH=" + os.Getenv("PATH"), "HOME=" + t.TempDir()}, env...)
	return command
}

// said runs a command to its end and returns its status and all that it wrote.
func said(t *testing.T, env []string, args ...string) (status int, output string) {
	t.Helper()
	command := hearth(t, env, args...)
	text, err := command.CombinedOutput()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return command.ProcessState.ExitCode(), string(text)
}

// server is a running hearth serve, a process of its own.
type server struct {
	t       *testing.T
	URL     string // http://127.0.0.1:PORT
	storage string
	env     []string
	args    []string

	process *exec.Cmd
	log     *tail
	ended   chan struct{}
}

// tail keeps what a process writes.
type tail struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *tail) add(line string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text.WriteString(line + "\n")
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// serve starts a server on the folder and waits until it says that it serves.
// It is stopped when the test ends.
func serve(t *testing.T, storage string, env []string, args ...string) *server {
	t.Helper()
	s := &server{t: t, storage: storage, env: env, args: args}
	s.start("127.0.0.1:0")
	t.Cleanup(func() {
		s.stop()
		if t.Failed() {
			t.Logf("what the server wrote:\n%s", s.log)
		}
		if races := s.log.String(); strings.Contains(races, "DATA RACE") {
			t.Errorf("the server has a data race:\n%s", races)
		}
	})
	return s
}

func (s *server) start(addr string) {
	s.t.Helper()
	s.process = hearth(s.t, s.env, append([]string{"serve", "--storage", s.storage, "--addr", addr}, s.args...)...)
	// The test's context ends before its cleanups run; a server stops there, in order.
	s.process.Cancel = func() error { return nil }
	output, err := s.process.StderrPipe()
	if err != nil {
		s.t.Fatal(err)
	}
	if err := s.process.Start(); err != nil {
		s.t.Fatal(err)
	}
	s.log, s.ended = &tail{}, make(chan struct{})
	url := make(chan string, 1)
	go s.listen(output, url)
	select {
	case s.URL = <-url:
	case <-s.ended:
		s.t.Fatalf("the server ended at once:\n%s", s.log)
	case <-time.After(time.Minute):
		s.t.Fatalf("the server has not started within a minute:\n%s", s.log)
	}
}

// listen keeps the server's log until its end, and finds the start line in it.
func (s *server) listen(output io.Reader, url chan<- string) {
	defer close(s.ended)
	lines := bufio.NewScanner(output)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		s.log.add(lines.Text())
		var line struct{ Msg string }
		if json.Unmarshal(lines.Bytes(), &line) == nil {
			if at, found := strings.CutPrefix(line.Msg, "hearth serves "); found {
				url <- at
			}
		}
	}
	s.process.Wait()
}

// stop ends the server in order. A server that has ended is no error.
func (s *server) stop() {
	s.t.Helper()
	s.process.Process.Signal(syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(30 * time.Second):
		s.process.Process.Kill()
		<-s.ended
		s.t.Errorf("the server did not stop within 30 s:\n%s", s.log)
	}
}

// kill ends the server as a crash would.
func (s *server) kill() {
	s.process.Process.Kill()
	<-s.ended
}

// restart starts the server again where it was, so that open pages find it.
func (s *server) restart() {
	s.t.Helper()
	s.start(strings.TrimPrefix(s.URL, "http://"))
}

// sample is a copy of the sample's storage folder that a test may change.
func sample(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "storage")
	if err := os.CopyFS(dir, os.DirFS("../../testdata/sample/storage")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// labels are the ids, tokens and cookies of the sample, by name.
func labels(t *testing.T) map[string]any {
	t.Helper()
	text, err := os.ReadFile("../../testdata/sample/storage/labels.json")
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if err := decoder.Decode(&all); err != nil {
		t.Fatal(err)
	}
	return all
}

// visitor is a browser without scripts: it keeps cookies and follows no redirect.
func visitor(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	return &http.Client{
		Jar:           jar,
		Timeout:       time.Minute,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}
