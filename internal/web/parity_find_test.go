package web_test

import (
	"strings"
	"testing"

	"golang.org/x/net/html"
)

const sampleControls = `<!doctype html><title>t</title><body>
<form id="f"><label for="a">Your <b>name</b></label><input id="a" placeholder="Name">
<input id="b" placeholder="Only this"><input id="c" title="By title" placeholder="Name">
<label>Wrapped <input id="d" type="checkbox"></label><label aria-label="Spoken"><input id="e"></label>
<input id="g" aria-labelledby="l1 l2" aria-label="not this"><span id="l1" hidden>Given</span><span id="l2">twice</span>
<input id="h" type="submit" value="Go on"><input id="i" type="hidden" value="x"></form>
<button id="j"><img src="x" alt="" aria-hidden="true"><span class="for-screen-reader">Send</span> it <i aria-hidden="true">!</i><em hidden>no</em></button>
<a id="k" href="/x" title="Tip"><img src="y" alt="Picture"></a><a id="l">no link</a><a id="m" href="/y" title="Tip"><img src="y" aria-hidden="true"></a>
<span id="n" role="button">Press</span><h2 id="o">Two  words</h2><lexxy-editor id="p" aria-label="Write"></lexxy-editor><select id="q" multiple></select>
</body>`

func TestParityNamesControlsAsReadersDo(t *testing.T) {
	root, err := html.Parse(strings.NewReader(sampleControls))
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{
		"a": "textbox Your name", "b": "textbox Only this", "c": "textbox By title", "d": "checkbox Wrapped", "e": "textbox Spoken",
		"g": "textbox Given twice", "h": "button Go on", "i": " ", "j": "button Send it", "k": "link Picture", "l": " no link", "m": "link Tip",
		"n": "button Press", "o": "heading Two words", "p": "textbox Write", "q": "listbox ",
	} {
		found, err := find(root, "#"+id)
		if err != nil || len(found) != 1 {
			t.Fatalf("#%s: %d elements, error %v", id, len(found), err)
		}
		if got := role(found[0]) + " " + name(root, found[0]); got != want {
			t.Errorf("#%s is %q, want %q", id, got, want)
		}
	}
}

func TestParitySelectorsFindWhatTheySay(t *testing.T) {
	root, err := html.Parse(strings.NewReader(sampleControls))
	if err != nil {
		t.Fatal(err)
	}
	for selector, want := range map[string]int{
		"input": 8, "form input": 8, "form > input": 6, "body > input": 0, "label > input": 2, "#f label b": 1, "a[href]": 2, `a[href="/x"]`: 1, "a[href=/x]": 1,
		"a[href^=/]": 2, "a[href$=y]": 1, "a[href*=x]": 1, `[aria-labelledby~=l2]`: 1, `[aria-label="not this"]`: 1, ".for-screen-reader": 1, "button.for-screen-reader": 0,
		"input[type=checkbox]": 1, "* > title": 1, "form form": 0, "span#n[role=button]": 1, "html body form#f > label[for=a]": 1,
	} {
		if found, err := find(root, selector); err != nil || len(found) != want {
			t.Errorf("%s finds %d, error %v; want %d", selector, len(found), err, want)
		}
	}
	for _, selector := range []string{"", " ", "a >", "a[", "a]", "#", "a:hover", "[a", "a,b"} {
		if _, err := find(root, selector); err == nil {
			t.Errorf("%q is no selector, and nobody says so", selector)
		}
	}
}

func TestParityPatternsFit(t *testing.T) {
	for _, tt := range []struct {
		expected, got string
		want          bool
	}{
		{"a", "a", true}, {"a", "ab", false}, {"", "", true}, {"", "a", false}, {"*", "", true}, {"a*", "ab", true}, {"*b", "ab", true}, {"a*c", "abc", true},
		{"a*a", "a", false}, {"a*b*c", "a1b2c", true}, {"a*b*c", "a1c2b", false}, {"~a+", "aaa", true}, {"~a+", "aab", false}, {"~", "", true}, {"~", "x", false},
	} {
		if got, err := fits(tt.expected, tt.got); err != nil || got != tt.want {
			t.Errorf("%q fits %q: %v, error %v; want %v", tt.expected, tt.got, got, err, tt.want)
		}
	}
}
