package web_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

// checker holds facts against servers, which it starts when a row first asks for one.
type checker struct {
	t       *testing.T
	spoil   func(http.Handler) http.Handler
	stages  map[string]*stage
	classes map[string]bool // that the answers so far have used
	sources map[string]string
}

func newChecker(t *testing.T, spoil func(http.Handler) http.Handler) *checker {
	return &checker{t: t, spoil: spoil, stages: map[string]*stage{}, classes: map[string]bool{}, sources: map[string]string{}}
}

func (c *checker) stage(kind string) *stage {
	if c.stages[kind] == nil {
		c.stages[kind] = newStage(c.t, kind, c.spoil)
	}
	return c.stages[kind]
}

// holds tells whether a fact holds, and what there is instead. An error is a
// fault of the table or the checker.
func (c *checker) holds(f *fact) (bool, string, error) {
	request, kind := f.request, "cast"
	for name := range stagePeople {
		if rest, ok := strings.CutPrefix(request, name+" "); ok {
			request, kind = rest, name
		}
	}
	switch f.kind {
	case "class", "declared", "read":
		return c.style(f)
	case "hears", "confirms", "opens", "pings", "ends":
		return c.stage(kind).cableHolds(c, request, f)
	}
	s := c.stage(kind)
	v, err := s.visit(request, f.as)
	if err != nil {
		return false, "", err
	}
	if v.doc != nil {
		c.noteClasses(v.doc)
	}
	what, err := s.fill(f.what, v.memory)
	if err != nil {
		return false, "", err
	}
	expected, err := s.fill(f.expected, v.memory)
	if err != nil {
		return false, "", err
	}
	return v.holds(f.kind, what, expected)
}

// holds asks one visit.
func (v *visit) holds(kind, what, expected string) (bool, string, error) {
	switch kind {
	case "status":
		return fitting(expected, v.where())
	case "header":
		return fitting(expected, strings.Join(v.header.Values(what), ", "))
	case "cookie":
		for _, line := range v.header.Values("Set-Cookie") {
			if strings.HasPrefix(line, what+"=") {
				return fitting(expected, line)
			}
		}
		return expected == "none", "no cookie " + what, nil
	case "body":
		return fitting(expected, v.body)
	case "json":
		return v.json(what, expected)
	}
	if v.doc == nil {
		return false, fmt.Sprintf("%s without HTML", v.where()), nil
	}
	switch kind {
	case "element":
		found, err := find(v.doc, what)
		return v.counted(len(found), expected, err)
	case "control":
		found, err := v.controls(what)
		return v.counted(len(found), expected, err)
	case "text":
		return v.any(what, expected, content)
	case "attribute":
		selector, name, _ := strings.Cut(what, " @")
		return v.attribute(selector, name, expected)
	case "order":
		return v.order(what)
	}
	return false, "", fmt.Errorf("no kind of fact is called %q", kind)
}

func fitting(expected, got string) (bool, string, error) {
	ok, err := fits(expected, got)
	return ok, fmt.Sprintf("%.200q", got), err
}

// counted compares a number of elements with "" (some), "3" or "3+". That
// something isn't there is only said of an answer that went well.
func (v *visit) counted(got int, expected string, err error) (bool, string, error) {
	if err != nil {
		return false, "", err
	}
	saw := fmt.Sprintf("%d of them, status %d", got, v.status)
	number, atLeast := strings.CutSuffix(expected, "+")
	if expected == "" {
		number, atLeast = "1", true
	}
	want, err := strconv.Atoi(number)
	if err != nil {
		return false, "", fmt.Errorf("%q is no number of elements", expected)
	}
	if want == 0 && v.status != http.StatusOK {
		return false, saw, nil
	}
	return got == want || atLeast && got > want, saw, nil
}

// controls finds by role and name: "button Save", or inside an element "#nav | link Sign in".
func (v *visit) controls(what string) ([]*html.Node, error) {
	scope, text, scoped := strings.Cut(what, " | ")
	if !scoped {
		scope, text = "html", what
	}
	wantRole, wantName, _ := strings.Cut(text, " ")
	scopes, err := find(v.doc, scope)
	if err != nil {
		return nil, err
	}
	var found []*html.Node
	for _, in := range scopes {
		for n := range in.Descendants() {
			if n.Type != html.ElementNode || role(n) != wantRole || unused(n) {
				continue
			}
			ok, err := fits(wantName, name(v.doc, n))
			if err != nil {
				return nil, err
			}
			if ok {
				found = append(found, n)
			}
		}
	}
	return found, nil
}

