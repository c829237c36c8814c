package richtext

import (
	"golang.org/x/net/html"
)

// EditorHTML returns a stored body for an editor to change: what Render would
// show, without links made of bare addresses, and with attachments as elements
// that hold what the editor shows for them. Mentions keep their signature, so
// that those of the old days survive an edit; previews of the old editor become
// those of the new one. Paragraphs of the old editor, which are div elements,
// become paragraphs.
func EditorHTML(stored string, people People) string {
	root := mustParse(valid(stored))
	e := editorWriter{people: people}
	return string(e.children(make([]byte, 0, 2*len(stored)), root))
}

type editorWriter struct{ people People }

func (w *editorWriter) children(dst []byte, parent *html.Node) []byte {
	for n := parent.FirstChild; n != nil; n = n.NextSibling {
		switch {
		case n.Type == html.TextNode:
			dst = appendText(dst, n.Data)
		case isElement(n, attachmentTag):
			dst = w.attachment(dst, n)
		case n.Type == html.ElementNode && n.Namespace == "":
			if e := elements[n.Data]; e != nil {
				dst = w.element(dst, n, e)
			}
		}
	}
	return dst
}

func (w *editorWriter) element(dst []byte, n *html.Node, e *element) []byte {
	if e.transparent {
		return w.children(dst, n)
	}
	name := e.name
	if name == "div" && !holdsParagraphs(n) {
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

// holdsParagraphs reports whether an element directly holds what can't stand in
// a paragraph.
func holdsParagraphs(n *html.Node) bool {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch child.Data {
		case "address", "blockquote", "dd", "div", "dl", "dt", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "li", "ol", "p", "pre", "ul":
			if child.Type == html.ElementNode {
				return true
			}
		}
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
