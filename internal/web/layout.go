package web

import (
	"errors"
	"io"
	"net/http"
	"strconv"

	"hearth/internal/chat"
	"hearth/internal/rails"
	"hearth/internal/view"
)

// layout gathers what every page needs besides its own subject.
func (x *exchange) layout(in *chat.Reader) (*view.Layout, error) {
	secret := x.csrfSecret()
	x.masked = true
	l := &view.Layout{
		Viewer:    x.viewer,
		CSRFToken: rails.MaskedCSRFToken(secret),
		FormToken: func(path, method string) string { return rails.MaskedFormToken(secret, path, method) },
		BaseURL:   x.baseURL(),
		VAPIDKey:  x.server.vapidKey,
		Frame:     x.frame(),
	}
	if l.Frame == "" {
		flash := x.takeFlash()
		l.Notice, l.Alert = flash.Notice, flash.Alert
	}
	switch account, err := in.Account(); {
	case err == nil:
		l.Account = &account
	case !errors.Is(err, chat.ErrNotFound):
		return nil, err
	}
	return l, nil
}

// page answers with a page of HTML, for who wants HTML.
func (x *exchange) page(in *chat.Reader, status int, render func(io.Writer, *view.Layout) error) error {
	l, err := x.pageLayout(in)
	if err != nil {
		return err
	}
	return x.write(status, typeHTML, func(w io.Writer) error { return render(w, l) })
}

func (x *exchange) pageLayout(in *chat.Reader) (*view.Layout, error) {
	if _, ok := pick(x.wants, formatHTML); !ok {
		return nil, errNotAcceptable
	}
	return x.layout(in)
}

// pageAfterWrite answers with a page from a snapshot of its own, for handlers
// that run outside of one.
func (x *exchange) pageAfterWrite(status int, prepare func(*chat.Reader) (func(io.Writer, *view.Layout) error, error)) error {
	return x.server.chat.Read(x.r.Context(), func(in *chat.Reader) error {
		render, err := prepare(in)
		if err != nil {
			return err
		}
		return x.page(in, status, render)
	})
}

// unsupported answers whatever was asked with the page about browsers.
func (x *exchange) unsupported() error {
	return x.write(http.StatusOK, typeHTML, x.server.site.UnsupportedBrowserPage)
}

// failPage answers with a page about an error. Where there is none for the
// status, a sentence has to do.
func (x *exchange) failPage(status int, cause error) {
	var err error
	switch status {
	case http.StatusRequestEntityTooLarge:
		err = x.write(status, typeText, func(w io.Writer) error {
			_, err := io.WriteString(w, "That is too large: a form may have "+strconv.Itoa(maxForm>>20)+" MB. Nothing was saved.\n")
			return err
		})
	default:
		err = x.write(status, typeHTML, func(w io.Writer) error { return x.server.site.ErrorPage(w, status) })
	}
	if err != nil {
		x.server.log.ErrorContext(x.r.Context(), "error page failed", "request", x.id, "error", err, "cause", cause)
		x.head(status)
	}
}

// lastRoom is where "/" and "Go Back" lead: the room that was seen last if the
// viewer is still in it, else the oldest of theirs; chat.ErrNotFound for who
// has none.
func (x *exchange) lastRoom(in *chat.Reader) (chat.RoomID, error) {
	if seen, err := strconv.ParseInt(cookieValue(x.r, cookieLastRoom), 10, 64); err == nil {
		switch _, err := in.Membership(chat.RoomID(seen), x.viewer.ID); {
		case err == nil:
			return chat.RoomID(seen), nil
		case !errors.Is(err, chat.ErrNotFound):
			return 0, err
		}
	}
	room, err := in.OldestRoom(x.viewer.ID)
	return room.ID, err
}

func roomPath(id chat.RoomID) string { return "/rooms/" + strconv.FormatInt(int64(id), 10) }
