package assets

import (
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
)

// types are the kinds of files that a bundle serves.
var types = map[string]string{
	".js":  "text/javascript; charset=utf-8",
	".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml",
	".png": "image/png",
	".txt": "text/plain; charset=utf-8",
}

// served is one file of the bundle, in memory.
type served struct {
	kind  string
	whole []byte
	short []byte // compressed; nil where that would not be shorter
}

// ServeHTTP answers GET and HEAD for a path under Prefix. Names hold a hash of
// the content, so that browsers never ask twice; those that take gzip get what
// was compressed when the bundle was made.
func (b *Bundle) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f, found := b.files[strings.TrimPrefix(r.URL.Path, Prefix)]
	if !found {
		http.NotFound(w, r)
		return
	}
	header, content := w.Header(), f.whole
	if f.short != nil {
		header.Set("Vary", "Accept-Encoding")
		if acceptsGzip(r.Header.Values("Accept-Encoding")) {
			header.Set("Content-Encoding", "gzip")
			content = f.short
		}
	}
	header.Set("Content-Type", f.kind)
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Cache-Control", "public, max-age=31536000, immutable")
	header.Set("Content-Length", strconv.Itoa(len(content)))
	if r.Method != http.MethodHead {
		_, _ = w.Write(content) // a reader that left is no concern of ours
	}
}

// load reads every file that may be asked for.
func load(files fs.FS) (map[string]served, error) {
	found, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, err
	}
	all := map[string]served{}
	for _, entry := range found {
		name := entry.Name()
		kind, known := types[path.Ext(name)]
		if !known {
			continue // the manifest, the placeholder, and what is compressed
		}
		f := served{kind: kind}
		if f.whole, err = fs.ReadFile(files, name); err != nil {
			return nil, err
		}
		if short, err := fs.ReadFile(files, name+".gz"); err == nil {
			f.short = short
		}
		all[name] = f
	}
	return all, nil
}

// acceptsGzip follows RFC 9110, 12.5.3: a weight of zero refuses, and "*"
// speaks only where gzip is not named.
func acceptsGzip(values []string) bool {
	accepted := false
	for _, part := range strings.Split(strings.Join(values, ","), ",") {
		coding, parameters, _ := strings.Cut(part, ";")
		coding = strings.ToLower(strings.TrimSpace(coding))
		if coding != "gzip" && coding != "x-gzip" && coding != "*" {
			continue
		}
		accepted = weight(parameters) > 0
		if coding != "*" {
			return accepted
		}
	}
	return accepted
}

// weight reads "q=0.5"; nothing means 1, and what can't be read refuses.
func weight(parameters string) float64 {
	name, value, found := strings.Cut(strings.TrimSpace(parameters), "=")
	if !found || !strings.EqualFold(strings.TrimSpace(name), "q") {
		return 1
	}
	q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return 0
	}
	return q
}
