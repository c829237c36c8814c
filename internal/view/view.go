// Package view turns what the domain knows into HTML. It knows no HTTP.
//
// Three ways of writing, by how often a thing is shown:
//
//   - Hot fragments (message, presentation, boost, sidebar row, stream frame)
//     are append functions: they add bytes to a slice that the caller owns and
//     allocate nothing else. They are the same for every viewer and their links
//     are relative, so one rendering serves a page, a cache and a broadcast.
//   - The two halves of a room's page around its messages are stencils: HTML with
//     holes, which append functions fill.
//   - All other pages are html/template, which escapes by context.
//
// A Site is made once and shared by all goroutines:
//
//	site := view.New(view.Options{Keys: keys, Asset: bundle.Path, Version: "0.1"})
//	dst = site.AppendMessage(dst, message, people)
//	err := site.RoomPage(w, layout, room)
package view

import (
	"embed"
	"html/template"
	"io"
	"io/fs"
	"strings"

	"hearth/internal/chat"
	"hearth/internal/rails"
)

//go:embed templates/*.html
var templates embed.FS

// Site renders everything. It is immutable but for two memos of signed tokens,
// which are pure functions of ids; all methods are safe for all goroutines.
type Site struct {
	keys  *rails.Keys
	icons string // what stands before an icon's name in its address
	head  head

	roomTop, roomBottom stencil
	bottom              string // of a whole page, from the sidebar on
	pages               *template.Template

	avatars memo // user id -> "/users/<token>/avatar?v="
	blobs   memo // blob id -> "/rails/active_storage/blobs/redirect/<token>/"
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
	s := &Site{keys: opt.Keys, icons: opt.Asset("icons.svg") + "#i-", head: newHead(opt)}
	s.avatars.make = func(id int64) string {
		return "/users/" + s.keys.SignedID(id, "user/avatar", never) + "/avatar?v="
	}
	s.blobs.make = func(id int64) string {
		return "/rails/active_storage/blobs/redirect/" + pathSegment(s.keys.BlobID(id)) + "/"
	}
	s.pages = template.New("pages").Funcs(s.funcs())
	constants := s.constants(opt)
	for _, name := range must(fs.Glob(templates, "templates/*.html")) {
		text := constants.Replace(string(must(templates.ReadFile(name))))
		template.Must(s.pages.Parse(text))
	}
	s.roomTop, s.roomBottom = cut("room_top", constants), cut("room_bottom", constants)
	var bottom strings.Builder
	if err := s.run(&bottom, "room_end", &page{Layout: &Layout{Viewer: new(chat.User)}}); err != nil {
		panic(err)
	}
	s.bottom = bottom.String()
	return s
}

// constants fill in what stays the same for the life of a process. Templates
// have it as text, so that a page doesn't compute an icon's address forty times.
func (s *Site) constants(opt Options) *strings.Replacer {
	pairs := []string{
		"[[logo]]", opt.Asset("logo.svg"),
		"[[favicon]]", opt.Asset("favicon.svg"),
		"[[version]]", string(escape(nil, opt.Version)),
	}
	for _, name := range icons {
		pairs = append(pairs, "[[icon "+name+"]]", string(s.appendIcon(nil, name)))
	}
	return strings.NewReplacer(pairs...)
}

// icons are those that templates use.
var icons = []string{"alert", "back", "check", "close", "copy", "down", "format", "gear", "leave", "menu", "people", "plus", "search", "send", "trash"}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// run executes one template. What was written before an error stays written, so
// callers that still want to answer with an error page write to a buffer first.
func (s *Site) run(w io.Writer, name string, data any) error {
	return s.pages.ExecuteTemplate(w, name, data)
}
