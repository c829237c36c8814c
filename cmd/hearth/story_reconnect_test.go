package main

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// bender is the key of the bot that is in allTalk.
const bender = "394959859-3fsg2syhkpmh"

// bot does something in allTalk through the bots' interface and returns the id
// of the message that it concerns.
func bot(t *testing.T, s *server, method, message, text string) (id string) {
	t.Helper()
	address := s.URL + allTalk + "/" + bender + "/messages"
	if message != "" {
		address += "/" + message
	}
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, _ := io.ReadAll(answer.Body)
	if answer.StatusCode/100 != 2 {
		t.Fatalf("%s %s answers %d: %s", method, address, answer.StatusCode, body)
	}
	if method != http.MethodPost {
		return message
	}
	location := answer.Header.Get("Location")
	return location[strings.LastIndex(location, "/")+1:]
}

func TestPagesCatchUpAfterTheServerRestarts(t *testing.T) {
	t.Parallel()
	s := serve(t, sample(t), sampleEnv)
	david, kevin := arrives(t, s, "david"), arrives(t, s, "kevin")
	cast := []*person{david, kevin}
	david.opens(allTalk)
	kevin.opens(allTalk)
	for _, end := range []struct {
		name string
		stop func()
	}{{"killed", s.kill}, {"stopped in order", s.stop}} {
		scene(t, end.name, cast, func(t *testing.T) { missAndCatchUp(t, s, end.name, end.stop, david, kevin) })
	}
	scene(t, "what could not be sent", cast, func(t *testing.T) { sendAgain(t, s, david, kevin) })
}

// missAndCatchUp lets things happen while the pages are cut off: their server
// is gone, another one serves the same folder elsewhere, then theirs comes back.
func missAndCatchUp(t *testing.T, s *server, name string, stop func(), david, kevin *person) {
	cast := []*person{david, kevin}
	doomed := bot(t, s, http.MethodPost, "", name+": to be deleted")
	edited := bot(t, s, http.MethodPost, "", name+": to be edited")
	david.says(name + ": before")
	for _, p := range cast {
		p.reads(name+": to be deleted", name+": to be edited", name+": before")
		defer p.tolerates(outage)()
	}
	stop()
	elsewhere := serve(t, s.storage, sampleEnv)
	for i := range 3 {
		bot(t, elsewhere, http.MethodPost, "", fmt.Sprintf("%s: missed %d", name, i))
	}
	bot(t, elsewhere, http.MethodDelete, doomed, "")
	bot(t, elsewhere, http.MethodPut, edited, name+": changed")
	elsewhere.stop()
	s.restart()
	for _, p := range cast {
		p.reads(name+": before", name+": missed 0", name+": missed 1", name+": missed 2", name+": changed")
		p.seesNot(".messages > .message", name+": to be deleted")
		p.seesNot(".messages > .message", name+": to be edited")
		p.settles()
	}
	kevin.says(name + ": after")
	for _, p := range cast {
		p.reads(name + ": after")
		order := ask[string](p, `[...document.querySelectorAll(".messages > .message [data-messages-target=body]")].map(body => body.textContent.trim())
			.filter(text => text.startsWith(`+quoted(name)+`)).map(text => text.replace(/^.*: /, "")).join(", ")`)
		if want := "changed, before, missed 0, missed 1, missed 2, after"; order != want {
			t.Errorf("%s has %q, want %q", p.name, order, want)
		}
	}
}

func sendAgain(t *testing.T, s *server, david, kevin *person) {
	for _, p := range []*person{david, kevin} {
		defer p.tolerates(outage)()
	}
	david.writes("Do not lose this")
	before := ask[float64](david, `performance.now()`)
	s.kill()
	david.presses(kb.Enter)
	message := david.message("Do not lose this")
	message.is("message--failed")
	message.sees("[role=status]", "Not sent")
	david.stays("the editor is free for more", `!document.querySelector("#composer lexxy-editor").toString().trim()`)

	david.until("the composer is closed", `document.querySelector("#composer fieldset").disabled`)
	if took := ask[float64](david, `performance.now()`) - before; took < 4500 {
		t.Errorf("the composer closed %.0f ms after the connection was lost, want five seconds", took)
	}
	david.sees("#composer [role=status]", "No connection")

	s.restart()
	for _, p := range []*person{david, kevin} {
		p.until("the composer is open", `!document.querySelector("#composer fieldset").disabled`)
		p.settles()
	}
	kevin.stays("it has not arrived by itself", `!document.querySelector(".messages").textContent.includes("Do not lose this")`)
	message.clicks("button", "Try again")
	for _, p := range []*person{david, kevin} {
		p.reads("Do not lose this")
	}
	message.isNot("message--failed")
	message.seesNot(".message__state", "")
	david.opens(allTalk)
	david.reads("Do not lose this")
}
