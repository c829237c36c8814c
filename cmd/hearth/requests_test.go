package main

import (
	"fmt"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// newRequest is one by David of the sample, signed in by his ready cookie.
func newRequest(t *testing.T, s *server, method, path, body string) (*http.Request, error) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err == nil {
		request.Header.Set("Cookie", labels(t)["cookies.david"].(string))
	}
	return request, err
}

var tokenMeta = regexp.MustCompile(`name="csrf-token" content="([^"]+)"`)

// csrfToken is the one of the page at path, for the cookies of who.
func csrfToken(t *testing.T, who *http.Client, s *server, path string) string {
	t.Helper()
	answer, err := who.Get(s.URL + path)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	found := tokenMeta.FindSubmatch(page)
	if found == nil {
		t.Fatalf("%s has no token, status %d", path, answer.StatusCode)
	}
	return string(found[1])
}

// submit posts a form as who, with the token of a page that they see.
func submit(t *testing.T, who *http.Client, s *server, page, path string, form url.Values) (*http.Response, error) {
	t.Helper()
	form.Set("authenticity_token", csrfToken(t, who, s, page))
	answer, err := who.PostForm(s.URL+path, form)
	if err != nil {
		return nil, fmt.Errorf("post %s: %w", path, err)
	}
	answer.Body.Close()
	return answer, nil
}

// signIn returns the status of signing in.
func signIn(t *testing.T, s *server, email, password string) int {
	t.Helper()
	answer, err := submit(t, visitor(t), s, "/session/new", "/session", url.Values{"email_address": {email}, "password": {password}})
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode
}
