package main

import (
	"context"
	"fmt"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// patience is how long people wait for anything to show. It is long because
// machines that test are slow; nothing waits longer than it has to.
const patience = 40 * time.Second

// callPatience is how long the browser itself may take to answer.
const callPatience = 20 * time.Second

// chromium is the one browser of the whole test run. It starts when a story
// first needs it, and TestMain ends it.
var chromium struct {
	once   sync.Once
	ctx    context.Context
	cancel context.CancelFunc
	err    error
}

func startChromium() (context.Context, error) {
	chromium.once.Do(func() {
		options := append(chromedp.DefaultExecAllocatorOptions[:],
			chromedp.NoSandbox,
			chromedp.DisableGPU,
			chromedp.WindowSize(1280, 800),
			chromedp.Flag("disable-quic", true),
			chromedp.Flag("disable-component-update", true),
			chromedp.Flag("lang", "en-US"),
			chromedp.Flag("font-render-hinting", "none"),
			chromedp.WSURLReadTimeout(time.Minute),
		)
		allocator, cancelAllocator := chromedp.NewExecAllocator(context.Background(), options...)
		ctx, cancel := chromedp.NewContext(allocator)
		chromium.ctx = ctx
		chromium.cancel = func() { cancel(); cancelAllocator() }
		_, chromium.err = chromedp.Run(ctx, chromedp.Evaluate[int]("1"))
	})
	if chromium.err != nil {
		return nil, fmt.Errorf("start chromium (script/need test installs it): %w", chromium.err)
	}
	return chromium.ctx, nil
}

func stopChromium() {
	if chromium.cancel != nil {
		chromium.cancel()
	}
}

// person sits at a browser of their own, with one page open. Methods fail the
// test when what they wait for doesn't come; only the test's goroutine may call them.
type person struct {
	place // the whole page

	t       *testing.T
	name    string
	ctx     context.Context // of the tab
	server  *server
	trouble trouble
}

// visits opens a browser without any cookie. What goes wrong on its pages
// fails the test, unless somebody expects it.
func visits(t *testing.T, s *server, name string) *person {
	t.Helper()
	parent, err := startChromium()
	if err != nil {
		t.Fatal(err)
	}
	p := &person{t: t, name: name, server: s}
	p.place = place{p: p, js: "document"}
	var cancel context.CancelFunc
	p.ctx, cancel = chromedp.NewContext(parent, chromedp.WithNewBrowserContext(), chromedp.WithListener(p.hears))
	t.Cleanup(func() {
		p.leaves()
		cancel()
	})
	p.trouble.answerDialog = func(accept bool) {
		go chromedp.Call(p.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: accept})
	}
	// The tab lives as long as the context of what is done in it first.
	if _, err := chromedp.Run(p.ctx, chromedp.Navigate("about:blank")); err != nil {
		t.Fatalf("open a tab for %s: %v", name, err)
	}
	call(p, "focus", command(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}))
	return p
}

// arrives is visits by somebody of the sample, who is signed in.
func arrives(t *testing.T, s *server, name string) *person {
	t.Helper()
	p := visits(t, s, name)
	cookie, known := labels(t)["cookies."+name].(string)
	if !known {
		t.Fatalf("the sample has no cookie of %s", name)
	}
	key, value, _ := strings.Cut(cookie, "=")
	call(p, "cookie", command(network.SetCookie, network.SetCookieParams{Name: key, Value: value, URL: s.URL}))
	return p
}

// leaves looks back at the end of a story.
func (p *person) leaves() {
	for _, problem := range p.trouble.all() {
		p.t.Errorf("%s's page had trouble: %s", p.name, problem)
	}
	if p.t.Failed() {
		p.keepsPicture()
	}
}

// opens goes to a path of the server, or to a whole address, and waits until the page has come to rest.
func (p *person) opens(path string) {
	p.t.Helper()
	address, err := url.JoinPath(p.server.URL, "/")
	if err != nil {
		p.t.Fatal(err)
	}
	if !strings.HasPrefix(path, "http") {
		path = strings.TrimSuffix(address, "/") + path
	}
	call(p, "open "+path, chromedp.Navigate(path))
	p.settles()
}

// settles waits until nothing is under way any more: no load, no form, no
// frame, and the page's streams are confirmed.
func (p *person) settles() {
	p.t.Helper()
	p.until("the page is at rest", `document.readyState === "complete" && !document.querySelector("[aria-busy=true]") &&
		[...document.querySelectorAll("turbo-cable-stream-source")].every(source => source.hasAttribute("connected")) &&
		[...document.querySelectorAll("#user_sidebar[src]")].every(frame => frame.hasAttribute("complete")) &&
		[...document.querySelectorAll("lexxy-editor")].every(editor => editor.editor) &&
		[...document.querySelectorAll("#message-area .message[data-message-id]:not(.message--failed)")].every(message => message.classList.contains("message--formatted"))`)
}

// isAt waits until the page's address matches, as a regular expression.
func (p *person) isAt(pattern string) {
	p.t.Helper()
	p.until("the address matches "+pattern, `new RegExp(`+quoted("^"+pattern+"$")+`).test(location.pathname + location.search) && document.readyState === "complete"`)
	p.settles()
}

// path is where the page is.
func (p *person) path() string {
	p.t.Helper()
	return ask[string](p, `location.pathname`)
}

// sized gives the window a size, as of a phone.
func (p *person) sized(width, height int64) {
	p.t.Helper()
	call(p, "size", chromedp.EmulateViewport(width, height))
}

// allows grants a permission of the browser, such as "clipboard-write".
func (p *person) allows(permission string) {
	p.t.Helper()
	_, err := chromedp.CallBrowser(p.ctx, browser.SetPermission, browser.SetPermissionParams{
		Permission:       &browser.PermissionDescriptor{Name: permission},
		Setting:          browser.PermissionSettingGranted,
		Origin:           p.server.URL,
		BrowserContextID: chromedp.FromContext(p.ctx).BrowserContextID,
	})
	if err != nil {
		p.t.Fatalf("allow %s: %v", permission, err)
	}
}
