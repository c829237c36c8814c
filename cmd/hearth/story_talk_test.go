package main

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// Rooms of the sample. David is an administrator, Kevin is not; both are in all of these.
const (
	quiet   = "/rooms/378909861" // closed, nothing said yet
	hq      = "/rooms/201306877" // open
	allTalk = "/rooms/486777696" // closed, busy, the bot Bender is in it
	archive = "/rooms/368860575" // open, 274 messages
)

// sampleEnv is the environment of a server on the sample.
var sampleEnv = []string{"SECRET_KEY_BASE=" + sampleSecret}

// scene is a part of a story: what fails in it, fails as a test of its own.
func scene(t *testing.T, name string, cast []*person, play func(t *testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		for _, p := range cast {
			story := p.t
			p.t = t
			defer func() {
				if t.Failed() {
					p.keepsPicture()
				}
				p.t = story
			}()
		}
		play(t)
	})
}

func TestFirstRunThenSomebodyJoinsByTheLinkOfTheWelcome(t *testing.T) {
	t.Parallel()
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
	if ada.path() != bob.path() {
		t.Errorf("Ada is at %s, Bob at %s", ada.path(), bob.path())
	}

	bob.clicks("button", "Log out")
	bob.isAt("/session/new")
	defer bob.tolerates(`401`)()
	bob.fills("Email address", "bob@example.test")
	bob.fills("Password", "not that one")
	bob.clicks("button", "Go")
	bob.sees("[role=alert]", "")
	bob.fills("Email address", "bob@example.test")
	bob.fills("Password", "another sentence")
	bob.clicks("button", "Go")
	bob.isAt(`/rooms/\d+`)
	bob.reads("Hello Ada", "Hello Bob")
}

func TestTwoPeopleTalk(t *testing.T) {
	t.Parallel()
	s := serve(t, sample(t), sampleEnv)
	david, kevin := arrives(t, s, "david"), arrives(t, s, "kevin")
	cast := []*person{david, kevin}
	david.opens(quiet)
	kevin.opens(quiet)
	for _, p := range cast {
		p.stays("there are three streams", `document.querySelectorAll("turbo-cable-stream-source[connected]").length === 3`)
		p.stays("the composer has the focus", `document.querySelector("#composer lexxy-editor").contains(document.activeElement)`)
	}
	scene(t, "messages appear live, each once", cast, func(t *testing.T) { talkBothWays(t, david, kevin) })
	scene(t, "hostile markup is harmless", cast, func(t *testing.T) { sendHostileMarkup(t, david, kevin) })
	scene(t, "edit", cast, func(t *testing.T) { editLive(david, kevin) })
	scene(t, "edit the last with arrow up", cast, func(t *testing.T) { editLast(david, kevin) })
	scene(t, "delete", cast, func(t *testing.T) { deleteLive(david, kevin) })
	scene(t, "boosts", cast, func(t *testing.T) { boost(david, kevin) })
	scene(t, "keys of the composer", cast, func(t *testing.T) { pressEnter(t, david, kevin) })
	scene(t, "mention", cast, func(t *testing.T) { mention(david, kevin) })
	scene(t, "typing", cast, func(t *testing.T) { typing(david, kevin) })
	scene(t, "search", cast, func(t *testing.T) { search(t, david, kevin) })
	scene(t, "copied link", cast, func(t *testing.T) { copyLink(t, david) })
}

// talkBothWays watches every state of the sender's page: the message is pending
// first, then the server's, and never there twice.
func talkBothWays(t *testing.T, david, kevin *person) {
	const words = "Can you hear me?"
	ask[bool](david, `(list => {
		window.states = []
		const look = () => {
			const found = [...list.querySelectorAll(".message")].filter(message => message.textContent.includes(`+quoted(words)+`))
			window.states.push({ count: found.length, pending: found.filter(message => !message.dataset.messageId).length })
		}
		new MutationObserver(look).observe(list, { childList: true, subtree: true, attributes: true })
		return true
	})(document.querySelector(".messages"))`)
	david.says(words)
	kevin.reads(words)
	kevin.says("Loud and clear")
	david.reads(words, "Loud and clear")
	kevin.reads(words, "Loud and clear")
	type state struct{ Count, Pending int }
	pending := false
	for _, state := range ask[[]state](david, `window.states`) {
		pending = pending || state.Pending == 1
		if state.Count > 1 {
			t.Errorf("the message was there %d times at once", state.Count)
		}
	}
	if !pending {
		t.Error("the message was never shown as pending")
	}
	david.message(words).is("message--me")
	kevin.message(words).isNot("message--me")
}

