package web_test

import (
	"strings"

	"golang.org/x/net/html"
)

// inputRoles are the roles of inputs by their type; a hidden one has none, and
// what isn't listed is a text field.
var inputRoles = map[string]string{
	"hidden": "", "checkbox": "checkbox", "radio": "radio", "search": "searchbox", "file": "file", "password": "password",
	"submit": "button", "button": "button", "image": "button", "reset": "button",
}

var tagRoles = map[string]string{
	"button": "button", "summary": "summary", "textarea": "textbox", "lexxy-editor": "textbox", "trix-editor": "textbox",
	"h1": "heading", "h2": "heading", "h3": "heading", "h4": "heading", "nav": "navigation", "main": "main", "aside": "complementary",
	"dialog": "dialog", "fieldset": "group", "form": "form", "menu": "list", "ul": "list", "ol": "list",
}

// role is what an element is to those who can't see it. Password fields, file
// fields and summaries have no role in ARIA; here they have a name for it.
func role(n *html.Node) string {
	if explicit := attr(n, "role"); explicit != "" {
		return explicit
	}
	switch n.Data {
	case "a":
		if has(n, "href") {
			return "link"
		}
		return ""
	case "img":
		if has(n, "alt") && attr(n, "alt") == "" {
			return ""
		}
		return "img"
	case "svg":
		return ""
	case "input":
		if r, listed := inputRoles[attr(n, "type")]; listed {
			return r
		}
		return "textbox"
	case "select":
		if has(n, "multiple") {
			return "listbox"
		}
		return "combobox"
	}
	return tagRoles[n.Data]
}

// name is the accessible name of a control, by the parts of the rules that pages
// of chats use: aria-labelledby, aria-label, its label, its text, its title, and
// at last its placeholder.
func name(root, n *html.Node) string {
	if ids := attr(n, "aria-labelledby"); ids != "" {
		var names []string
		for _, id := range strings.Fields(ids) {
			for c := range root.Descendants() {
				if c.Type == html.ElementNode && attr(c, "id") == id {
					names = append(names, spoken(c))
					break
				}
			}
		}
		return strings.Join(names, " ")
	}
	if label := squeezed(attr(n, "aria-label")); label != "" {
		return label
	}
	var text string
	switch n.Data {
	case "input", "textarea", "select", "lexxy-editor", "trix-editor":
		text = labelled(root, n)
		if t := attr(n, "type"); text == "" && (t == "submit" || t == "button") {
			text = attr(n, "value")
		}
	case "img":
		text = squeezed(attr(n, "alt"))
	default:
		text = spoken(n)
	}
	if text == "" {
		text = squeezed(attr(n, "title"))
	}
	if text == "" {
		text = squeezed(attr(n, "placeholder"))
	}
	return text
}

// labelled is what the labels of a field say.
func labelled(root, n *html.Node) string {
	if id := attr(n, "id"); id != "" {
		for c := range root.Descendants() {
			if c.Data == "label" && attr(c, "for") == id {
				return labelText(c)
			}
		}
	}
	for p := n.Parent; p != nil; p = p.Parent {
		if p.Data == "label" {
			return labelText(p)
		}
	}
	return ""
}

func labelText(label *html.Node) string {
	if text := squeezed(attr(label, "aria-label")); text != "" {
		return text
	}
	return spoken(label)
}

// spoken is the text inside an element, of pictures their alternative, without
// what is hidden from everybody or from readers.
func spoken(n *html.Node) string {
	var b strings.Builder
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		for c := range n.ChildNodes() {
			switch {
			case c.Type == html.TextNode:
				b.WriteString(c.Data)
			case c.Type != html.ElementNode, attr(c, "aria-hidden") == "true", has(c, "hidden"), c.Data == "template", c.Data == "script", c.Data == "style":
			case c.Data == "img":
				b.WriteString(" " + attr(c, "alt") + " ")
			case attr(c, "aria-label") != "":
				b.WriteString(" " + attr(c, "aria-label") + " ")
			default:
				walk(c)
			}
		}
	}
	walk(n)
	return squeezed(b.String())
}