// unused reports what nobody can reach: hidden, or waiting in a template. What
// a turbo stream brings is in a template, too.
func unused(n *html.Node) bool {
	for ; n != nil; n = n.Parent {
		if has(n, "hidden") || n.Data == "template" && (n.Parent == nil || n.Parent.Data != "turbo-stream") {
			return true
		}
	}
	return false
}

// any asks whether one of the elements has what is expected.
func (v *visit) any(selector, expected string, of func(*html.Node) string) (bool, string, error) {
	found, err := find(v.doc, selector)
	saw := fmt.Sprintf("%d elements, status %d:", len(found), v.status)
	for _, n := range found {
		ok, err := fits(expected, of(n))
		if ok || err != nil {
			return ok, "", err
		}
		saw += fmt.Sprintf(" %.120q", of(n))
	}
	return false, fmt.Sprintf("%.600s", saw), err
}

func (v *visit) attribute(selector, name, expected string) (bool, string, error) {
	if name == "" {
		return false, "", fmt.Errorf("which attribute of %s?", selector)
	}
	if expected == "" {
		found, err := find(v.doc, selector)
		for _, n := range found {
			if has(n, name) {
				return true, "", nil
			}
		}
		return false, fmt.Sprintf("%d elements, none has it", len(found)), err
	}
	return v.any(selector, expected, func(n *html.Node) string { return attr(n, name) })
}

// order asks that the first elements of selectors parted by "<" stand in that order.
func (v *visit) order(what string) (bool, string, error) {
	place := map[*html.Node]int{}
	for n := range v.doc.Descendants() {
		place[n] = len(place)
	}
	last := -1
	for _, selector := range strings.Split(what, " < ") {
		found, err := find(v.doc, selector)
		if err != nil {
			return false, "", err
		}
		if len(found) == 0 || place[found[0]] < last {
			return false, fmt.Sprintf("%s is missing or earlier (%d of them)", selector, len(found)), nil
		}
		last = place[found[0]]
	}
	return true, "", nil
}

// json follows a path of names and indexes; "" is the whole. Of an object the
// keys are compared ("keys a b"), of anything else the value.
func (v *visit) json(path, expected string) (bool, string, error) {
	var value any
	if err := json.Unmarshal([]byte(v.body), &value); err != nil {
		return false, fmt.Sprintf("status %d without JSON: %.80q", v.status, v.body), nil
	}
	for _, key := range strings.FieldsFunc(path, func(r rune) bool { return r == '.' }) {
		switch at := value.(type) {
		case map[string]any:
			value = at[key]
		case []any:
			i, err := strconv.Atoi(key)
			if err != nil || i >= len(at) {
				return false, "no element " + key, nil
			}
			value = at[i]
		default:
			return false, "nothing at " + key, nil
		}
	}
	switch at := value.(type) {
	case string:
		return fitting(expected, at)
	case map[string]any:
		for _, key := range strings.Fields(strings.TrimPrefix(expected, "keys ")) {
			if _, ok := at[key]; !ok {
				return false, fmt.Sprintf("no key %s in %v", key, at), nil
			}
		}
		return true, "", nil
	case []any:
		return fitting(expected, fmt.Sprint(len(at), " elements"))
	}
	text, err := json.Marshal(value)
	if err != nil {
		return false, "", err
	}
	return fitting(expected, string(text))
}

func (c *checker) noteClasses(doc *html.Node) {
	for n := range doc.Descendants() {
		for _, class := range strings.Fields(attr(n, "class")) {
			c.classes[class] = true
		}
	}
}

// style asks what custom styles hold on to: classes that an answer so far has
// used or a script sets, properties that our sheets declare or read.
func (c *checker) style(f *fact) (bool, string, error) {
	quoted := regexp.QuoteMeta(f.what)
	pattern, text := `(?:^|[\s{;])`+quoted+`:`, ""
	var err error
	switch f.kind {
	case "class":
		if c.classes[f.what] {
			return true, "", nil
		}
		pattern = `["'.\x60 ]` + quoted + `["'.\x60 )]`
		text, err = c.source(".js")
	case "read":
		pattern = `var\(` + quoted + `[,) ]`
		fallthrough
	default:
		text, err = c.source(".css")
	}
	if err != nil {
		return false, "", err
	}
	ok, err := regexp.MatchString(pattern, text)
	return ok, "nowhere", err
}

// source is the text of all our scripts or style sheets.
func (c *checker) source(suffix string) (string, error) {
	if c.sources[suffix] != "" {
		return c.sources[suffix], nil
	}
	var b strings.Builder
	err := fs.WalkDir(os.DirFS("assets/src"), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, suffix) {
			return err
		}
		text, err := os.ReadFile("assets/src/" + path)
		b.Write(text)
		return err
	})
	c.sources[suffix] = b.String()
	return b.String(), err
}