func sendHostileMarkup(t *testing.T, david, kevin *person) {
	const hostile = `<p onclick="window.hacked=1">harmless words</p><img src="/logo-that-is-not" onerror="window.hacked=2">` +
		`<script>window.hacked=3</script><a href="javascript:window.hacked=4">a link</a><iframe srcdoc="<script>parent.hacked=5</script>"></iframe>` +
		`<svg onload="window.hacked=6"></svg><form name="body"><input name="attributes"></form><style>body{display:none}</style>`
	ask[bool](david, `(editor => { editor.value = `+quoted(hostile)+`; return true })(document.querySelector("lexxy-editor#message_body"))`)
	david.clicks("button", "Send Message")
	for _, p := range []*person{david, kevin} {
		p.reads("harmless words")
		p.stays("nothing was executed", `window.hacked === undefined`)
		p.stays("nothing dangerous is left", `!document.querySelector(".messages").querySelector("script, iframe, svg:not(.icon), form[name], input:not([type=hidden]), style, [onclick], [onerror], [onload], [href^='javascript:']")`)
	}
	kevin.opens(quiet)
	kevin.reads("harmless words")
	kevin.stays("nothing was executed after a reload either", `window.hacked === undefined`)
}

func editLive(david, kevin *person) {
	david.says("This has a mistaek")
	kevin.reads("This has a mistaek")
	message := david.message("This has a mistaek")
	message.opensMenu()
	message.clicks("link", "Edit")
	david.clicks("textbox", "Edit message")
	david.presses("a", kb.ModifierCtrl)
	david.types("This has no mistake")
	david.clicks("button", "Save changes")
	for _, p := range []*person{david, kevin} {
		p.reads("This has no mistake")
		p.seesNot(".messages > .message", "mistaek")
	}
	david.seesNot(".message__body-content--editing", "")
}

func editLast(david, kevin *person) {
	kevin.says("Kevin's is not David's")
	david.reads("Kevin's is not David's")
	david.clicks("textbox", "Write a message")
	david.presses(kb.ArrowUp)
	david.sees(".message__body-content--editing", "This has no mistake")
	david.until("the editor has the focus", `document.querySelector(".message__body-content--editing lexxy-editor")?.contains(document.activeElement)`)
	david.presses(kb.Escape)
	david.seesNot(".message__body-content--editing", "")
	david.reads("This has no mistake")
	// With something written, the key only moves in it.
	david.writes("a draft")
	david.presses(kb.ArrowUp)
	david.stays("no edit form opens over a draft", `!document.querySelector(".message__body-content--editing") && !document.querySelector("turbo-frame[aria-busy]")`)
	david.presses(kb.Enter)
	kevin.reads("a draft")
}

func deleteLive(david, kevin *person) {
	david.says("Better forget this")
	kevin.reads("Better forget this")
	message := david.message("Better forget this")
	message.opensMenu()
	message.clicks("link", "Edit")
	david.confirms(func() { david.clicks("button", "Delete message") })
	david.seesNot(".messages > .message", "Better forget this")
	kevin.seesNot(".messages > .message", "Better forget this")
}

func boost(david, kevin *person) {
	kevin.says("I made a cake")
	david.reads("I made a cake")
	message := david.message("I made a cake")
	message.opensMenu()
	message.clicks("button", "Thumbs up")
	kevin.message("I made a cake").seesTimes(1, ".boost", "👍")
	message.seesTimes(1, ".boost", "👍")
	message.seesNot(".message__actions-menu", "")
	message.opensMenu()
	message.clicks("link", "New boost")
	message.fills("Add a boost", "Yummy")
	message.clicks("button", "Submit")
	for _, p := range []*person{david, kevin} {
		p.message("I made a cake").seesTimes(1, ".boost", "Yummy")
		p.message("I made a cake").seesTimes(2, ".boosts .boost-item", "")
	}
	// Only one's own can be taken back.
	kevin.stays("somebody else's boost is no button", `!document.querySelector(".boost [role=button]")`)
	message.clicksOn(".boost:not(:has(+ .boost)) [role=button]")
	message.clicks("button", "Delete this boost")
	for _, p := range []*person{david, kevin} {
		p.message("I made a cake").seesTimes(1, ".boosts .boost-item", "")
	}
}

