package richtext

import (
	"golang.org/x/net/html"
)

// Render returns a stored body as HTML for the inside of a page's body element
// of class trix-content or lexxy-content. It shows what is allowed, mentions and
// previews as they are now, and bare addresses as links. It never panics.
func Render(stored string, people People) SafeHTML {
	return SafeHTML(AppendRender(make([]byte, 0, len(stored)+64), stored, people))
}

// AppendRender appends what Render returns. Usual bodies go through one pass
// over the text, without allocating if dst has room for twice the body.
func AppendRender(dst []byte, stored string, people People) []byte {
	stored = valid(stored)
	if out, ok := appendFast(dst, stored, people); ok {
		return out
	}
	return appendSlow(dst, stored, people)
}

// appendSlow renders by way of the parsed tree. It defines what is right;
// appendFast has to agree with it.
func appendSlow(dst []byte, stored string, people People) []byte {
	root := mustParse(stored)
	if e, alone := onlyEmbed(root, people); alone {
		return append(appendEmbed(append(dst, "<div>"...), e), "</div>"...)
	}
	r := renderer{people: people}
	return r.appendChildren(dst, root, true)
}

// onlyEmbed returns the preview that stands for the whole message, because the
// message says nothing but its address.
func onlyEmbed(root *html.Node, people People) (only embed, alone bool) {
	found := 0
	for n := range root.Descendants() {
		if !isElement(n, attachmentTag) {
			continue
		}
		if a := attachmentOf(n); a.kind == embedAttachment {
			if e, ok := embedOf(n); ok {
				only = e
			}
			found++
		}
	}
	if found != 1 {
		return embed{}, false
	}
	return only, samePage(only.href, plainOf(root, people))
}

type renderer struct {
	people People
	nested bool // inside the HTML of an attachment, where further ones don't show
}

// appendChildren writes what is allowed of a node's inside; links says whether
// addresses in it become links.
func (r *renderer) appendChildren(dst []byte, parent *html.Node, links bool) []byte {
	for n := parent.FirstChild; n != nil; n = n.NextSibling {
		switch {
		case n.Type == html.TextNode && links:
			dst = appendLinked(dst, []byte(n.Data))
		case n.Type == html.TextNode:
			dst = appendText(dst, n.Data)
		case isElement(n, attachmentTag):
			dst = r.appendAttachment(dst, n)
		case n.Type == html.ElementNode && n.Namespace == "":
			if e := elements[n.Data]; e != nil {
				dst = r.appendAllowed(dst, n, e, links && !e.verbatim)
			}
		}
	}
	return dst
}

func (r *renderer) appendAllowed(dst []byte, n *html.Node, e *element, links bool) []byte {
	if e.transparent {
		return r.appendChildren(dst, n, links)
	}
	name := e.name
	if name == "p" && holdsBlock(n) {
		name = "div" // a paragraph would end where the block begins
	}
	dst = append(append(dst, '<'), name...)
	dst, external := appendAttributes(dst, n, e)
	if external {
		dst = append(dst, outward...)
	}
	dst = append(dst, '>')
	if e.void {
		return dst
	}
	start := len(dst)
	dst = r.appendChildren(dst, n, links)
	dst = keepFirstNewline(dst, start, name)
	return append(append(append(dst, "</"...), name...), '>')
}

// holdsBlock reports whether a paragraph holds an attachment that shows as a block.
func holdsBlock(paragraph *html.Node) bool {
	for n := range paragraph.Descendants() {
		if isElement(n, attachmentTag) {
			if kind := attachmentOf(n).kind; kind == embedAttachment || kind == contentAttachment {
				return true
			}
		}
	}
	return false
}

// appendAttributes writes what an element may carry, in the policy's order: the
// parser changes that of some elements. It reports whether they make a link to a
// web server.
func appendAttributes(dst []byte, n *html.Node, e *element) (out []byte, external bool) {
	if len(n.Attr) == 0 {
		return dst, false
	}
	for _, name := range e.attributes {
		value, ok := lookup(n, name)
		if ok && isLink(name) {
			value, ok = safeURL(value)
			external = external || ok && name == "href" && isWebURL(value)
		}
		if ok {
			dst = append(append(append(dst, ' '), name...), `="`...)
			dst = append(AppendEscape(dst, value), '"')
		}
	}
	return dst, external
}

func (r *renderer) appendAttachment(dst []byte, n *html.Node) []byte {
	if r.nested {
		return append(dst, missingMark...)
	}
	switch a := attachmentOf(n); a.kind {
	case mentionAttachment:
		if person, ok := r.people.find(a.userID); ok {
			return appendMention(dst, a.sgid, person)
		}
	case embedAttachment:
		if e, ok := embedOf(n); ok {
			return appendEmbed(dst, e)
		}
	case contentAttachment:
		inner := renderer{people: r.people, nested: true}
		dst = append(dst, `<div class="attachment attachment--content">`...)
		dst = inner.appendChildren(dst, mustParse(valid(attribute(n, "content"))), true)
		return append(dst, "</div>"...)
	}
	return append(dst, missingMark...)
}
