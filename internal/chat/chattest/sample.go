package chattest

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"hearth/internal/chat"
)

// SampleSecret is the SECRET_KEY_BASE of the sample storage folder.
const SampleSecret = "0f1e2d3c4b5a69788796a5b4c3d2e1f00f1e2d3c4b5a69788796a5b4c3d2e1f0"

// Sample returns the path of a fresh copy of the sample storage folder.
func Sample(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "storage")
	if err := os.CopyFS(dir, os.DirFS(samplePath())); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Labels returns what the sample calls its rows and tokens.
func Labels(t testing.TB) map[string]any {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(samplePath(), "labels.json"))
	if err != nil {
		t.Fatal(err)
	}
	var labels map[string]any
	if err := json.Unmarshal(text, &labels); err != nil {
		t.Fatal(err)
	}
	return labels
}

// OpenSample opens a copy of the sample, with its labels as names of people and
// rooms.
func OpenSample(t testing.TB, opt chat.Options) *World {
	t.Helper()
	w := OpenWith(t, Sample(t), SampleSecret, opt)
	for label, value := range Labels(t) {
		id, _ := value.(float64)
		if name, ok := strings.CutPrefix(label, "users."); ok {
			w.people[name] = chat.UserID(id)
		}
		if name, ok := strings.CutPrefix(label, "rooms."); ok {
			w.rooms[name] = chat.RoomID(id)
		}
	}
	return w
}

func samplePath() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "..", "testdata", "sample", "storage")
}
