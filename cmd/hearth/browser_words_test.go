package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
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

// Below the words

var errNotYet = errors.New("not yet")

// waitFor tries until it works or patience ends.
func (p *person) waitFor(what string, try func() error) {
	p.t.Helper()
	deadline := time.Now().Add(patience)
	tick := time.NewTicker(25 * time.Millisecond)
	defer tick.Stop()
	for {
		err := try()
		if err == nil {
			return
		}
		if time.Now().After(deadline) {
			p.t.Fatalf("%s waited %v in vain, at %s: %s: %v", p.name, patience, p.whereabouts(), what, err)
		}
		select {
		case <-tick.C:
		case <-p.t.Context().Done():
			p.t.Fatal(p.t.Context().Err())
		}
	}
}

func (p *person) whereabouts() string {
	address, err := eval[string](p, `location.href`)
	if err != nil {
		return err.Error()
	}
	return address
}

// find is the one thing of a role and name that isn't hidden.
func (l place) find(role, name string) (cdp.BackendNodeID, error) {
	scope, err := l.object()
	if err != nil {
		return 0, err
	}
	found, err := do(l.p, command(accessibility.QueryAXTree, accessibility.QueryAXTreeParams{ObjectID: scope, Role: role, AccessibleName: name}))
	if err != nil {
		return 0, err
	}
	var nodes []cdp.BackendNodeID
	for _, node := range found.Nodes {
		if !node.Ignored {
			nodes = append(nodes, node.BackendDOMNodeID)
		}
	}
	if len(nodes) != 1 {
		return 0, fmt.Errorf("there are %d visible things of role %s named %q", len(nodes), role, name)
	}
	return nodes[0], nil
}

func (l place) object() (runtime.RemoteObjectID, error) {
	object, err := do(l.p, chromedp.Evaluate[*runtime.RemoteObject](l.js))
	if err != nil {
		return "", err
	}
	if object.ObjectID == "" {
		return "", errNotYet
	}
	return object.ObjectID, nil
}

func (l place) node() (cdp.BackendNodeID, error) {
	object, err := l.object()
	if err != nil {
		return 0, err
	}
	described, err := do(l.p, command(dom.DescribeNode, dom.DescribeNodeParams{ObjectID: object}))
	if err != nil {
		return 0, err
	}
	return described.Node.BackendNodeID, nil
}

// pointOf scrolls a node into view and finds its middle, at rest.
func (p *person) pointOf(node cdp.BackendNodeID) (x, y float64, err error) {
	if _, err := do(p, command(dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: node})); err != nil {
		return 0, 0, err
	}
	x, y, err = p.middle(node)
	if err != nil {
		return 0, 0, err
	}
	if _, err := eval[bool](p, `new Promise(resolve => requestAnimationFrame(() => resolve(true)))`); err != nil {
		return 0, 0, err
	}
	againX, againY, err := p.middle(node)
	if err == nil && (againX != x || againY != y) {
		err = errors.New("it is moving")
	}
	return x, y, err
}

func (p *person) middle(node cdp.BackendNodeID) (x, y float64, err error) {
	box, err := do(p, command(dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: node}))
	if err != nil {
		return 0, 0, err
	}
	if len(box.Quads) == 0 {
		return 0, 0, errors.New("it has no box")
	}
	quad := box.Quads[0]
	return (quad[0] + quad[4]) / 2, (quad[1] + quad[5]) / 2, nil
}

func (p *person) clickNode(node cdp.BackendNodeID) error {
	x, y, err := p.pointOf(node)
	if err != nil {
		return err
	}
	if err := p.mouse(input.DispatchMouseEventTypeMouseMoved, x, y); err != nil {
		return err
	}
	covered := fmt.Sprintf(`function() {
		const hit = document.elementFromPoint(%f, %f)
		if (!hit || !(this.contains(hit) || hit.closest("label")?.contains(this))) throw new Error("covered by " + (hit?.outerHTML.slice(0, 200) ?? "nothing"))
	}`, x, y)
	if err := p.on(node, covered); err != nil {
		return err
	}
	if err := p.mouse(input.DispatchMouseEventTypeMousePressed, x, y); err != nil {
		return err
	}
	// From here on there is no second try: the click may have taken the node away.
	if err := p.mouse(input.DispatchMouseEventTypeMouseReleased, x, y); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		p.t.Logf("%s: releasing the mouse: %v", p.name, err)
	}
	return nil
}

func (p *person) mouse(kind input.DispatchMouseEventType, x, y float64) error {
	event := input.DispatchMouseEventParams{Type: kind, X: x, Y: y}
	if kind != input.DispatchMouseEventTypeMouseMoved {
		event.Button, event.ClickCount = input.MouseButtonLeft, 1
	}
	_, err := do(p, command(input.DispatchMouseEvent, event))
	return err
}

// on calls a function of the page with a node as its this.
func (p *person) on(node cdp.BackendNodeID, function string) error {
	resolved, err := do(p, command(dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node}))
	if err != nil {
		return err
	}
	result, err := do(p, command(runtime.CallFunctionOn, runtime.CallFunctionOnParams{FunctionDeclaration: function, ObjectID: resolved.Object.ObjectID}))
	if err == nil && result.ExceptionDetails != nil {
		err = &chromedp.ExceptionError{ExceptionDetails: result.ExceptionDetails}
	}
	return err
}

// command makes an action of one command of the protocol.
func command[P, R any](cmd cdp.Command[P, R], params P) chromedp.Action[R] {
	return func(ctx context.Context, t *chromedp.Target) (R, error) { return cdp.Call(ctx, t, cmd, params) }
}

// do does an action, and gives the browser limited time for it.
func do[R any](p *person, action chromedp.Action[R]) (R, error) {
	ctx, cancel := context.WithTimeout(p.ctx, callPatience)
	defer cancel()
	return chromedp.Run(ctx, action)
}

// call is do for what has to work.
func call[R any](p *person, what string, action chromedp.Action[R]) R {
	p.t.Helper()
	result, err := do(p, action)
	if err != nil {
		p.t.Fatalf("%s: %s: %v", p.name, what, err)
	}
	return result
}

// eval is the value of an expression or of its promise.
func eval[R any](p *person, js string) (R, error) {
	return do(p, chromedp.Evaluate[R](js, chromedp.EvalAwaitPromise))
}

// ask is eval for what has to work.
func ask[R any](p *person, js string) R {
	p.t.Helper()
	return call(p, "ask "+js, chromedp.Evaluate[R](js, chromedp.EvalAwaitPromise))
}
