package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// trouble is what went wrong on a page: console errors, errors that nothing
// caught, answers of 400 and more, answers that didn't come, and dialogs that
// nobody expected.
type trouble struct {
	answerDialog func(accept bool)

	mu        sync.Mutex // guards what follows; the browser reports from its own goroutine
	problems  []string
	tolerated []*regexp.Regexp
	confirms  int      // dialogs that are to be accepted
	asked     []string // what accepted dialogs asked
	addresses map[network.RequestID]string
}

// outage matches what pages say while the server is away.
const outage = `^(no answer|console: (WebSocket connection to .* failed|Failed to load resource: net::ERR_))`

// tolerates lets problems that match the pattern pass until the returned
// function is called.
func (p *person) tolerates(pattern string) (end func()) {
	expression := regexp.MustCompile(pattern)
	p.trouble.mu.Lock()
	defer p.trouble.mu.Unlock()
	p.trouble.tolerated = append(p.trouble.tolerated, expression)
	return func() {
		p.trouble.mu.Lock()
		defer p.trouble.mu.Unlock()
		for i, one := range p.trouble.tolerated {
			if one == expression {
				p.trouble.tolerated = append(p.trouble.tolerated[:i:i], p.trouble.tolerated[i+1:]...)
				return
			}
		}
	}
}

// confirms says yes to the next dialog, which has to come by the end of doing.
func (p *person) confirms(doing func()) {
	p.t.Helper()
	p.trouble.mu.Lock()
	p.trouble.confirms++
	before := len(p.trouble.asked)
	p.trouble.mu.Unlock()
	doing()
	p.waitFor("is asked to confirm", func() error {
		p.trouble.mu.Lock()
		defer p.trouble.mu.Unlock()
		if len(p.trouble.asked) == before {
			return errNotYet
		}
		return nil
	})
}

func (t *trouble) add(format string, args ...any) {
	problem := fmt.Sprintf(format, args...)
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, fine := range t.tolerated {
		if fine.MatchString(problem) {
			return
		}
	}
	t.problems = append(t.problems, problem)
}

func (t *trouble) all() []string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return append([]string(nil), t.problems...)
}

// hears takes everything that the browser tells about the page. It runs in the
// goroutine that reads from the browser, so it asks the browser nothing.
func (p *person) hears(event any) {
	switch event := event.(type) {
	case *runtime.EventExceptionThrown:
		p.trouble.add("error that nothing caught: %v", &chromedp.ExceptionError{ExceptionDetails: event.ExceptionDetails})
	case *runtime.EventConsoleAPICalled:
		if event.Type == runtime.ConsoleAPICalledTypeError || event.Type == runtime.ConsoleAPICalledTypeAssert {
			p.trouble.add("console: %s", spoken(event.Args))
		}
	case *log.EventEntryAdded:
		if event.Entry.Level == log.EntryLevelError {
			p.trouble.add("console: %s (%s)", event.Entry.Text, event.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		p.trouble.asks(event.RequestID, event.Request.URL)
	case *network.EventResponseReceived:
		if event.Response.Status >= 400 {
			p.trouble.add("answer %d to %s", event.Response.Status, event.Response.URL)
		}
	case *network.EventLoadingFailed:
		if !event.Canceled && event.ErrorText != "net::ERR_ABORTED" {
			p.trouble.add("no answer to %s: %s %s", p.trouble.address(event.RequestID), event.ErrorText, event.BlockedReason)
		}
	case *page.EventJavascriptDialogOpening:
		p.trouble.dialog(event)
	}
}

func (t *trouble) asks(id network.RequestID, url string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.addresses == nil {
		t.addresses = map[network.RequestID]string{}
	}
	t.addresses[id] = url
}

func (t *trouble) address(id network.RequestID) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.addresses[id]
}

func (t *trouble) dialog(event *page.EventJavascriptDialogOpening) {
	t.mu.Lock()
	expected := t.confirms > 0 && event.Type == page.DialogTypeConfirm
	if expected {
		t.confirms--
		t.asked = append(t.asked, event.Message)
	}
	t.mu.Unlock()
	if !expected {
		t.add("dialog that nobody expected: %s %q", event.Type, event.Message)
	}
	t.answerDialog(expected)
}

func spoken(args []*runtime.RemoteObject) string {
	var words []string
	for _, arg := range args {
		if arg.Description != "" {
			words = append(words, arg.Description)
		} else {
			words = append(words, string(arg.Value))
		}
	}
	return strings.Join(words, " ")
}

// keepsPicture saves what the person sees, for whoever looks into the failure.
func (p *person) keepsPicture() {
	ctx, cancel := context.WithTimeout(p.ctx, 10*time.Second)
	defer cancel()
	picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		p.t.Logf("no picture of %s's page: %v", p.name, err)
		return
	}
	path := filepath.Join(failureDir(p.t), p.name+".png")
	if err := os.WriteFile(path, picture, 0o644); err != nil {
		p.t.Logf("no picture of %s's page: %v", p.name, err)
		return
	}
	p.t.Logf("what %s saw at last: %s", p.name, path)
}

// failureDir keeps what a failed test leaves: where go test -artifacts wants
// it, else in a folder for temporary files.
func failureDir(t *testing.T) string {
	if asked := flag.Lookup("test.artifacts"); asked != nil && asked.Value.String() == "true" {
		return t.ArtifactDir()
	}
	dir, err := os.MkdirTemp("", "hearth-"+strings.ReplaceAll(t.Name(), "/", "-")+"-")
	if err != nil {
		t.Logf("no folder for pictures: %v", err)
	}
	return dir
}

// TestTroubleOfAPageIsNoticed proves that stories would fail on it.
func TestTroubleOfAPageIsNoticed(t *testing.T) {
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/" {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Security-Policy", "script-src 'self' 'unsafe-inline'; style-src 'none'")
		io.WriteString(w, `<!doctype html><title>Trouble</title><link rel="icon" href="data:,"><img src="/missing.png"><style>p { color: red }</style>
			<script>console.error("spilled", { milk: 1 }); Promise.reject(new Error("rejected")); alert("boo"); undefinedFunction()</script>`)
	}))
	t.Cleanup(site.Close)
	p := visits(t, &server{URL: site.URL}, "somebody")
	p.opens("/")
	for _, want := range []string{`console: "spilled" Object`, "answer 404 to .*/missing.png", "console: .*404", "rejected", "undefinedFunction", `dialog that nobody expected: alert "boo"`, "Content Security Policy"} {
		p.waitFor("the browser tells of "+want, func() error {
			for _, problem := range p.trouble.all() {
				if regexp.MustCompile(want).MatchString(problem) {
					return nil
				}
			}
			return fmt.Errorf("only of %q", p.trouble.all())
		})
	}
	p.trouble.mu.Lock()
	p.trouble.problems = nil
	p.trouble.mu.Unlock()
}
