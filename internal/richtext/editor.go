package richtext

import (
	"bytes"

	"golang.org/x/net/html"
)

// EditorHTML returns a stored body for an editor to change: what Render would
// show, without links made of bare addresses, and with attachments as elements
// that hold what the editor shows for them. Mentions keep their signature, so
// that those of the old days survive an edit; previews of the old editor become
// those of the new one. Paragraphs of the old editor, which are div elements, and
// text outside any become paragraphs, because the editor would make one of every
// word that is marked.
func EditorHTML(stored string, people People) string {
	root := mustParse(valid(stored))
	w := editorWriter{people: people}
	return string(w.blocks(make([]byte, 0, 2*len(stored)), root))
}

type editorWriter struct{ people People }

// blocks writes the body's top level, with a paragraph around what stands free.
func (w *editorWriter) blocks(dst []byte, root *html.Node) []byte {
	for n := root.FirstChild; n != nil; {
		if isBlock(n) {
			dst = w.node(dst, n)
			n = n.NextSibling
			continue
		}
		start := len(dst)
		dst = append(dst, "<p>"...)
		for ; n != nil && !isBlock(n); n = n.NextSibling {
			dst = w.node(dst, n)
		}
		if len(bytes.TrimSpace(dst[start:])) == len("<p>") {
			dst = dst[:start] // nothing but space between blocks
			continue
		}
		dst = append(dst, "</p>"...)
	}
	return dst
}

func (w *editorWriter) children(dst []byte, parent *html.Node) []byte {
	for n := parent.FirstChild; n != nil; n = n.NextSibling {
		dst = w.node(dst, n)
	}
	return dst
}

func (w *editorWriter) node(dst []byte, n *html.Node) []byte {
	switch {
	case n.Type == html.TextNode:
		return appendText(dst, n.Data)
	case isElement(n, attachmentTag):
		return w.attachment(dst, n)
	case n.Type == html.ElementNode && n.Namespace == "":
		if e := elements[n.Data]; e != nil {
			return w.element(dst, n, e)
		}
	}
	return dst
}

func (w *editorWriter) element(dst []byte, n *html.Node, e *element) []byte {
	if e.transparent {
		return w.children(dst, n)
	}
	name := e.name
	if name == "div" && !holdsBlocks(n) {
		name = "p"
	}
	dst = append(append(dst, '<'), name...)
	dst, _ = appendAttributes(dst, n, e)
	dst = append(dst, '>')
	if e.void {
		return dst
	}
	start := len(dst)
	dst = keepFirstNewline(w.children(dst, n), start, name)
	return append(append(append(dst, "</"...), name...), '>')
}

// holdsBlocks reports whether an element directly holds what can't stand in a
// paragraph.
func holdsBlocks(n *html.Node) bool {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if isBlock(child) {
			return true
		}
	}
	return false
}

func isBlock(n *html.Node) bool {
	if n.Type != html.ElementNode {
		return false
	}
	switch n.Data {
	case "address", "blockquote", "cite", "dd", "div", "dl", "dt", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "ul":
		return true
	}
	return false
}

// attachment writes the element that the editor reads: who or what, and the HTML
// it shows in its place.
func (w *editorWriter) attachment(dst []byte, n *html.Node) []byte {
	a := attachmentOf(n)
	var shown []byte
	contentType := attribute(n, "content-type")
	switch a.kind {
	case mentionAttachment:
		contentType = mentionType
		if person, ok := w.people.find(a.userID); ok {
			shown = appendMention(nil, a.sgid, person)
		}
	case embedAttachment:
		if e, ok := embedOf(n); ok {
			shown = appendEmbed(nil, e)
		}
	case contentAttachment:
		inner := renderer{people: w.people, nested: true}
		shown = inner.appendChildren(nil, mustParse(valid(attribute(n, "content"))), false)
	}
	if len(shown) == 0 {
		shown = []byte(missingMark)
	}
	dst = append(append(dst, '<'), attachmentTag...)
	for _, known := range attachmentAttributes {
		value, ok := lookup(n, known.name)
		switch known.name {
		case "content-type":
			value, ok = contentType, true
		case "content":
			value, ok = string(shown), true
		case "url", "href":
			value = webURL(value)
			ok = ok && value != ""
		}
		if ok {
			dst = append(append(append(dst, ' '), known.name...), `="`...)
			dst = append(AppendEscape(dst, value), '"')
		}
	}
	return append(append(append(dst, "></"...), attachmentTag...), '>')
}
