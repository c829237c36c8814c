package bench

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// buildHearth builds the real program into the test's folder.
func buildHearth(t *testing.T) string {
	t.Helper()
	if _, err := os.Stat("../internal/web/assets/dist/manifest.json"); err != nil {
		t.Skip("the pages' scripts are not bundled, and without them the server does not start: run make assets")
	}
	binary := filepath.Join(t.TempDir(), "hearth")
	args := append(append([]string{"build"}, buildFlags...), "-o", binary, "../cmd/hearth")
	if output, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, output)
	}
	return binary
}

func TestASmokeRunOfTheRealServer(t *testing.T) {
	binary := buildHearth(t)
	t.Run("measures everything and leaves nothing", func(t *testing.T) {
		folder := t.TempDir()
		command := exec.Command(binary, "bench", "chat", "--quick", "--folder", folder)
		var result, progress bytes.Buffer
		command.Stdout, command.Stderr = &result, &progress
		if err := command.Run(); err != nil {
			t.Fatalf("bench chat --quick: %v\n%s", err, progress.String())
		}
		for _, want := range []string{
			"Command: `hearth bench chat --quick", "gomaxprocs", "each was found in the database", "smoke run",
			"| room page | 16 |", "| messages page | 16 |", "| sidebar | 16 |", "| search | 16 |", "| post | 16 |", "| /up | 16 |", "| static asset | 16 |",
			modeTitles[on], modeTitles[postsHere], modeTitles[postsElsewhere], modeTitles[off], modeTitles[floor],
			"| on | 20 | 1 |", "| off | 20 | 8 |", "cold start",
		} {
			if !strings.Contains(result.String(), want) {
				t.Errorf("the result has no %q:\n%s", want, result.String())
			}
		}
		expectEmpty(t, folder)
	})
	t.Run("ends in the middle and leaves nothing", func(t *testing.T) {
		folder := t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		progress := &untilServing{stop: cancel}
		err := Chat(ctx, Options{Binary: binary, Quick: true, Folder: folder, Progress: progress}, &bytes.Buffer{})
		if err == nil || ctx.Err() == nil {
			t.Errorf("a run that was stopped in the middle returned %v", err)
		}
		expectEmpty(t, folder)
	})
	t.Run("says why a server does not start", func(t *testing.T) {
		folder := t.TempDir()
		began := time.Now()
		err := Chat(context.Background(), Options{Binary: "/bin/false", Quick: true, Folder: folder}, &bytes.Buffer{})
		if err == nil || !strings.Contains(err.Error(), "ended at once") || time.Since(began) > startTime {
			t.Errorf("a server that ends at once is reported as %v", err)
		}
		expectEmpty(t, folder)
	})
}

// untilServing ends a run when the first cell was measured.
type untilServing struct{ stop func() }

func (u *untilServing) Write(p []byte) (int, error) {
	if bytes.Contains(p, []byte("room page")) {
		u.stop()
	}
	return len(p), nil
}

func expectEmpty(t *testing.T, folder string) {
	t.Helper()
	left, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range left {
		t.Errorf("%s is left behind", entry.Name())
	}
}
