package main

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryCommandHasHelpWithAnExample(t *testing.T) {
	for _, command := range []string{"", "serve", "backup", "restore", "reset-password", "doctor", "version", "bench", "bench chat"} {
		status, text := said(t, nil, append(strings.Fields(command), "--help")...)
		if status != 0 || !strings.Contains(text, "Example: hearth") {
			t.Errorf("hearth %s --help: status %d, want 0 and an example in:\n%s", command, status, text)
		}
	}
}

func TestTheVersionIsToldEitherWay(t *testing.T) {
	_, want := said(t, nil, "version")
	if status, got := said(t, nil, "--version"); status != 0 || got != want || !strings.HasPrefix(got, "hearth ") {
		t.Errorf("--version: status %d, %q, want %q", status, got, want)
	}
}

// TestAMistakeIsOneSentence holds every way in which a command can't do its work
// to one line that says what to do, and to a status that is not 0.
func TestAMistakeIsOneSentence(t *testing.T) {
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("no folder"), 0o644); err != nil {
		t.Fatal(err)
	}
	garbage := filepath.Join(t.TempDir(), "garbage")
	os.MkdirAll(filepath.Join(garbage, "db"), 0o755)
	os.WriteFile(filepath.Join(garbage, "db", "production.sqlite3"), []byte(strings.Repeat("no database ", 1000)), 0o644)
	empty := t.TempDir()

	for _, mistake := range []struct {
		name string
		env  []string
		args string
		want string
	}{
		{"a port in use", nil, "serve --storage " + empty + " --addr " + busy.Addr().String(), "another program listens on"},
		{"an address that is none", nil, "serve --storage " + empty + " --addr 3000", "write for example --addr 127.0.0.1:3000"},
		{"a port that is none", []string{"PORT=many"}, "serve --storage " + empty, "is no port"},
		{"a folder that is a file", nil, "serve --storage " + file + " --addr 127.0.0.1:0", "choose another with --storage"},
		{"a folder that can't be written", nil, "serve --storage /proc/hearth --addr 127.0.0.1:0", "--storage"},
		{"a database that is none", nil, "serve --storage " + garbage + " --addr 127.0.0.1:0", "hearth doctor"},
		{"an unknown switch", nil, "serve --storage " + empty + " --bench-off warp", "it can switch off snapshot"},
		{"profiles without a listener", nil, "serve --storage " + empty + " --pprof", "--metrics"},
		{"TLS, which is not there yet", []string{"TLS_DOMAIN=chat.example"}, "serve --storage " + empty, "--assume-ssl"},
		{"an unknown command", nil, "sevre", "--help"},
		{"an unknown flag", nil, "serve --storrage x", "--help"},
		{"a flag without its value", nil, "serve --storage", "got nothing"},
		{"a backup of nothing", nil, "backup --storage " + empty, "has no database"},
		{"a backup over a file", nil, "backup --storage ../../testdata/sample/storage --to " + file, "is there already"},
		{"a restore of nothing", nil, "restore " + filepath.Join(empty, "none.tar.gz") + " --storage " + filepath.Join(empty, "new"), "can't be read"},
		{"a restore of something else", nil, "restore " + file + " --storage " + filepath.Join(empty, "new"), "nothing was restored"},
		{"a restore into a full folder", nil, "restore " + file + " --storage " + garbage, "is not empty"},
		{"a password for nobody", nil, "reset-password nobody@example.test --storage " + sample(t), "nobody signs in as"},
		{"a password of nothing", nil, "reset-password david@example.test --stdin --storage " + sample(t), "no password: write it there"},
		{"a doctor without a patient", nil, "doctor --storage " + filepath.Join(empty, "none"), "is no folder"},
	} {
		status, text := said(t, mistake.env, strings.Fields(mistake.args)...)
		if status == 0 || !strings.Contains(text, mistake.want) {
			t.Errorf("%s: status %d, want %q in: %s", mistake.name, status, mistake.want, text)
		}
		if lines := strings.Count(strings.TrimSpace(text), "\n"); lines > 0 {
			t.Errorf("%s: %d lines, want one: %s", mistake.name, lines+1, text)
		}
	}
}

func TestASecondServerOnTheSameFolderIsRefused(t *testing.T) {
	first := serve(t, t.TempDir(), nil)
	status, text := said(t, nil, "serve", "--storage", first.storage, "--addr", "127.0.0.1:0")
	if status == 0 || !strings.Contains(text, "serves the storage folder") {
		t.Errorf("status %d: %s", status, text)
	}
}

func TestTheStartLineSaysWhichBuildServes(t *testing.T) {
	s := serve(t, t.TempDir(), nil, "--bench-off", "snapshot,group-commit")
	for _, want := range []string{`"version"`, `"commit"`, `"go":"go1.`, `"gomaxprocs"`, `"gogc"`, `"profile_guided"`, `"sqlite":"3.`, `"driver":"zombiezen`, `"synchronous":"FULL"`, `"off":"snapshot group-commit"`} {
		if !strings.Contains(s.log.String(), want) {
			t.Errorf("the start line lacks %s:\n%s", want, s.log)
		}
	}
}

func TestABackupOfARunningServerRestores(t *testing.T) {
	s := serve(t, sample(t), []string{"SECRET_KEY_BASE=" + sampleSecret})
	archive := filepath.Join(t.TempDir(), "chat.tar.gz")
	if status, text := said(t, nil, "backup", "--storage", s.storage, "--to", archive); status != 0 {
		t.Fatalf("backup: %s", text)
	}
	restored := filepath.Join(t.TempDir(), "restored")
	if status, text := said(t, nil, "restore", archive, "--storage", restored); status != 0 {
		t.Fatalf("restore: %s", text)
	}
	again := serve(t, restored, []string{"SECRET_KEY_BASE=" + sampleSecret})
	if got, want := signedIn(t, again), true; got != want {
		t.Error("David's cookie does not sign in to the restored chat")
	}
	if status, text := said(t, nil, "doctor", "--storage", restored); status != 0 {
		t.Errorf("doctor: %s", text)
	}
}

// signedIn reports whether the sample's ready cookie lets David in.
func signedIn(t *testing.T, s *server) bool {
	t.Helper()
	request, err := newRequest(t, s, "GET", "/", "")
	if err != nil {
		t.Fatal(err)
	}
	answer, err := visitor(t).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	answer.Body.Close()
	return answer.StatusCode == 302 && strings.Contains(answer.Header.Get("Location"), "/rooms/")
}

func TestAPasswordIsResetWhileTheServerRuns(t *testing.T) {
	s := serve(t, sample(t), []string{"SECRET_KEY_BASE=" + sampleSecret})
	status, text := said(t, nil, "reset-password", "david@example.test", "--storage", s.storage)
	_, password, found := strings.Cut(strings.TrimSpace(text), "signs in with: ")
	if status != 0 || !found {
		t.Fatalf("status %d: %s", status, text)
	}
	if got := signIn(t, s, "david@example.test", "secret123456"); got != 401 {
		t.Errorf("the old password: status %d, want 401", got)
	}
	if got := signIn(t, s, "david@example.test", password); got != 302 {
		t.Errorf("the new password: status %d, want 302", got)
	}
}

func TestWithoutItsSecretAnExistingDatabaseWarns(t *testing.T) {
	s := serve(t, sample(t), nil)
	if !strings.Contains(s.log.String(), "people must sign in again") {
		t.Errorf("no warning in:\n%s", s.log)
	}
	if signedIn(t, s) {
		t.Error("a cookie of another secret signed in")
	}
}
