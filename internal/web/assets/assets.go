// Package assets holds the scripts, styles and pictures of the pages, bundled
// into dist by the program in bundle (make assets), and serves them.
package assets

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
)

// dist holds only a placeholder until make assets has run, so that the module
// compiles in a fresh clone.
//
//go:embed all:dist
var dist embed.FS

// Prefix is where the files are served: a path is Prefix and a file of dist.
const Prefix = "/assets/"

// ErrNotBundled means that the program was built before make assets had run.
var ErrNotBundled = errors.New("the scripts and styles of the pages are not in this program: run `make assets`, then build it again")

// Bundle is one set of files that belong together. It never changes, so every
// goroutine may use it, and browsers may keep its files for good.
type Bundle struct {
	paths map[string]string // name → file
	files map[string]served // file → its content
}

// Open reads the bundle that is part of this program. The error is
// ErrNotBundled when there is none.
func Open() (*Bundle, error) {
	files, err := fs.Sub(dist, "dist")
	if err != nil {
		return nil, fmt.Errorf("open the bundle: %w", err)
	}
	return open(files)
}

func open(files fs.FS) (*Bundle, error) {
	text, err := fs.ReadFile(files, "manifest.json")
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNotBundled
	}
	if err != nil {
		return nil, fmt.Errorf("read the bundle's manifest: %w", err)
	}
	b := &Bundle{}
	if b.files, err = load(files); err != nil {
		return nil, fmt.Errorf("read the bundle: %w", err)
	}
	if err := json.Unmarshal(text, &b.paths); err != nil {
		return nil, fmt.Errorf("read the bundle's manifest: %w", err)
	}
	for name, path := range b.paths {
		if _, found := b.files[path]; !found {
			return nil, fmt.Errorf("the bundle's manifest names %s, which is not there: run `make assets` again", name)
		}
	}
	return b, nil
}

// Path answers where a file is served: "application.js" is at
// "/assets/application-HASH.js". It panics for a name that the bundle does not
// have, since names are written in templates and never come from a request.
func (b *Bundle) Path(name string) string {
	path, found := b.paths[name]
	if !found {
		panic(fmt.Sprintf("assets: no file is called %q", name))
	}
	return Prefix + path
}
