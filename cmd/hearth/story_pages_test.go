package main

import (
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// noSidewaysScroll holds when the page is no wider than the window.
const noSidewaysScroll = `document.documentElement.scrollWidth <= innerWidth && document.body.scrollWidth <= innerWidth`

// TestEveryPageOpensWithoutTrouble also makes each as narrow as the narrowest phone.
func TestEveryPageOpensWithoutTrouble(t *testing.T) {
	t.Parallel()
	s := serve(t, sample(t), sampleEnv)
	david, kevin, visitor := arrives(t, s, "david"), arrives(t, s, "kevin"), visits(t, s, "visitor")
	scene(t, "administrator", []*person{david}, func(t *testing.T) {
		david.looksAt(allTalk, quiet, "/rooms/654632876", "/rooms/699448325", "/rooms/865193377", "/rooms/581676151",
			allTalk+"/@933434563", "/rooms/654632876/messages/933434487", "/rooms/654632876/messages/933434487/edit",
			"/messages/933434503/boosts", "/messages/933434503/boosts/new",
			"/searches", "/searches?q=message", "/searches?q=no+such+word+anywhere", "/searches?q=%22AND+%28",
			"/rooms/opens/new", "/rooms/closeds/new", "/rooms/directs/new", hq+"/involvement",
			"/rooms/opens/201306877/edit", "/rooms/closeds/378909861/edit", "/rooms/directs/699448325/edit",
			"/users/712064548", "/users/127326141", "/users/378710683", "/users/me/sidebar")
	})
	scene(t, "member", []*person{kevin}, func(t *testing.T) {
		kevin.looksAt("/", allTalk, "/rooms/opens/201306877/edit", "/rooms/directs/865193377/edit", "/users/127326141")
	})
	scene(t, "visitor", []*person{visitor}, func(t *testing.T) {
		visitor.looksAt("/session/new", "/session/new?email_address=kevin%40example.test", "/join/Rq7x-T2pM-9kLd")
	})
	scene(t, "nothing there", []*person{david}, func(t *testing.T) {
		defer david.tolerates(` 404.*(nothing-here|of 404)`)()
		david.looksAt("/nothing-here", "/rooms/654632876/nothing-here")
		david.sees("body", "404")
	})
	scene(t, "in no room", nil, func(t *testing.T) {
		lou := arrives(t, s, "loner")
		lou.looksAt("/")
		lou.sees("h1", "No rooms yet")
	})
}

// looksAt opens pages, each wide and narrow.
func (p *person) looksAt(paths ...string) {
	p.t.Helper()
	for _, path := range paths {
		before := len(p.trouble.all())
		p.sized(1280, 800)
		p.opens(path)
		p.stays(path+" has a title", `document.title.trim() !== ""`)
		p.sized(320, 640)
		p.until(path+" does not scroll sideways", noSidewaysScroll)
		for _, problem := range p.trouble.all()[before:] {
			p.t.Errorf("%s at %s: %s", p.name, path, problem)
		}
	}
}

func TestPhones(t *testing.T) {
	t.Parallel()
	s := serve(t, sample(t), sampleEnv)
	kevin, david := arrives(t, s, "kevin"), arrives(t, s, "david")
	call(kevin, "phone", chromedp.EmulateViewport(375, 812, chromedp.EmulateMobile, chromedp.EmulateTouch))
	kevin.opens(quiet)
	david.opens(quiet)
	const sidebarInView = `(box => box.left < innerWidth && box.right > 0)(document.querySelector("#sidebar").getBoundingClientRect())`
	kevin.stays("the composer is in view", `(box => box.top > innerHeight / 2 && box.bottom <= innerHeight && box.left >= 0 && box.right <= innerWidth)(document.querySelector("#composer").getBoundingClientRect())`)
	kevin.stays("the page does not scroll sideways", noSidewaysScroll)
	kevin.stays("the sidebar is away", `!(`+sidebarInView+`) || !document.querySelector("#sidebar").checkVisibility({ visibilityProperty: true })`)

	kevin.clicks("button", "Open menu")
	kevin.in("#sidebar").is("open")
	kevin.until("the sidebar covers the page", `(box => box.left <= 0 && box.width >= innerWidth * 0.75)(document.querySelector("#sidebar").getBoundingClientRect())`)
	kevin.stays("the page does not scroll sideways", noSidewaysScroll)
	kevin.clicks("button", "Close menu")
	kevin.in("#sidebar").isNot("open")
	kevin.clicks("button", "Open menu")
	kevin.in("#shared_rooms").clicks("link", "HQ")
	kevin.isAt(hq)
	kevin.in("#sidebar").isNot("open")

	// On a phone Enter is a line, and only the button sends.
	kevin.clicks("button", "Open menu")
	kevin.in("#shared_rooms").clicks("link", "Quiet Corner")
	kevin.isAt(quiet)
	kevin.writes("from the")
	kevin.presses(kb.Enter)
	kevin.types("train")
	kevin.until("Enter made a line", `document.querySelector("#composer lexxy-editor").toString().trim().split("\n").length > 1`)
	kevin.clicks("button", "Send Message")
	david.reads("train")
	kevin.reads("train")

	call(kevin, "small phone", chromedp.EmulateViewport(320, 568, chromedp.EmulateMobile, chromedp.EmulateTouch))
	for _, room := range []string{quiet, allTalk, "/rooms/654632876"} {
		kevin.opens(room)
		kevin.until(room+" does not scroll sideways at 320 pixels", noSidewaysScroll)
		kevin.until("nor do its messages", `(list => list.scrollWidth <= list.clientWidth)(document.querySelector(".messages"))`)
		kevin.stays("the composer is in view", `(box => box.bottom <= innerHeight)(document.querySelector("#composer").getBoundingClientRect())`)
	}
}

func TestMessagesAreReadableWithoutScripts(t *testing.T) {
	t.Parallel()
	s := serve(t, sample(t), sampleEnv)
	david := arrives(t, s, "david")
	call(david, "no scripts", command(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true}))
	defer david.tolerates(`^no answer to .*/assets/.*\.js: +csp`)() // scripts that a page wants to be loaded early
	call(david, "open", chromedp.Navigate(s.URL+allTalk))
	david.seesTimes(40, ".messages > .message .message__author", "")
	david.seesTimes(40, ".messages > .message [data-messages-target=body]", "")
	david.stays("no script ran", `!window.Turbo && !document.querySelector(".message--formatted:not(#system_welcome)")`)
	times := ask[string](david, `[...document.querySelectorAll(".messages time.message__timestamp")].map(time => time.textContent.trim()).join(" ")`)
	if len(strings.Fields(times)) < 40 {
		t.Errorf("messages have no times of their own: %s", times)
	}
	if height := ask[float64](david, `document.querySelector(".messages").getBoundingClientRect().height`); height < 300 {
		t.Errorf("the messages are %v pixels high", height)
	}
}
