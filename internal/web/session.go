package web

import "hearth/internal/rails"

// The session cookie is not the login: it holds the CSRF secret, the flash and
// where to go after signing in.

// returnToMax bounds the address to return to, so that the whole cookie,
// encrypted and encoded twice, stays below cookieMax.
const returnToMax = 1500

// session loads the session on first use. A cookie that can't be read is an
// empty session.
func (x *exchange) session() *rails.Session {
	if x.loaded != nil {
		return x.loaded
	}
	x.loaded = &rails.Session{}
	if cookie := cookieValue(x.r, rails.SessionCookie); cookie != "" {
		if text, err := x.server.keys.DecryptCookie(rails.SessionCookie, cookie, x.now); err == nil {
			if stored, err := rails.ParseSession(text); err == nil {
				x.loaded = stored
			}
		}
	}
	return x.loaded
}

// resetSession forgets everything, the CSRF secret too.
func (x *exchange) resetSession() {
	x.loaded = &rails.Session{}
	x.keepSession = true
}

// csrfSecret is the session's secret, made on first need.
func (x *exchange) csrfSecret() string {
	s := x.session()
	x.keepSession = true
	if s.CSRFToken == "" {
		s.CSRFToken = rails.NewCSRFSecret()
	}
	return s.CSRFToken
}

// alert leaves a sentence for the next page.
func (x *exchange) alert(text string) {
	x.session().Next.Alert = text
	x.keepSession = true
}

// takeFlash gives what an earlier request left, for this page only.
func (x *exchange) takeFlash() rails.Flash {
	s := x.session()
	flash := s.Flash
	if flash != (rails.Flash{}) {
		s.Flash = rails.Flash{}
		x.keepSession = true
	}
	return flash
}

// rememberReturn keeps the address of this request for after signing in.
func (x *exchange) rememberReturn() {
	if address := x.baseURL() + x.r.URL.RequestURI(); len(address) <= returnToMax {
		x.session().ReturnTo = address
		x.keepSession = true
	}
}

// takeReturn gives the remembered address as a path of this site, or "/".
func (x *exchange) takeReturn() string {
	s := x.session()
	if s.ReturnTo == "" {
		return "/"
	}
	address := s.ReturnTo
	s.ReturnTo = ""
	x.keepSession = true
	return pathOf(address)
}

// writeSession sends the session cookie if this request used or changed it. A
// flash that no page has shown yet stays for the next one.
func (x *exchange) writeSession() {
	if !x.keepSession {
		return
	}
	s := x.session()
	if s.ID == "" {
		s.ID = rails.NewSessionID()
	}
	if s.Next == (rails.Flash{}) {
		s.Next = s.Flash
	}
	value := x.server.keys.EncryptCookie(rails.SessionCookie, s.JSON(), x.cookieExpiry())
	if len(rails.SessionCookie)+len(value) > cookieMax { // rather than lose the CSRF secret
		s = &rails.Session{ID: s.ID, CSRFToken: s.CSRFToken}
		value = x.server.keys.EncryptCookie(rails.SessionCookie, s.JSON(), x.cookieExpiry())
	}
	x.setCookie(rails.SessionCookie, value, false)
}
