package richtext

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/microcosm-cc/bluemonday"
	"golang.org/x/net/html"
)

// The oracle is a second opinion on what is safe: bluemonday, a sanitizer that
// knows nothing of our code, with a policy written out here by hand. What we
// render must pass through it unchanged, token by token.
var oracle = sync.OnceValue(func() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	names := strings.Fields(`a abbr acronym address b big blockquote br cite code dd del dfn div dl dt em h1 h2 h3 h4 h5 h6
		hr i ins kbd li mark ol p pre s samp small span strong sub sup time tt u ul var actiontext-opengraph-embed img`)
	p.AllowElements(names...)
	p.AllowNoAttrs().OnElements(names...)
	p.AllowAttrs("class", "title", "lang").Globally()
	link := regexp.MustCompile(`^(?i:https?|mailto|tel|sms|ftp|sftp|ssh|irc|xmpp|webcal|magnet|news|feed|callto):[^\x00-\x1f\x7f]*$|^[^:\x00-\x1f\x7f]*$|^[^:/?#\x00-\x1f\x7f]*[/?#][^\x00-\x1f\x7f]*$`)
	p.AllowAttrs("href").Matching(link).OnElements("a")
	p.AllowAttrs("cite").Matching(link).OnElements("blockquote", "del", "ins")
	p.AllowAttrs("target").Matching(regexp.MustCompile(`^_blank$`)).OnElements("a")
	p.AllowAttrs("rel").Matching(regexp.MustCompile(`^noopener noreferrer$`)).OnElements("a")
	p.AllowAttrs("data-turbo-frame").Matching(regexp.MustCompile(`^_top$`)).OnElements("a")
	p.AllowAttrs("datetime").OnElements("del", "ins", "time")
	p.AllowAttrs("data-language").OnElements("code", "pre")
	p.AllowAttrs("sgid").OnElements("span")
	p.AllowAttrs("src").Matching(regexp.MustCompile(`^(?i:https?)://[^\x00-\x1f\x7f]*$|^/users/`)).OnElements("img")
	p.AllowAttrs("alt").Matching(regexp.MustCompile(`^$`)).OnElements("img")
	p.AllowAttrs("aria-hidden", "loading", "referrerpolicy").Matching(regexp.MustCompile(`^[a-z-]+$`)).OnElements("img")
	p.RequireParseableURLs(false)
	return p
})

// unsafe says what the oracle objects to; empty means nothing.
func unsafe(out string) string {
	if !utf8.ValidString(out) {
		return "not UTF-8"
	}
	ours, theirs := tokensOf(out), tokensOf(oracle().Sanitize(out))
	for i := range min(len(ours), len(theirs)) {
		if ours[i] != theirs[i] {
			return fmt.Sprintf("token %d is %s, the oracle leaves %s", i, ours[i], theirs[i])
		}
	}
	if len(ours) != len(theirs) {
		return fmt.Sprintf("%d tokens, the oracle leaves %d", len(ours), len(theirs))
	}
	return ""
}

// tokensOf lists tags and runs of text, the attributes of a tag in order.
func tokensOf(text string) (list []string) {
	tokens := html.NewTokenizer(strings.NewReader(text))
	for tokens.Next() != html.ErrorToken {
		token := tokens.Token()
		var attributes []string
		for _, a := range token.Attr {
			attributes = append(attributes, fmt.Sprintf("%s=%q", a.Key, a.Val))
		}
		slices.Sort(attributes)
		list = append(list, fmt.Sprintf("%v %q %s", token.Type, token.Data, strings.Join(attributes, " ")))
	}
	return list
}

// misnested says where an end tag doesn't close what is open, or what a browser
// leaves open; empty means nowhere.
func misnested(out string) string {
	var open []string
	tokens := html.NewTokenizer(strings.NewReader(out))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			if len(open) > 0 {
				return fmt.Sprintf("%v left open", open)
			}
			return ""
		case html.StartTagToken:
			name, _ := tokens.TagName()
			if tagCosts[string(name)] != voidTag {
				open = append(open, string(name))
			}
		case html.EndTagToken:
			name, _ := tokens.TagName()
			if len(open) == 0 || open[len(open)-1] != string(name) {
				return fmt.Sprintf("</%s> while %v are open", name, open)
			}
			open = open[:len(open)-1]
		}
	}
}

func TestTheOracleObjects(t *testing.T) {
	for _, hostile := range []string{
		`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `<a href="javascript:alert(1)">x</a>`, `<a href=" java&#10;script:alert(1)">x</a>`,
		`<p onclick="x">y</p>`, `<p id="x">y</p>`, `<a name="x">y</a>`, `<p style="x">y</p>`, `<svg></svg>`, `<form></form>`, `<iframe src="https://x"></iframe>`,
		`<img src="data:image/png;base64,AA">`, `<a href="data:text/html,x">y</a>`, `<!-- x -->`, `<action-text-attachment></action-text-attachment>`,
		`<p data-controller="x">y</p>`, `<a target="x" href="/">y</a>`, "\xff",
	} {
		if unsafe(hostile) == "" {
			t.Errorf("the oracle lets %s pass", hostile)
		}
	}
	if misnested("<p><b></p></b>") == "" || misnested("<p>") == "" || misnested("</p>") == "" {
		t.Error("wrong nesting is not noticed")
	}
	if why := unsafe(`<p class="a" title="b">x &amp; y <a href="https://x.test/?a=1&amp;b" target="_blank" rel="noopener noreferrer">z</a><br></p>`); why != "" {
		t.Errorf("the oracle objects to harmless markup: %s", why)
	}
}
