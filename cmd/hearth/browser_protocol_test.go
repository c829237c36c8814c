package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

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
