package main

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

func TestFirstRunThenSomebodyJoinsByTheLinkOfTheWelcome(t *testing.T) {
	s := serve(t, t.TempDir()+"/storage", nil)
	ada := visits(t, s, "Ada")
	ada.opens("/")
	ada.isAt("/first_run")
	ada.fills("Name", "Ada Byron")
	ada.fills("Email address", "ada@example.test")
	ada.fills("Password", "a short sentence")
	ada.clicks("button", "Save")
	ada.isAt(`/rooms/\d+`)
	ada.seesTimes(1, "#system_welcome", "Welcome")
	link := ask[string](ada, `document.querySelector("#invite_url").value`)
	if !strings.HasPrefix(link, s.URL+"/join/") {
		t.Fatalf("the welcome's link is %s", link)
	}

	bob := visits(t, s, "Bob")
	bob.opens(link)
	bob.fills("Name", "Bob Frost")
	bob.fills("Email address", "bob@example.test")
	bob.fills("Password", "another sentence")
	bob.clicks("button", "Save")
	bob.isAt(`/rooms/\d+`)

	bob.says("Hello Ada")
	ada.reads("Hello Ada")
	ada.says("Hello Bob")
	bob.reads("Hello Bob")
	ada.reads("Hello Bob")
	if ada.path() != bob.path() {
		t.Errorf("Ada is at %s, Bob at %s", ada.path(), bob.path())
	}
	bob.presses(kb.Escape)
}
