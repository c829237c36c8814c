package view_test

import (
	"bytes"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// parsePage parses a whole page and fails on what a browser would have to mend.
func parsePage(t testing.TB, page []byte) *html.Node {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// parseFragment parses what stands inside a list of messages.
func parseFragment(t testing.TB, fragment []byte) *html.Node {
	t.Helper()
	root := &html.Node{Type: html.ElementNode, Data: "div", DataAtom: atom.Div}
	nodes, err := html.ParseFragment(bytes.NewReader(fragment), root)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range nodes {
		root.AppendChild(n)
	}
	return root
}

func rendered(t testing.TB, render func(io.Writer) error) *html.Node {
	t.Helper()
	var b bytes.Buffer
	if err := render(&b); err != nil {
		t.Fatal(err)
	}
	return parsePage(t, b.Bytes())
}

var (
	stepPattern = regexp.MustCompile(`^([a-z0-9-]*)((?:[#.][A-Za-z0-9_-]+|\[[^\]]+\])*)$`)
	partPattern = regexp.MustCompile(`[#.][A-Za-z0-9_-]+|\[[^\]]+\]`)
)

// find returns the elements that a selector names: steps of tag, #id, .class,
// [attribute] and [attribute=value], each somewhere inside the one before, or
// its child after ">". Values hold no spaces; write them with "_" instead.
func find(root *html.Node, selector string) []*html.Node {
	found, child := []*html.Node{root}, false
	for _, step := range strings.Fields(selector) {
		if step == ">" {
			child = true
			continue
		}
		var next []*html.Node
		for _, n := range found {
			for c := range n.Descendants() {
				if (!child || c.Parent == n) && matches(c, step) && !slices.Contains(next, c) {
					next = append(next, c)
				}
			}
		}
		found, child = next, false
	}
	return found
}

func matches(n *html.Node, step string) bool {
	m := stepPattern.FindStringSubmatch(step)
	if m == nil {
		panic("selector step " + step)
	}
	if n.Type != html.ElementNode || m[1] != "" && n.Data != m[1] {
		return false
	}
	for _, part := range partPattern.FindAllString(m[2], -1) {
		switch part[0] {
		case '#':
			if attr(n, "id") != part[1:] {
				return false
			}
		case '.':
			if !slices.Contains(strings.Fields(attr(n, "class")), part[1:]) {
				return false
			}
		default:
			name, value, valued := strings.Cut(strings.Trim(part, "[]"), "=")
			if got, ok := attribute(n, name); !ok || valued && got != strings.ReplaceAll(value, "_", " ") && got != value {
				return false
			}
		}
	}
	return true
}

func attribute(n *html.Node, name string) (string, bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

func attr(n *html.Node, name string) string {
	value, _ := attribute(n, name)
	return value
}

// one returns the only element that selector names.
func one(t testing.TB, root *html.Node, selector string) *html.Node {
	t.Helper()
	found := find(root, selector)
	if len(found) != 1 {
		t.Fatalf("%d elements are %s, want 1", len(found), selector)
	}
	return found[0]
}

// content is the text of an element with runs of white space made one.
func content(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// name is the accessible name of a control, by the parts of the rules that our
// markup uses: aria-labelledby, aria-label, its label, its text, its title.
func name(root, n *html.Node) string {
	if id := attr(n, "aria-labelledby"); id != "" {
		for c := range root.Descendants() {
			if attr(c, "id") == id {
				return content(c)
			}
		}
	}
	if label := attr(n, "aria-label"); label != "" {
		return label
	}
	if n.Data == "input" || n.Data == "textarea" || n.Data == "select" {
		for c := range root.Descendants() {
			if c.Data == "label" && attr(c, "for") != "" && attr(c, "for") == attr(n, "id") {
				return content(c)
			}
		}
		for p := n.Parent; p != nil; p = p.Parent {
			if p.Data == "label" {
				return content(p)
			}
		}
		if p := attr(n, "placeholder"); p != "" {
			return p
		}
		return attr(n, "title")
	}
	var visible strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode && !hiddenFromReaders(c, n) {
			visible.WriteString(c.Data)
		}
		if c.Data == "img" && !hiddenFromReaders(c, n) {
			visible.WriteString(attr(c, "alt"))
		}
	}
	if text := strings.Join(strings.Fields(visible.String()), " "); text != "" {
		return text
	}
	return attr(n, "title")
}

func hiddenFromReaders(n, until *html.Node) bool {
	for ; n != until; n = n.Parent {
		if attr(n, "aria-hidden") == "true" {
			return true
		}
	}
	return false
}
