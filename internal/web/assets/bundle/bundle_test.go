package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

const root = ".."

// firstBuild is shared: a build is slow under the race detector.
var firstBuild = sync.OnceValues(func() (*built, error) { return buildHere() })

func buildHere() (*built, error) {
	absolute, err := filepath.Abs(root)
	if err != nil {
		return nil, err
	}
	return build(absolute)
}

// builtOnce needs what npm ci installs; make test does that first.
func builtOnce(t *testing.T) *built {
	t.Helper()
	if _, err := os.Stat(filepath.Join(root, "node_modules", "@hotwired", "turbo")); err != nil {
		t.Skip("node_modules is not installed: run make assets")
	}
	b, err := firstBuild()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestTheSameSourcesGiveTheSameBundle(t *testing.T) {
	first := builtOnce(t)
	second, err := buildHere()
	if err != nil {
		t.Fatal(err)
	}
	if len(first.files) != len(second.files) {
		t.Fatalf("got %d files, then %d", len(first.files), len(second.files))
	}
	for i, f := range first.files {
		if g := second.files[i]; f.path != g.path || !bytes.Equal(f.content, g.content) {
			t.Errorf("%s became %s, or its bytes differ", f.path, g.path)
		}
	}
}

func TestTheCoreIsSmallAndImportsTheOthersByTheirHashedNames(t *testing.T) {
	all := map[string]file{}
	for _, f := range builtOnce(t).files {
		all[f.name] = f
	}
	if size := len(compress(all[core].content)); size == 0 || size > maxCore {
		t.Errorf("%s weighs %d bytes compressed, want at most %d", core, size, maxCore)
	}
	for _, name := range []string{"editor.js", "highlight.js"} {
		if want := `import("./` + all[name].path + `")`; !strings.Contains(string(all[core].content), want) {
			t.Errorf("%s does not import %s", core, all[name].path)
		}
	}
}

func TestEveryPackageInTheBundleHasItsLicenceInTheNotices(t *testing.T) {
	b := builtOnce(t)
	absolute, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	notices, err := readNotices(absolute, b.packages)
	if err != nil {
		t.Fatal(err)
	}
	if len(b.packages) < 6 {
		t.Fatalf("only %v went into the bundle: the list is broken", b.packages)
	}
	for _, name := range b.packages {
		if !strings.Contains(string(notices.content), "\n"+name+" ") {
			t.Errorf("the notices lack %s", name)
		}
	}
}

func TestWritingReplacesWhatAnEarlierRunLeft(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{".gitkeep", "application-OLD.js", "manifest.json"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte("old"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := writeDist(folder, []file{hashed("application.js", bytes.Repeat([]byte("let a = 1;"), 100))}); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(folder, "application-OLD.js")); err == nil {
		t.Error("an old file is still there")
	}
	if _, err := os.Stat(filepath.Join(folder, ".gitkeep")); err != nil {
		t.Error("the placeholder is gone")
	}
	text, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	manifest := map[string]string{}
	if err := json.Unmarshal(text, &manifest); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{manifest["application.js"], manifest["application.js"] + ".gz"} {
		if _, err := os.Stat(filepath.Join(folder, name)); err != nil {
			t.Errorf("the manifest leads to a missing file: %v", err)
		}
	}
}
