package web

import (
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"unicode/utf8"

	"hearth/internal/chat"
	"hearth/internal/view"
)

// queryMax bounds what is remembered of a query, and with it the address that
// its form leads to, in bytes.
const queryMax = 1024

func (x *exchange) showSearches(in *chat.Reader) error {
	search := view.Search{Query: chat.SearchWords(x.text("q"))}
	var err error
	if search.Results, err = in.Search(x.viewer.ID, search.Query); err != nil {
		return err
	}
	if search.People, err = x.people(in, search.Results...); err != nil {
		return err
	}
	if search.Recent, err = in.RecentSearches(x.viewer.ID); err != nil {
		return err
	}
	back, err := x.lastRoom(in)
	if err != nil && !errors.Is(err, chat.ErrNotFound) {
		return err
	}
	return x.page(in, http.StatusOK, func(w io.Writer, l *view.Layout) error {
		l.LastRoom = back
		return x.server.site.SearchPage(w, l, &search)
	})
}

func (x *exchange) createSearch() error {
	query, given := x.param("q")
	if !given {
		return errMissing
	}
	query = cut(chat.SearchWords(query), queryMax)
	if strings.TrimSpace(query) == "" {
		return x.redirect("/searches")
	}
	err := x.server.chat.RecordSearch(x.r.Context(), x.viewer.ID, query)
	return redirectUnless(x, err, "/searches?q="+url.QueryEscape(query))
}

// cut shortens text to at most max bytes, between two characters.
func cut(text string, max int) string {
	if len(text) <= max {
		return text
	}
	for max > 0 && !utf8.RuneStart(text[max]) {
		max--
	}
	return text[:max]
}

func (x *exchange) clearSearches() error {
	err := x.server.chat.ClearSearches(x.r.Context(), x.viewer.ID)
	return redirectUnless(x, err, "/searches")
}
