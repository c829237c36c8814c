package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// maxCore is what the core bundle may weigh, compressed: it is on the way to
// the first live room. The editor and the highlighter load beside it.
const maxCore = 60 << 10

// core imports the files of beside when a page needs them. They are built
// first, and apart, so that a page never waits for code the two would share.
const core = "application.js"

var beside = []string{"editor.js", "highlight.js", "application.css"}

// file is one file of dist.
type file struct {
	name    string // what pages ask for: "application.js"
	path    string // under dist: "application-HASH.js"
	content []byte
	entry   bool // is in the manifest
}

type built struct {
	files    []file
	packages []string // npm packages that went in
}

func build(root string) (*built, error) {
	if _, err := os.Stat(filepath.Join(root, "node_modules", "@hotwired", "turbo")); err != nil {
		return nil, errors.New("node_modules is incomplete: run npm ci in internal/web/assets")
	}
	all := &built{}
	if err := all.add(root, beside, nil); err != nil {
		return nil, err
	}
	if err := all.add(root, []string{core}, []api.Plugin{all.importBeside()}); err != nil {
		return nil, err
	}
	slices.Sort(all.packages)
	all.packages = slices.Compact(all.packages)
	return all, nil
}

// importBeside makes core import what was built before by its hashed name.
func (b *built) importBeside() api.Plugin {
	return api.Plugin{Name: "import-beside", Setup: func(build api.PluginBuild) {
		build.OnResolve(api.OnResolveOptions{Filter: `\.js$`}, func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			if args.Kind != api.ResolveJSDynamicImport {
				return api.OnResolveResult{}, nil
			}
			for _, f := range b.files {
				if f.entry && f.name == filepath.Base(args.Path) {
					return api.OnResolveResult{Path: "./" + f.path, External: true}, nil
				}
			}
			return api.OnResolveResult{}, nil
		})
	}}
}

// add builds entries and collects what came out.
func (b *built) add(root string, entries []string, plugins []api.Plugin) error {
	var points []string
	for _, entry := range entries {
		points = append(points, filepath.Join(root, "src", entry))
	}
	result := api.Build(api.BuildOptions{
		AbsWorkingDir:     root,
		EntryPoints:       points,
		Outdir:            filepath.Join(root, "dist"),
		EntryNames:        "[name]-[hash]",
		AssetNames:        "[name]-[hash]",
		Bundle:            true,
		Format:            api.FormatESModule,
		Target:            api.ES2022,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		LegalComments:     api.LegalCommentsNone,
		Charset:           api.CharsetUTF8,
		Metafile:          true,
		Loader:            map[string]api.Loader{".svg": api.LoaderFile},
		Define:            map[string]string{"process.env.NODE_ENV": `"production"`},
		Plugins:           plugins,
	})
	if len(result.Errors) > 0 {
		lines := api.FormatMessages(result.Errors, api.FormatMessagesOptions{Kind: api.ErrorMessage})
		return errors.New(strings.Join(lines, ""))
	}
	return b.collect(root, result)
}

// metafile is the part of esbuild's report that is read here.
type metafile struct {
	Inputs  map[string]struct{}
	Outputs map[string]struct{ EntryPoint string }
}

func (b *built) collect(root string, result api.BuildResult) error {
	var meta metafile
	if err := json.Unmarshal([]byte(result.Metafile), &meta); err != nil {
		return fmt.Errorf("read the build's report: %w", err)
	}
	b.packages = append(b.packages, packagesOf(meta)...)
	for _, output := range result.OutputFiles {
		relative, err := filepath.Rel(root, output.Path)
		if err != nil {
			return fmt.Errorf("place %s: %w", output.Path, err)
		}
		f := file{path: filepath.Base(output.Path), content: output.Contents}
		f.name = f.path
		if entry := meta.Outputs[filepath.ToSlash(relative)].EntryPoint; entry != "" {
			f.name, f.entry = filepath.Base(entry), true
		}
		if size := len(compress(f.content)); f.name == core && size > maxCore {
			return fmt.Errorf("%s weighs %d bytes compressed, more than %d", core, size, maxCore)
		}
		b.files = append(b.files, f)
	}
	return nil
}

// packagesOf names the npm packages whose files went into the build.
func packagesOf(meta metafile) []string {
	var packages []string
	for input := range meta.Inputs {
		_, inside, found := strings.Cut(input, "node_modules/")
		if !found {
			continue
		}
		parts := strings.SplitN(inside, "/", 3)
		name := parts[0]
		if strings.HasPrefix(name, "@") && len(parts) > 1 {
			name += "/" + parts[1]
		}
		if !slices.Contains(packages, name) {
			packages = append(packages, name)
		}
	}
	return packages
}
