package richtext

import (
	"bytes"
	"encoding/json"
	"strings"

	"golang.org/x/net/html"
)

// attachmentTag is the element that stands for whatever is not text.
const attachmentTag = "action-text-attachment"

// attachmentAttributes are what an attachment may carry, in the order they are
// written.
var attachmentAttributes = [...]struct{ name, trix string }{
	{"sgid", "sgid"}, {"content-type", "contentType"}, {"url", "url"}, {"href", "href"},
	{"filename", "filename"}, {"filesize", "filesize"}, {"width", "width"}, {"height", "height"},
	{"previewable", "previewable"}, {"content", "content"}, {"caption", "caption"}, {"presentation", "presentation"},
}

// Canonical returns a form's body as it is stored: parsed as a browser would,
// with attachments in one form and without their insides. It removes nothing
// that is unsafe; Render does.
func Canonical(body string) string {
	root := mustParse(strings.TrimSpace(valid(body)))
	canonicalize(root)
	return string(appendNodes(make([]byte, 0, len(body)+64), root))
}

func canonicalize(parent *html.Node) {
	for n := parent.FirstChild; n != nil; n = n.NextSibling {
		if n.Type != html.ElementNode {
			continue
		}
		if trix, ok := lookup(n, "data-trix-attachment"); ok {
			n.Attr = fromTrix(trix, attribute(n, "data-trix-attributes"))
			n.Data, n.DataAtom, n.Namespace = attachmentTag, 0, ""
		}
		if isElement(n, attachmentTag) {
			empty(n)
			continue
		}
		canonicalize(n)
		if isGallery(n) {
			n.Attr = nil
		}
	}
}

func empty(n *html.Node) {
	for n.FirstChild != nil {
		n.RemoveChild(n.FirstChild)
	}
}

// fromTrix reads the two JSON objects in which Trix describes an attachment; the
// second holds what the writer may edit.
func fromTrix(attachment, attributes string) []html.Attribute {
	values := map[string]any{}
	for _, text := range []string{attachment, attributes} {
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.UseNumber()
		var some map[string]any
		if decoder.Decode(&some) != nil {
			continue
		}
		for key, value := range some {
			values[key] = value
		}
	}
	var out []html.Attribute
	for _, known := range attachmentAttributes {
		switch value := values[known.trix].(type) {
		case string:
			out = append(out, html.Attribute{Key: known.name, Val: value})
		case json.Number:
			out = append(out, html.Attribute{Key: known.name, Val: value.String()})
		case bool:
			text, _ := json.Marshal(value)
			out = append(out, html.Attribute{Key: known.name, Val: string(text)})
		}
	}
	return out
}

// isGallery reports whether n is a div of two or more attachments, and nothing
// else, that are to be shown side by side.
func isGallery(n *html.Node) bool {
	if !isElement(n, "div") {
		return false
	}
	pictures := 0
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		switch {
		case isElement(child, attachmentTag) && attribute(child, "presentation") == "gallery":
			pictures++
		case child.Type == html.TextNode && strings.TrimSpace(child.Data) == "":
		default:
			return false
		}
	}
	return pictures >= 2
}

// appendNodes writes the children of parent as HTML.
func appendNodes(dst []byte, parent *html.Node) []byte {
	for n := parent.FirstChild; n != nil; n = n.NextSibling {
		switch n.Type {
		case html.TextNode:
			dst = appendText(dst, n.Data)
		case html.ElementNode:
			dst = appendElement(dst, n)
		}
	}
	return dst
}

func appendElement(dst []byte, n *html.Node) []byte {
	if n.Data == "plaintext" { // it has no end
		return appendBareText(dst, n)
	}
	dst = append(append(dst, '<'), n.Data...)
	for _, a := range n.Attr {
		dst = append(dst, ' ')
		if a.Namespace != "" {
			dst = append(append(dst, a.Namespace...), ':')
		}
		dst = append(append(dst, a.Key...), `="`...)
		dst = append(AppendEscape(dst, a.Val), '"')
	}
	dst = append(dst, '>')
	if tagCosts[n.Data] == voidTag && n.Namespace == "" {
		return dst
	}
	if rawText[n.Data] && n.Namespace == "" {
		for child := n.FirstChild; child != nil; child = child.NextSibling {
			dst = append(dst, child.Data...)
		}
	} else {
		start := len(dst)
		dst = appendNodes(dst, n)
		dst = keepFirstNewline(dst, start, n.Data)
	}
	return append(append(append(dst, "</"...), n.Data...), '>')
}

// keepFirstNewline doubles a newline that starts a <pre>, because readers drop
// the first. The element's inside is dst[start:].
func keepFirstNewline(dst []byte, start int, tag string) []byte {
	if (tag == "pre" || tag == "textarea" || tag == "listing") && bytes.HasPrefix(dst[start:], []byte("\n")) {
		dst = append(dst, 0)
		copy(dst[start+1:], dst[start:])
	}
	return dst
}

func appendBareText(dst []byte, n *html.Node) []byte {
	for child := n.FirstChild; child != nil; child = child.NextSibling {
		if child.Type == html.TextNode {
			dst = appendText(dst, child.Data)
		}
	}
	return dst
}

// rawText elements hold text in which "<" is only a character.
var rawText = map[string]bool{"iframe": true, "noembed": true, "noframes": true, "noscript": true, "script": true, "style": true, "xmp": true}
