package web_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/html"

	"hearth/internal/rails"
)

// visit is one request of the tables with its answer. Rows that say the same
// request, as the same person, ask of one visit.
type visit struct {
	memory memory
	status int
	header http.Header
	body   string
	doc    *html.Node // of the body; nil when it isn't HTML
}

const browserAccept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

// accepts are the names of representations in the tables.
var accepts = map[string]string{
	"html": "text/html, application/xhtml+xml", "stream": "text/vnd.turbo-stream.html, text/html, application/xhtml+xml", "json": "application/json", "any": "*/*",
}

// visit makes the request of a row, unless it has been made.
func (s *stage) visit(request, as string) (*visit, error) {
	key := as + "\t" + request
	if v := s.visits[key]; v != nil {
		return v, nil
	}
	v := &visit{memory: memory{}}
	filled, err := s.fill(request, v.memory)
	if err != nil {
		return nil, err
	}
	if err := s.ask(v, strings.Fields(filled), as); err != nil {
		return nil, fmt.Errorf("%s: %w", filled, err)
	}
	s.visits[key] = v
	return v, nil
}

// ask reads the words of a request (method, path, then a form and options, as
// the README lists them) and sends it.
func (s *stage) ask(v *visit, words []string, as string) error {
	if len(words) < 2 {
		return fmt.Errorf("a request is a method, a path and options")
	}
	r := &asked{method: words[0], path: words[1], times: 1, header: http.Header{"Accept": {browserAccept}}, cookies: map[string]string{}}
	for _, word := range words[2:] {
		if err := r.option(word); err != nil {
			return err
		}
	}
	s.n++
	r.header.Set("X-Forwarded-For", fmt.Sprintf("198.51.%d.%d", 100+s.n/250, s.n%250))
	s.identify(r, as)
	for range r.times {
		if err := s.send(v, r); err != nil {
			return err
		}
	}
	if r.follow {
		place, err := url.Parse(v.header.Get("Location"))
		if err != nil || v.status != http.StatusFound {
			return fmt.Errorf("nothing to follow: %d, %w", v.status, err)
		}
		r.method, r.path, r.body = "GET", place.RequestURI(), ""
		return s.send(v, r)
	}
	return nil
}

type asked struct {
	method, path, body string
	header             http.Header
	cookies            map[string]string
	times              int
	follow, forged     bool
}

func (r *asked) option(word string) error {
	name, value, _ := strings.Cut(word, ":")
	switch name {
	case "follow":
		r.follow = true
	case "forged":
		r.forged = true
	case "times":
		_, err := fmt.Sscan(value, &r.times)
		return err
	case "accept":
		r.header.Set("Accept", accepts[value])
	case "frame":
		r.header.Set("Turbo-Frame", value)
		r.header.Set("Accept", accepts["html"])
	case "header":
		name, value, _ := strings.Cut(value, "=")
		r.header.Set(name, strings.ReplaceAll(value, "+", " "))
	case "cookie":
		name, value, _ := strings.Cut(value, "=")
		r.cookies[name] = value
	case "raw":
		r.body = strings.ReplaceAll(value, "+", " ")
		r.header.Set("Content-Type", "text/plain")
	case "json":
		r.body = value
		r.header.Set("Content-Type", "application/json")
	default:
		r.body = word
		r.header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	return nil
}

// identify gives a request the login of somebody, or the key of a bot, and the
// proof that it isn't forged.
func (s *stage) identify(r *asked, as string) {
	switch {
	case s.person(as) == "":
	case as == "bot":
		joint := "?"
		if strings.Contains(r.path, "?") {
			joint = "&"
		}
		r.path += joint + "bot_key=" + s.BotKey(s.person(as))
	default:
		r.cookies[rails.TokenCookie] = url.QueryEscape(s.Keys.SignCookie(rails.TokenCookie, s.login(s.person(as)), time.Now().Add(time.Hour)))
	}
	if r.forged {
		return
	}
	secret := rails.NewCSRFSecret()
	text := (&rails.Session{ID: rails.NewSessionID(), CSRFToken: secret}).JSON()
	r.cookies[rails.SessionCookie] = url.QueryEscape(s.Keys.EncryptCookie(rails.SessionCookie, text, time.Now().Add(time.Hour)))
	r.header.Set("X-CSRF-Token", rails.MaskedCSRFToken(secret))
}

// withoutRedirects is how all of them are asked.
var withoutRedirects = &http.Client{
	Timeout:       socketPatience,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

func (s *stage) send(v *visit, r *asked) error {
	request, err := http.NewRequestWithContext(context.Background(), r.method, s.server.URL+r.path, strings.NewReader(r.body))
	if err != nil {
		return err
	}
	request.Header = r.header.Clone()
	for name, value := range r.cookies {
		request.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	answer, err := withoutRedirects.Do(request)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	v.status, v.header, v.body, v.doc = answer.StatusCode, answer.Header, "", nil
	if answer.StatusCode == http.StatusSwitchingProtocols {
		return nil
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return err
	}
	v.body = string(text)
	for _, cookie := range answer.Cookies() {
		r.cookies[cookie.Name] = cookie.Value
	}
	if strings.Contains(v.header.Get("Content-Type"), "html") {
		v.doc, err = html.Parse(strings.NewReader(v.body))
	}
	return err
}

// where is the status and, of a redirect, its path.
func (v *visit) where() string {
	place, err := url.Parse(v.header.Get("Location"))
	if v.status != http.StatusFound || err != nil {
		return fmt.Sprint(v.status)
	}
	if place.Host == "" {
		return "302 without a host: " + place.String()
	}
	return "302 " + place.RequestURI()
}
