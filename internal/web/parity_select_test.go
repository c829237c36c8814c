package web_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/net/html"
)

// A selector is what CSS writes, as far as the tables need it: steps of tag,
// #id, .class, [attribute], [attribute=value], [attribute^=value], [attribute*=value]
// and [attribute$=value] (values may stand in double quotes), each somewhere
// inside the one before, or its child after ">".
type selector []step

type step struct {
	tag   string // "": any
	child bool   // of the step before, not only somewhere in it
	parts []part
}

// part is one condition; operator 0 asks only that the attribute is there.
type part struct {
	attribute, value string
	operator         byte // '=', '^', '*', '$', '~' for one word of a list
}

var (
	stepPattern = regexp.MustCompile(`^[a-z0-9*-]*(?:[#.][A-Za-z0-9_-]+|\[(?:[^\]"]|"[^"]*")+\])*`)
	partPattern = regexp.MustCompile(`[#.][A-Za-z0-9_-]+|\[(?:[^\]"]|"[^"]*")+\]`)
	attrPattern = regexp.MustCompile(`^\[([A-Za-z0-9_:-]+)(?:([\^*$~]?)="?([^"]*)"?)?\]$`)
)

func parseSelector(text string) (selector, error) {
	var s selector
	child := false
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		if rest[0] == '>' {
			child, rest = true, rest[1:]
			continue
		}
		word := stepPattern.FindString(rest)
		if word == "" || len(word) < len(rest) && rest[len(word)] != ' ' {
			return nil, fmt.Errorf("selector %q: bad step at %q", text, rest)
		}
		next := step{child: child}
		child, rest = false, rest[len(word):]
		parts := partPattern.FindAllString(word, -1)
		next.tag = strings.TrimSuffix(strings.TrimSuffix(word, strings.Join(parts, "")), "*")
		for _, p := range parts {
			condition, err := parsePart(p)
			if err != nil {
				return nil, fmt.Errorf("selector %q: %w", text, err)
			}
			next.parts = append(next.parts, condition)
		}
		s = append(s, next)
	}
	if len(s) == 0 || child {
		return nil, fmt.Errorf("selector %q: nothing to find", text)
	}
	return s, nil
}

func parsePart(text string) (part, error) {
	switch text[0] {
	case '#':
		return part{"id", text[1:], '='}, nil
	case '.':
		return part{"class", text[1:], '~'}, nil
	}
	m := attrPattern.FindStringSubmatch(text)
	switch {
	case m == nil:
		return part{}, fmt.Errorf("bad condition %s", text)
	case !strings.Contains(text, "="):
		return part{attribute: m[1]}, nil
	case m[2] == "":
		return part{m[1], m[3], '='}, nil
	}
	return part{m[1], m[3], m[2][0]}, nil
}

// find returns the elements below root that a selector names, in the order of
// the document.
func find(root *html.Node, text string) ([]*html.Node, error) {
	s, err := parseSelector(text)
	if err != nil {
		return nil, err
	}
	var found []*html.Node
	for n := range root.Descendants() {
		if s.names(n, root) {
			found = append(found, n)
		}
	}
	return found, nil
}

func (s selector) names(n, root *html.Node) bool {
	last := s[len(s)-1]
	if !last.matches(n) {
		return false
	}
	if len(s) == 1 {
		return !last.child || n.Parent == root
	}
	for p := n.Parent; p != nil && p != root; p = p.Parent {
		if s[:len(s)-1].names(p, root) {
			return true
		}
		if last.child {
			return false
		}
	}
	return false
}

func (s step) matches(n *html.Node) bool {
	if n.Type != html.ElementNode || s.tag != "" && n.Data != s.tag {
		return false
	}
	return !slices.ContainsFunc(s.parts, func(p part) bool { return !p.matches(n) })
}

func (p part) matches(n *html.Node) bool {
	got, ok := attribute(n, p.attribute)
	if !ok {
		return false
	}
	switch p.operator {
	case '=':
		return got == p.value
	case '^':
		return strings.HasPrefix(got, p.value)
	case '*':
		return strings.Contains(got, p.value)
	case '$':
		return strings.HasSuffix(got, p.value)
	case '~':
		return slices.Contains(strings.Fields(got), p.value)
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

func has(n *html.Node, name string) bool {
	_, ok := attribute(n, name)
	return ok
}

// squeezed is text with its runs of white space made one.
func squeezed(text string) string { return strings.Join(strings.Fields(text), " ") }

// content is all the text of an element.
func content(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return squeezed(b.String())
}
