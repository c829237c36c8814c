// Package view turns what the domain knows into HTML. It knows no HTTP.
//
// Two ways of writing, by how often a thing is shown:
//
//   - Hot fragments (message, presentation, boost, sidebar row, stream frame)
//     are append functions: they add bytes to a slice that the caller owns and
//     allocate nothing else. They are the same for every viewer and their links
//     are relative, so one rendering serves a page, a cache and a broadcast.
//   - Pages are html/template, which escapes by context.
//
// A Site is made once and shared by all goroutines:
//
//	site := view.New(view.Options{Keys: keys, Asset: assets.URL, Version: "0.1"})
//	dst = site.AppendMessage(dst, message, people)
//	err := site.RoomPage(w, layout, room)
package view

import (
	"embed"
	"html/template"
	"io"

	"hearth/internal/rails"
)

//go:embed templates/*.html
var templates embed.FS

// Site renders everything. It is immutable but for two memos of signed tokens,
// which are pure functions of ids; all methods are safe for all goroutines.
type Site struct {
	keys    *rails.Keys
	version string
	assets  assets
	pages   *template.Template

	avatars memo // user id -> "/users/<token>/avatar?v="
	blobs   memo // blob id -> "/rails/active_storage/blobs/redirect/<token>/"
}

// assets are the URLs that pages refer to.
type assets struct {
	Styles, Script, Editor, Logo, Icon string

	sprite string // what stands before the name in the href of an icon
}

// Options say what a Site is made of. All fields but Version are required.
type Options struct {
	Keys *rails.Keys

	// Asset gives the URL of a bundled file by its logical name, such as
	// "application.css", as a path on this server.
	Asset func(name string) string

	// Version is shown at the foot of the sign-in page.
	Version string
}

// New parses the embedded templates; a template that doesn't parse is a bug, so it panics.
func New(opt Options) *Site {
	s := &Site{
		keys:    opt.Keys,
		version: opt.Version,
		assets: assets{
			Styles: opt.Asset("application.css"),
			Script: opt.Asset("application.js"),
			Editor: opt.Asset("editor.js"),
			Logo:   opt.Asset("logo.svg"),
			Icon:   opt.Asset("favicon.svg"),
			sprite: opt.Asset("icons.svg") + "#i-",
		},
	}
	s.avatars.make = func(id int64) string {
		return "/users/" + s.keys.SignedID(id, "user/avatar", never) + "/avatar?v="
	}
	s.blobs.make = func(id int64) string {
		return "/rails/active_storage/blobs/redirect/" + pathSegment(s.keys.BlobID(id)) + "/"
	}
	s.pages = template.Must(template.New("pages").Funcs(s.funcs()).ParseFS(templates, "templates/*.html"))
	return s
}

// run executes one template. What was written before an error stays written, so
// callers that still want to answer with an error page write to a buffer first.
func (s *Site) run(w io.Writer, name string, data any) error {
	return s.pages.ExecuteTemplate(w, name, data)
}
