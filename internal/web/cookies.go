package web

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"hearth/internal/rails"
)

// cookieLastRoom holds the id of the room that was seen last, in plain text.
const cookieLastRoom = "last_room"

// cookieYears is how far ahead cookies expire.
const cookieYears = 20

// cookieMax is the most that name and value of one cookie may have in bytes;
// browsers drop what is longer.
const cookieMax = 4096

// cookieValue reads a cookie; values are percent-escaped on the wire.
func cookieValue(r *http.Request, name string) string {
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	value, err := url.PathUnescape(cookie.Value)
	if err != nil {
		return ""
	}
	return value
}

// setCookie writes one cookie that lasts cookieYears.
func (x *exchange) setCookie(name, value string, scripts bool) {
	var line strings.Builder
	line.WriteString(name + "=" + url.QueryEscape(value) + "; path=/; expires=")
	line.WriteString(x.cookieExpiry().Format(http.TimeFormat))
	x.finishCookie(&line, scripts)
}

func (x *exchange) deleteCookie(name string) {
	var line strings.Builder
	line.WriteString(name + "=; path=/; max-age=0; expires=Thu, 01 Jan 1970 00:00:00 GMT")
	x.finishCookie(&line, false)
}

func (x *exchange) finishCookie(line *strings.Builder, scripts bool) {
	if x.server.ssl.Strict(x.r) {
		line.WriteString("; secure")
	}
	if !scripts {
		line.WriteString("; httponly")
	}
	line.WriteString("; samesite=lax")
	x.w.Header().Add("Set-Cookie", line.String())
}

func (x *exchange) cookieExpiry() time.Time { return x.now.UTC().AddDate(cookieYears, 0, 0) }

// setLogin sends the login cookie; every authenticated answer carries a fresh one.
func (x *exchange) setLogin(token string) {
	x.setCookie(rails.TokenCookie, x.server.keys.SignCookie(rails.TokenCookie, token, x.cookieExpiry()), false)
}

// setLastRoom remembers a room for the next visit to "/".
func (x *exchange) setLastRoom(id string) { x.setCookie(cookieLastRoom, id, true) }
