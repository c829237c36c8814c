package view

import (
	"io"

	"hearth/internal/chat"
	"hearth/internal/richtext"
)

// Search is a query and what it found, oldest first.
type Search struct {
	Query   string
	Results []*chat.Message
	People  richtext.People
	Recent  []string // newest first
}

type searchShown struct {
	*Search
	HTML markup
}

// searchMax is how many results a search has at most.
const searchMax = 100

// Full reports whether there may be older results than those shown.
func (d searchShown) Full() bool { return len(d.Results) >= searchMax }

// SearchPage writes the search form, its results and the recent searches.
func (s *Site) SearchPage(w io.Writer, l *Layout, d *Search) error {
	shown := searchShown{d, s.AppendMessages(nil, d.Results, d.People)}
	return s.render(w, "search", l, page{Title: "Search", BodyClass: "sidebar searches", D: shown})
}
