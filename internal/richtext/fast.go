package richtext

import (
	"slices"
	"strings"
)

// The fast path renders, in one pass, bodies whose tree is exactly what their
// tags say: known tags in lower case, each closed by its own name, nested so that
// a browser would neither end nor move nor repeat an element. At the first thing
// that it isn't sure of it gives up, and appendSlow starts anew; a fuzz test
// checks that the two agree whenever the fast one answers.

// A tag is an element that the fast path knows.
type tag uint8

const (
	noTag tag = iota
	tagA
	tagB
	tagBlockquote
	tagBr
	tagCode
	tagDel
	tagDiv
	tagEm
	tagH1
	tagH2
	tagH3
	tagI
	tagLi
	tagMark
	tagOl
	tagP
	tagPre
	tagS
	tagSpan
	tagStrong
	tagU
	tagUl
	tagAttachment
)

var tagNames = [...]string{
	tagA: "a", tagB: "b", tagBlockquote: "blockquote", tagBr: "br", tagCode: "code", tagDel: "del", tagDiv: "div",
	tagEm: "em", tagH1: "h1", tagH2: "h2", tagH3: "h3", tagI: "i", tagLi: "li", tagMark: "mark", tagOl: "ol", tagP: "p",
	tagPre: "pre", tagS: "s", tagSpan: "span", tagStrong: "strong", tagU: "u", tagUl: "ul", tagAttachment: attachmentTag,
}

// tagElements are the elements of the tags, to find them without a map.
var tagElements = func() (list [len(tagNames)]*element) {
	for t, name := range tagNames {
		list[t] = elements[name]
	}
	return list
}()

// content says what may stand directly inside an element without moving it.
type content uint8

const (
	flow   content = iota // blocks and text: the body itself, div, blockquote, li
	phrase                // text and what marks it: paragraphs, headings, strong …
	items                 // lists
)

var contents = [...]content{
	noTag: flow, tagA: phrase, tagB: phrase, tagBlockquote: flow, tagCode: phrase, tagDel: phrase, tagDiv: flow,
	tagEm: phrase, tagH1: phrase, tagH2: phrase, tagH3: phrase, tagI: phrase, tagLi: flow, tagMark: phrase, tagOl: items,
	tagP: phrase, tagPre: phrase, tagS: phrase, tagSpan: phrase, tagStrong: phrase, tagU: phrase, tagUl: items,
}

func tagOf(name string) tag {
	switch name {
	case "a":
		return tagA
	case "b":
		return tagB
	case "blockquote":
		return tagBlockquote
	case "br":
		return tagBr
	case "code":
		return tagCode
	case "del":
		return tagDel
	case "div":
		return tagDiv
	case "em":
		return tagEm
	case "h1":
		return tagH1
	case "h2":
		return tagH2
	case "h3":
		return tagH3
	case "i":
		return tagI
	case "li":
		return tagLi
	case "mark":
		return tagMark
	case "ol":
		return tagOl
	case "p":
		return tagP
	case "pre":
		return tagPre
	case "s":
		return tagS
	case "span":
		return tagSpan
	case "strong":
		return tagStrong
	case "u":
		return tagU
	case "ul":
		return tagUl
	case attachmentTag:
		return tagAttachment
	}
	return noTag
}

// fits reports whether a start tag is read as a child of parent, as it stands.
func (t tag) fits(parent tag) bool {
	switch t {
	case tagLi:
		return contents[parent] == items
	case tagBlockquote, tagDiv, tagH1, tagH2, tagH3, tagOl, tagP, tagPre, tagUl:
		return contents[parent] == flow
	}
	return contents[parent] != items
}

// Deeper and longer than anybody writes, and so little that it is affordable.
const (
	maxFastDepth = 16
	maxFastBytes = 32 << 10
)

type fast struct {
	people   People
	body     string
	at       int // next byte to read
	open     [maxFastDepth]tag
	depth    int
	verbatim int // open elements in which no links are made

	paragraph int  // where the open paragraph starts in what is written
	asDiv     bool // it is written as a div, because it holds a preview
	said      speech
	previews  int
	preview   embed // the last
}

// appendFast renders a body in one pass, or reports that it can't.
func appendFast(dst []byte, body string, people People) (out []byte, ok bool) {
	if len(body) > maxFastBytes {
		return dst, false
	}
	f := fast{people: people, body: body}
	start := len(dst)
	for f.at < len(body) {
		if body[f.at] != '<' {
			end := strings.IndexByte(body[f.at:], '<')
			if end < 0 {
				end = len(body) - f.at
			}
			text := body[f.at : f.at+end]
			f.at += end
			f.said.text(text)
			if dst, ok = appendFastText(dst, text, f.verbatim == 0); !ok {
				return dst, false
			}
			continue
		}
		if dst, ok = f.tag(dst); !ok {
			return dst, false
		}
	}
	if f.previews == 1 {
		alone, sure := f.said.only(f.preview.href)
		if !sure {
			return dst, false
		}
		if alone {
			dst = append(dst[:start], "<div>"...)
			dst = append(appendEmbed(dst, f.preview), "</div>"...)
		}
	}
	return dst, f.depth == 0
}