func pressEnter(t *testing.T, david, kevin *person) {
	david.writes("first line")
	david.presses(kb.Enter, kb.ModifierShift)
	david.types("second line")
	david.presses(kb.Enter)
	kevin.reads("first line")
	if text := ask[string](kevin, kevin.message("first line").js+`.querySelector("[data-messages-target=body]").innerText`); text != "first line\nsecond line" {
		t.Errorf("two lines are %q", text)
	}
	// Nothing but spaces is nothing.
	david.clicks("textbox", "Write a message")
	david.types("   ")
	david.presses(kb.Enter)
	// With the toolbar open, Enter is a line and Ctrl+Enter sends.
	david.clicks("button", "Rich text")
	david.in("#composer").is("composer--rich-text")
	david.writes("rich line")
	david.presses(kb.Enter)
	david.types("another line")
	david.until("Enter made a line", `document.querySelector("#composer lexxy-editor").toString().trim().split("\n").length > 1`)
	david.presses(kb.Enter, kb.ModifierCtrl)
	david.reads("rich line")
	kevin.reads("another line")
	david.in("#composer").isNot("composer--rich-text")
	david.stays("nothing was sent besides", `[...document.querySelectorAll(".messages > .message")].every(message => message.querySelector("[data-messages-target=body]").textContent.trim())`)
}

func mention(david, kevin *person) {
	kevin.clicks("textbox", "Write a message")
	kevin.types("Look here, ")
	kevin.presses("@dav")
	kevin.sees(".lexxy-prompt-menu__item", "David")
	kevin.until("every letter was heard", `document.querySelectorAll(".lexxy-prompt-menu__item").length === 1`)
	kevin.presses(kb.Enter)
	kevin.until("the mention is in the editor", `document.querySelector("#composer lexxy-editor").value.includes("application/vnd.campfire.mention")`)
	kevin.presses(kb.Enter)
	david.reads("Look here")
	david.message("Look here").is("message--mentioned")
	david.message("Look here").sees(".mention", "David")
	kevin.reads("Look here")
	kevin.message("Look here").sees(".mention", "David")
	kevin.message("Look here").isNot("message--mentioned")
}

func typing(david, kevin *person) {
	const shown = ".typing-indicator--active .typing-indicator__author"
	david.writes("I am thinking")
	kevin.sees(shown, "David")
	david.stays("one does not see oneself write", `!document.querySelector(".typing-indicator--active")`)
	david.presses(kb.Enter)
	kevin.reads("I am thinking")
	kevin.seesNot(".typing-indicator--active", "")
	// Who just stops is forgotten after a while.
	david.writes("Hm")
	kevin.sees(shown, "David")
	kevin.seesNot(".typing-indicator--active", "")
	david.presses("a", kb.ModifierCtrl)
	david.presses(kb.Backspace)
}

func search(t *testing.T, david, kevin *person) {
	david.says("The lighthouse keeper found ambergris")
	kevin.reads("ambergris")
	kevin.clicks("link", "Search")
	kevin.isAt("/searches")
	kevin.waitFor("the search field", func() error {
		node, err := kevin.find("searchbox", "search")
		if err != nil {
			return err
		}
		return kevin.on(node, `function() { this.focus() }`)
	})
	kevin.types("keepers ambergris")
	kevin.presses(kb.Enter)
	kevin.isAt(`/searches\?q=keepers\+ambergris`)
	kevin.seesTimes(1, "#search-results > .message", "")
	kevin.seesTimes(1, "#search-results > .message", "lighthouse keeper")
	if marked := ask[string](kevin, `[...document.querySelectorAll("#search-results mark")].map(mark => mark.textContent).join(" ")`); marked != "keeper ambergris" {
		t.Errorf("marked words: %q", marked)
	}
	kevin.clicks("link", "Exit search")
	kevin.isAt(quiet)
}

func copyLink(t *testing.T, david *person) {
	david.allows("clipboard-write")
	david.allows("clipboard-read")
	message := david.message("I made a cake")
	message.opensMenu()
	message.clicks("button", "Copy link")
	message.in("[data-controller~=copy-to-clipboard]").is("btn--success")
	link := ask[string](david, `navigator.clipboard.readText()`)
	id := ask[string](david, message.js+`.dataset.messageId`)
	if want := fmt.Sprintf("%s%s/@%s", david.server.URL, quiet, id); link != want {
		t.Fatalf("copied %s, want %s", link, want)
	}
	david.opens(link)
	david.message("I made a cake").is("search-highlight")
	david.seesTimes(1, ".search-highlight", "")
}
