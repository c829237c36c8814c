package web

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"hearth/internal/chat"
)

// statusOf is where errors become statuses; everything unknown is our fault.
func statusOf(err error) int {
	switch {
	case errors.Is(err, chat.ErrNotFound):
		return http.StatusNotFound
	case errors.Is(err, chat.ErrForbidden):
		return http.StatusForbidden
	case errors.Is(err, errForged), errors.Is(err, chat.ErrInvalid), errors.Is(err, chat.ErrTaken):
		return http.StatusUnprocessableEntity
	case errors.Is(err, errBadParams), errors.Is(err, errMissing), errors.Is(err, errSpoofed):
		return http.StatusBadRequest
	case errors.Is(err, errTooLarge):
		return http.StatusRequestEntityTooLarge
	case errors.Is(err, errNotAcceptable):
		return http.StatusNotAcceptable
	case errors.Is(err, chat.ErrFull):
		return http.StatusInsufficientStorage
	case errors.Is(err, chat.ErrBusy), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

// errNotAcceptable is a request for a representation that there isn't.
var errNotAcceptable = errors.New("there is no such representation")

// fail answers with an error. What the handler had gathered is thrown away.
func (x *exchange) fail(err error) {
	x.dropBody()
	status := statusOf(err)
	if status == http.StatusInternalServerError || status == http.StatusInsufficientStorage {
		x.server.log.ErrorContext(x.r.Context(), "request failed", "request", x.id, "path", x.loggedPath(), "error", err)
	}
	header := x.w.Header()
	header.Del("Location")
	header.Del("ETag")
	header.Del("Cache-Control")
	if status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "1")
	}
	switch f, _ := pick(x.wants, formatHTML, formatJSON); {
	case x.bot, status == http.StatusNotAcceptable:
		x.head(status)
	case f == formatJSON:
		x.write(status, typeJSON, func(w io.Writer) error {
			_, err := fmt.Fprintf(w, `{"status":%d,"error":%s}`, status, strconv.Quote(http.StatusText(status)))
			return err
		})
	default:
		x.failPage(status, err)
	}
}

// sentence is what an error of chat.ErrInvalid says to a person.
func sentence(err error) string {
	_, why, found := strings.Cut(err.Error(), chat.ErrInvalid.Error()+": ")
	if !found || why == "" {
		return "Something in it can’t be used. Please check and try again."
	}
	first, size := utf8.DecodeRuneInString(why)
	return strings.TrimSuffix(string(unicode.ToUpper(first))+why[size:], ".") + "."
}