func (f *fast) top() tag {
	if f.depth == 0 {
		return noTag
	}
	return f.open[f.depth-1]
}

// tag reads one tag, from its "<" to its ">".
func (f *fast) tag(dst []byte) ([]byte, bool) {
	f.at++
	if f.at < len(f.body) && f.body[f.at] == '/' {
		return f.endTag(dst)
	}
	start := f.at
	for f.at < len(f.body) && isTagByte(f.body[f.at]) {
		f.at++
	}
	t := tagOf(f.body[start:f.at])
	if t == noTag || !t.fits(f.top()) {
		return dst, false
	}
	switch t {
	case tagBr:
		f.said.tag(t, false)
		dst = append(dst, "<br"...)
		return f.attributes(dst, t)
	case tagAttachment:
		return f.attachment(dst)
	}
	return f.startTag(dst, t)
}

func isTagByte(c byte) bool { return 'a' <= c && c <= 'z' || '1' <= c && c <= '6' || c == '-' }

func (f *fast) endTag(dst []byte) ([]byte, bool) {
	name := tagNames[f.top()]
	rest := f.body[f.at+1:]
	if f.depth == 0 || len(rest) <= len(name) || rest[:len(name)] != name || rest[len(name)] != '>' {
		return dst, false
	}
	if tagElements[f.top()].verbatim {
		f.verbatim--
	}
	if f.top() == tagP && f.asDiv {
		name = "div"
	}
	f.said.tag(f.top(), true)
	f.at += len("/") + len(tagNames[f.top()]) + len(">")
	f.depth--
	return append(append(append(dst, "</"...), name...), '>'), true
}

func (f *fast) startTag(dst []byte, t tag) ([]byte, bool) {
	if f.depth == maxFastDepth {
		return dst, false
	}
	if contents[t] == phrase {
		for _, open := range f.open[:f.depth] {
			if open == t { // links don't nest, and repeated formatting has rules of its own
				return dst, false
			}
		}
	}
	if t == tagP {
		f.paragraph, f.asDiv = len(dst), false
	}
	f.said.tag(t, false)
	f.open[f.depth] = t
	f.depth++
	name := tagNames[t]
	if tagElements[t].verbatim {
		f.verbatim++
	}
	dst = append(append(dst, '<'), name...)
	dst, ok := f.attributes(dst, t)
	if t == tagPre && f.at < len(f.body) && f.body[f.at] == '\n' {
		return dst, false // the first newline is not part of it
	}
	return dst, ok
}

// attributes reads those of an allowed element, through the tag's ">".
func (f *fast) attributes(dst []byte, t tag) ([]byte, bool) {
	if f.at < len(f.body) && f.body[f.at] == '>' {
		f.at++
		return append(dst, '>'), true
	}
	var names, values [8]string
	count := 0
	for ; f.at < len(f.body) && f.body[f.at] != '>'; count++ {
		name, value, ok := f.attribute()
		if !ok || count == len(names) || slices.Contains(names[:count], name) {
			return dst, false
		}
		names[count], values[count] = name, value
	}
	if f.at == len(f.body) {
		return dst, false
	}
	f.at++
	external := false
	for _, name := range tagElements[t].attributes {
		i := slices.Index(names[:count], name)
		if i < 0 {
			continue
		}
		if isLink(name) {
			if !isPlainLink(values[i]) {
				return dst, false
			}
			external = external || name == "href"
		}
		dst = append(append(append(append(append(dst, ' '), name...), `="`...), values[i]...), '"')
	}
	if external {
		dst = append(dst, outward...)
	}
	return append(dst, '>'), true
}

// isPlainLink reports whether safeURL would return this value as it is.
func isPlainLink(value string) bool {
	return (strings.HasPrefix(value, "https://") || strings.HasPrefix(value, "http://")) && !strings.Contains(value, " ")
}

// attribute reads a space and name="value" whose value may be written as it is.
func (f *fast) attribute() (name, value string, ok bool) {
	rest := f.body[f.at:]
	if len(rest) == 0 || rest[0] != ' ' {
		return "", "", false
	}
	end := 1
	for end < len(rest) && isTagByte(rest[end]) {
		end++
	}
	if end == 1 || len(rest) < end+2 || rest[end] != '=' || rest[end+1] != '"' {
		return "", "", false
	}
	name = rest[1:end]
	rest = rest[end+2:]
	for i := 0; i < len(rest); i++ {
		switch attributeBytes[rest[i]] {
		case stopsValue:
			f.at += end + 2 + i + 1
			return name, rest[:i], true
		case refused:
			return "", "", false
		case startsEntity:
			if !strings.HasPrefix(rest[i:], "&amp;") {
				return "", "", false
			}
			i += len("amp;")
		}
	}
	return "", "", false
}

const (
	stopsValue = iota + 1
	refused
	startsEntity
)

// attributeBytes tells what can't simply be copied from one attribute to another.
var attributeBytes = [256]byte{'"': stopsValue, '&': startsEntity, '<': refused, '>': refused, '\'': refused, 0x7f: refused}

func init() {
	for c := range byte(' ') {
		attributeBytes[c] = refused
	}
}
