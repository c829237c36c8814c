package main

import (
	"encoding/json"
	"fmt"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp/kb"
)

// place is a part of a page, in which somebody looks and clicks.
type place struct {
	p  *person
	js string // an expression for the element, null while it isn't there
}

// in is the first element that a selector finds.
func (l place) in(selector string) place {
	return place{l.p, `(` + l.js + `)?.querySelector(` + quoted(selector) + `)`}
}

// message is the last message whose text contains the words.
func (p *person) message(words string) place {
	return place{p, `[...document.querySelectorAll(".messages > .message[data-user-id]")].findLast(message =>
		message.querySelector("[data-messages-target=body]")?.textContent.includes(` + quoted(words) + `))`}
}

func quoted(text string) string {
	literal, err := json.Marshal(text)
	if err != nil {
		panic(err) // text is always a string
	}
	return string(literal)
}

// Looking

// until waits for an expression to become true.
func (p *person) until(what, js string) {
	p.t.Helper()
	p.waitFor(what, func() error {
		holds, err := eval[bool](p, `Boolean(`+js+`)`)
		if err == nil && !holds {
			err = errNotYet
		}
		return err
	})
}

// stays checks that an expression is true now, without waiting.
func (p *person) stays(what, js string) {
	p.t.Helper()
	if !ask[bool](p, `Boolean(`+js+`)`) {
		p.t.Fatalf("%s: not so any more: %s", p.name, what)
	}
}

// sees waits until one element of the place that a selector finds is visible
// and contains the words, which may be empty.
func (l place) sees(selector, words string) {
	l.p.t.Helper()
	l.p.until(fmt.Sprintf("sees %s with %q", selector, words), l.visible(selector, words)+`.length > 0`)
}

// seesNot waits until no such element is visible.
func (l place) seesNot(selector, words string) {
	l.p.t.Helper()
	l.p.until(fmt.Sprintf("sees no %s with %q", selector, words), l.visible(selector, words)+`.length === 0`)
}

// seesTimes waits until exactly n such elements are visible.
func (l place) seesTimes(n int, selector, words string) {
	l.p.t.Helper()
	l.p.until(fmt.Sprintf("sees %s with %q exactly %d times", selector, words, n), fmt.Sprintf(`%s.length === %d`, l.visible(selector, words), n))
}

func (l place) visible(selector, words string) string {
	return `[...((` + l.js + `)?.querySelectorAll(` + quoted(selector) + `) ?? [])].filter(element =>
		element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) && element.textContent.includes(` + quoted(words) + `))`
}

// is waits until the place exists and has the class.
func (l place) is(class string) {
	l.p.t.Helper()
	l.p.until("is "+class, `(`+l.js+`)?.classList.contains(`+quoted(class)+`)`)
}

// isNot waits until the place exists and doesn't have the class.
func (l place) isNot(class string) {
	l.p.t.Helper()
	l.p.until("is not "+class, `(`+l.js+`)?.classList.contains(`+quoted(class)+`) === false`)
}

// Doing

// clicks presses the mouse on the one visible thing of that role and
// accessible name, when it has come to rest and nothing covers it.
func (l place) clicks(role, name string) {
	l.p.t.Helper()
	l.p.waitFor(fmt.Sprintf("clicks %s %q", role, name), func() error {
		node, err := l.find(role, name)
		if err != nil {
			return err
		}
		return l.p.clickNode(node)
	})
}

// clicksOn presses the mouse on what a selector finds, for what has no name of its own.
func (l place) clicksOn(selector string) {
	l.p.t.Helper()
	l.p.waitFor("clicks on "+selector, func() error {
		node, err := l.in(selector).node()
		if err != nil {
			return err
		}
		return l.p.clickNode(node)
	})
}

// fills puts a text into the field with that accessible name, in place of what it held.
func (l place) fills(name, text string) {
	l.p.t.Helper()
	l.p.waitFor(fmt.Sprintf("fills %q", name), func() error {
		node, err := l.find("textbox", name)
		if err != nil {
			return err
		}
		return l.p.on(node, `function() { this.focus(); this.select?.() }`)
	})
	l.p.types(text)
}

// hovers moves the mouse over the place.
func (l place) hovers() {
	l.p.t.Helper()
	l.p.waitFor("moves the mouse", func() error {
		node, err := l.node()
		if err != nil {
			return err
		}
		x, y, err := l.p.pointOf(node)
		if err != nil {
			return err
		}
		return l.p.mouse(input.DispatchMouseEventTypeMouseMoved, x, y)
	})
}

// opensMenu opens the menu of a message.
func (l place) opensMenu() {
	l.p.t.Helper()
	l.in(".message__body").hovers()
	l.clicks("DisclosureTriangle", "Message options")
	l.sees(".message__actions-menu", "")
}

// types writes into what has the focus, all at once as a paste of plain text does.
func (p *person) types(text string) {
	p.t.Helper()
	call(p, "type", command(input.InsertText, input.InsertTextParams{Text: text}))
}

// presses hits keys one after another: characters, or names as in kb.Enter.
func (p *person) presses(keys string, modifiers ...kb.Modifier) {
	p.t.Helper()
	for _, key := range keys {
		for _, event := range strokes(key, modifiers) {
			call(p, "press", command(input.DispatchKeyEvent, event))
		}
	}
}

// strokes are one key going down and up. The text goes with the first, as it
// does from a keyboard: whoever prevents the key prevents its text.
func strokes(key rune, modifiers []kb.Modifier) []input.DispatchKeyEventParams {
	var held kb.Modifier
	for _, modifier := range modifiers {
		held |= modifier
	}
	encoded := kb.Encode(key)
	down, up := *encoded[0], *encoded[len(encoded)-1]
	down.Modifiers |= held.Int64()
	up.Modifiers |= held.Int64()
	if len(encoded) == 3 && held&^kb.ModifierShift == 0 {
		down.Text, down.UnmodifiedText = encoded[1].Text, encoded[1].UnmodifiedText
	}
	return []input.DispatchKeyEventParams{down, up}
}

// says writes a message in the composer and sends it with Enter; it is there
// when the server has it.
func (p *person) says(text string) {
	p.t.Helper()
	p.writes(text)
	p.presses(kb.Enter)
	p.sees(".messages > .message[data-message-id] [data-messages-target=body]", text)
}

// writes puts a text into the composer, without sending it.
func (p *person) writes(text string) {
	p.t.Helper()
	p.clicks("textbox", "Write a message")
	p.types(text)
	p.until("the editor holds it", `document.querySelector("#composer lexxy-editor").toString().includes(`+quoted(text)+`)`)
}

// reads waits for a message that the server has, shown exactly once.
func (p *person) reads(texts ...string) {
	p.t.Helper()
	for _, text := range texts {
		p.seesTimes(1, ".messages > .message[data-message-id] [data-messages-target=body]", text)
		p.seesTimes(1, ".messages > .message [data-messages-target=body]", text)
	}
}
