package richtext

import (
	"slices"
	"strings"

	"hearth/internal/rails"
)

// Places in attachmentAttributes, and in the values of an attachment's tag.
const (
	sgidValue = iota
	contentTypeValue
	urlValue
	hrefValue
	filenameValue
	contentValue = 9
	captionValue = 10
)

// attachmentValues are the attributes of an attachment's tag, as they are written.
type attachmentValues [len(attachmentAttributes)]string

// attachment reads a mention or a preview; others are left to the slow path.
func (f *fast) attachment(dst []byte) ([]byte, bool) {
	values, ok := f.attachmentTag()
	const closing = "</" + attachmentTag + ">"
	if !ok || !strings.HasPrefix(f.body[f.at:], closing) {
		return dst, false
	}
	f.at += len(closing)
	switch values[contentTypeValue] {
	case mentionType:
		return f.mention(dst, values[sgidValue]), true
	case embedType:
		return f.embed(dst, &values)
	}
	return dst, false
}

func (f *fast) mention(dst []byte, sgid string) []byte {
	f.said.other = true
	if id, ok := rails.UnverifiedMention(sgid); ok {
		if person, ok := f.people.find(id); ok {
			return appendMention(dst, sgid, person)
		}
	}
	return append(dst, missingMark...)
}

func (f *fast) embed(dst []byte, values *attachmentValues) ([]byte, bool) {
	e, ok := fastEmbed(values)
	if !ok {
		return dst, false
	}
	f.previews++
	f.preview = e
	if !f.asDiv && slices.Contains(f.open[:f.depth], tagP) {
		f.asDiv = true
		dst = append(dst, "iv"...)
		copy(dst[f.paragraph+len("<div"):], dst[f.paragraph+len("<p"):])
		copy(dst[f.paragraph:], "<div")
	}
	return appendEmbed(dst, e), true
}

// attachmentTag reads an attachment's attributes through ">", whatever they hold.
func (f *fast) attachmentTag() (values attachmentValues, ok bool) {
	seen := 0
	for f.at < len(f.body) && f.body[f.at] != '>' {
		rest := f.body[f.at:]
		equals := strings.IndexByte(rest, '=')
		if rest[0] != ' ' || equals < 2 || len(rest) < equals+2 || rest[equals+1] != '"' {
			return values, false
		}
		length := strings.IndexByte(rest[equals+2:], '"')
		if length < 0 {
			return values, false
		}
		name, value := rest[1:equals], rest[equals+2:equals+2+length]
		f.at += equals + 2 + length + 1
		i := attachmentIndex(name)
		if i < 0 || seen&(1<<i) != 0 || i <= contentTypeValue && strings.ContainsAny(value, "&\r\x00") {
			return values, false
		}
		seen |= 1 << i
		values[i] = value
	}
	if f.at == len(f.body) {
		return values, false
	}
	f.at++
	return values, true
}

func attachmentIndex(name string) int {
	for i := range attachmentAttributes {
		if attachmentAttributes[i].name == name {
			return i
		}
	}
	return -1
}

// fastEmbed reads a preview like embedOf, or gives up.
func fastEmbed(values *attachmentValues) (e embed, ok bool) {
	var decoded [4]string
	for i, value := range []string{values[hrefValue], values[filenameValue], values[captionValue], values[urlValue]} {
		if decoded[i], ok = decodeEntities(value); !ok {
			return embed{}, false
		}
	}
	e = embed{href: decoded[0], title: decoded[1], description: decoded[2], image: decoded[3]}
	if e.href == "" && e.title == "" {
		content, ok := decodeEntities(values[contentValue])
		if !ok {
			return embed{}, false
		}
		r := contentReader{fast: fast{body: content}, ok: true}
		if e = r.read(); !r.ok {
			return embed{}, false
		}
	}
	return e.finished()
}

// decodeEntities returns what a value means, if its entities are the usual ones.
func decodeEntities(value string) (string, bool) {
	if strings.ContainsAny(value, "\r\x00") {
		return "", false
	}
	if !strings.Contains(value, "&") {
		return value, true
	}
	out := make([]byte, 0, len(value))
	for i := 0; i < len(value); {
		if value[i] != '&' {
			next := strings.IndexByte(value[i:], '&')
			if next < 0 {
				next = len(value) - i
			}
			out = append(out, value[i:i+next]...)
			i += next
			continue
		}
		length, which := entity(value[i:])
		if length == 0 {
			return "", false
		}
		out = append(out, entityValues[which]...)
		i += length
	}
	return string(out), true
}

// speech watches what a body says, to tell whether that is only an address.
type speech struct {
	first  string // run of text
	runs   int
	closed bool // a block ended before the first run
	other  bool // something else speaks, or separates
}

func (s *speech) text(run string) {
	if s.runs++; s.runs == 1 {
		s.first = run
	}
}

func (s *speech) tag(t tag, end bool) {
	switch t {
	case tagP, tagDiv:
		s.closed = s.closed || end && s.runs == 0
	case tagA, tagB, tagCode, tagDel, tagEm, tagI, tagMark, tagS, tagSpan, tagStrong, tagU:
	default:
		s.other = true
	}
}

// only reports whether the plain text is the address of that page, and whether
// that can be told without computing it.
func (s *speech) only(page string) (only, sure bool) {
	if s.runs == 0 || strings.IndexByte("hH\n&", s.first[0]) < 0 {
		return false, true // an address begins with http
	}
	if s.runs > 1 || s.closed || s.other || strings.Contains(s.first, "\n") {
		return false, false
	}
	text, ok := decodeEntities(s.first)
	return samePage(page, text), ok
}
