package richtext

import (
	"bytes"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// PlainText returns what a stored body says without markup: for search, notices,
// bots, and to tell sounds and emoji. Mentions read "@" and the person's name.
func PlainText(stored string, people People) string {
	return plainOf(mustParse(valid(stored)), people)
}

func plainOf(root *html.Node, people People) string {
	w := plainWriter{people: people}
	w.children(root, 0)
	w.trimNewlines(0)
	return string(w.out)
}

// A plainWriter appends to one buffer; what comes around an element's text is
// put in when its end is reached, so that depth costs nothing.
type plainWriter struct {
	out    []byte
	people People
	nested bool // inside the HTML of an attachment
}

// children writes a node's inside; lists counts the lists around it.
func (w *plainWriter) children(parent *html.Node, lists int) {
	position := 0 // among the elements, from one
	for n := parent.FirstChild; n != nil; n = n.NextSibling {
		if n.Type == html.ElementNode {
			position++
		}
		switch {
		case n.Type == html.TextNode:
			w.out = append(w.out, strings.TrimRight(n.Data, "\n")...)
		case isElement(n, attachmentTag):
			w.attachment(n)
		case n.Type == html.ElementNode:
			w.element(n, lists, position)
		}
	}
}

func (w *plainWriter) element(n *html.Node, lists, position int) {
	start := len(w.out)
	switch n.Data {
	case "br":
		w.out = append(w.out, '\n')
	case "script", "style":
	case "p", "h1", "h2", "h3", "h4", "h5", "h6", "pre":
		w.children(n, lists)
		w.trimNewlines(start)
		w.out = append(w.out, "\n\n"...)
	case "ul", "ol":
		if lists > 0 {
			w.out = append(w.out, '\n')
		}
		w.children(n, lists+1)
		w.trimNewlines(start)
		w.out = append(w.out, "\n\n"...)
	case "li":
		w.out = appendBullet(w.out, n, lists, position)
		inner := len(w.out)
		w.children(n, lists)
		w.trimNewlines(inner)
		w.out = append(w.out, '\n')
	case "div":
		w.children(n, lists)
		w.out = append(w.out, '\n')
	case "figcaption":
		w.out = append(w.out, '[')
		w.children(n, lists)
		w.out = append(w.out, ']')
	case "blockquote":
		w.children(n, lists)
		w.trimNewlines(start)
		w.quote(start)
	default:
		w.children(n, lists)
	}
}

// trimNewlines removes newlines from the end, but none before start.
func (w *plainWriter) trimNewlines(start int) {
	w.out = w.out[:start+len(bytes.TrimRight(w.out[start:], "\n"))]
}

// maxIndent bounds how far a list moves in: a thousand nested lists are no list.
const maxIndent = 20

func appendBullet(dst []byte, item *html.Node, lists, position int) []byte {
	for range min(lists-1, maxIndent) {
		dst = append(dst, "  "...)
	}
	if item.Parent == nil || item.Parent.Data != "ol" {
		return append(dst, "• "...)
	}
	return append(strconv.AppendInt(dst, int64(position), 10), ". "...)
}

// quote puts quotation marks around the words from start on, inside the space
// around them.
func (w *plainWriter) quote(start int) {
	block := w.out[start:]
	words := bytes.TrimSpace(block)
	if len(words) == 0 {
		w.out = append(w.out, "“”"...)
		return
	}
	before := len(block) - len(bytes.TrimLeftFunc(block, unicode.IsSpace))
	after := before + len(words)
	quoted := make([]byte, 0, len(block)+2*utf8.UTFMax)
	quoted = append(append(quoted, block[:before]...), "“"...)
	quoted = append(append(quoted, words...), "”"...)
	quoted = append(quoted, block[after:]...)
	w.out = append(append(w.out[:start], quoted...), "\n\n"...)
}

func (w *plainWriter) attachment(n *html.Node) {
	if w.nested {
		return
	}
	switch a := attachmentOf(n); a.kind {
	case mentionAttachment:
		if person, ok := w.people.find(a.userID); ok {
			w.out = append(append(w.out, '@'), person.Name...)
			return
		}
	case embedAttachment:
		return
	case contentAttachment:
		inner := plainWriter{people: w.people, nested: true}
		inner.children(mustParse(valid(attribute(n, "content"))), 0)
		inner.trimNewlines(0)
		w.out = append(w.out, inner.out...)
		return
	case imageAttachment:
		caption := attribute(n, "caption")
		if caption == "" {
			caption = "Image"
		}
		w.out = append(append(append(w.out, '['), caption...), ']')
		return
	}
	w.out = append(w.out, attribute(n, "caption")...)
}
