package assets

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func exampleBundle(t *testing.T) *Bundle {
	t.Helper()
	var short bytes.Buffer
	w := gzip.NewWriter(&short)
	if _, err := w.Write([]byte("let kept = 1")); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	b, err := open(fstest.MapFS{
		"manifest.json":       {Data: []byte(`{"application.js": "application-AB12.js", "logo.svg": "logo-CD34.svg"}`)},
		"application-AB12.js": {Data: []byte("let kept = 1")},
		"application-AB12.js.gz": {
			Data: short.Bytes(),
		},
		"logo-CD34.svg": {Data: []byte("<svg/>")},
	})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func get(b *Bundle, path, encodings string) *http.Response {
	r := httptest.NewRequest(http.MethodGet, path, nil)
	if encodings != "" {
		r.Header.Set("Accept-Encoding", encodings)
	}
	w := httptest.NewRecorder()
	b.ServeHTTP(w, r)
	return w.Result()
}

func TestAProgramWithoutBundleSaysWhatToRun(t *testing.T) {
	_, err := open(fstest.MapFS{".gitkeep": {}})
	if !errors.Is(err, ErrNotBundled) || !strings.Contains(err.Error(), "make assets") {
		t.Errorf("got %v, want ErrNotBundled that names make assets", err)
	}
}

func TestAManifestThatNamesAMissingFileIsRefused(t *testing.T) {
	_, err := open(fstest.MapFS{"manifest.json": {Data: []byte(`{"application.js": "application-AB12.js"}`)}})
	if err == nil || !strings.Contains(err.Error(), "application.js") {
		t.Errorf("got %v, want an error that names application.js", err)
	}
}

func TestNamesLeadToHashedPaths(t *testing.T) {
	b := exampleBundle(t)
	if got, want := b.Path("application.js"), "/assets/application-AB12.js"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	defer func() {
		if recover() == nil {
			t.Error("a name that is not in the bundle did not panic")
		}
	}()
	b.Path("aplication.js")
}

func TestFilesAreKeptForGood(t *testing.T) {
	b := exampleBundle(t)
	answer := get(b, b.Path("logo.svg"), "")
	body, _ := io.ReadAll(answer.Body)
	if answer.StatusCode != 200 || string(body) != "<svg/>" {
		t.Errorf("got %d %q", answer.StatusCode, body)
	}
	for name, want := range map[string]string{"Cache-Control": "public, max-age=31536000, immutable", "Content-Type": "image/svg+xml", "Content-Length": "6", "Vary": ""} {
		if got := answer.Header.Get(name); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
}

func TestGzipGoesOnlyToThoseWhoTakeIt(t *testing.T) {
	b := exampleBundle(t)
	for encodings, want := range map[string]bool{
		"":                                     false,
		"gzip":                                 true,
		"br, GZIP ; q=0.1":                     true,
		"gzip;q=0":                             false,
		"gzip;q=0, *":                          false,
		"*":                                    true,
		"*;q=0":                                false,
		"*;q=0, gzip":                          true,
		"identity;q=0, gzip":                   true,
		"gzip;q=0.5, identity":                 true,
		"gzip;q=nonsense":                      false,
		strings.Repeat("br,", 16) + "gzip;q=0": false,
	} {
		answer := get(b, b.Path("application.js"), encodings)
		if got := answer.Header.Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("Accept-Encoding %q: compressed is %v, want %v", encodings, got, want)
		}
		if got := answer.Header.Get("Vary"); got != "Accept-Encoding" {
			t.Errorf("Accept-Encoding %q: Vary is %q", encodings, got)
		}
	}
}

func TestOnlyFilesOfTheBundleAreServed(t *testing.T) {
	b := exampleBundle(t)
	for _, path := range []string{"/assets/manifest.json", "/assets/application-AB12.js.gz", "/assets/", "/assets/../go.mod", "/assets/none.js"} {
		if got := get(b, path, "").StatusCode; got != http.StatusNotFound {
			t.Errorf("%s answers %d, want 404", path, got)
		}
	}
}

// TestTheLockNamesNoRegistry keeps the lock usable with any mirror.
func TestTheLockNamesNoRegistry(t *testing.T) {
	lock, err := os.ReadFile("package-lock.json")
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(lock, []byte(`"resolved"`)) || bytes.Contains(lock, []byte("registry")) {
		t.Error("package-lock.json names a registry: install with the .npmrc of this folder")
	}
}

// TestScriptsPassTheirOwnTests needs no browser and no packages.
func TestScriptsPassTheirOwnTests(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed; make test installs it")
	}
	tests, err := filepath.Glob("test/*.test.js")
	if err != nil || len(tests) == 0 {
		t.Fatalf("found no test/*.test.js: %v", err)
	}
	out, err := exec.Command(node, append([]string{"--test", "--test-reporter=tap"}, tests...)...).CombinedOutput()
	if err != nil {
		t.Errorf("node --test: %v\n%s", err, out)
	}
}
