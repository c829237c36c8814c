package richtext

import "strings"

// A contentReader reads the HTML that today's editor keeps for a preview, as long
// as it is exactly of this shape; embedFromContent reads whatever else there is.
//
//	<actiontext-opengraph-embed>
//	  <div class="og-embed …">
//	    <div class="og-embed__content">
//	      <div class="og-embed__title"><a href="…">…</a></div>
//	      <div class="og-embed__description">…</div>
//	    </div>
//	    <div class="og-embed__image"><img src="…"></div>
//	  </div>
//	</actiontext-opengraph-embed>
type contentReader struct {
	fast
	ok bool // so far
}

// maxContent is longer than any preview that is cut where it should be.
const maxContent = 4 << 10

func (r *contentReader) read() (e embed) {
	if len(r.body) > maxContent {
		r.ok = false
		return embed{}
	}
	const wrapper = "actiontext-opengraph-embed"
	wrapped := r.next("<" + wrapper)
	if wrapped {
		class, _ := r.start(wrapper, "")
		r.ok = r.ok && !strings.Contains(class, "og-embed__")
	}
	class, _ := r.start("div", "")
	r.ok = r.ok && !strings.Contains(class, "og-embed__")
	r.div("og-embed__content")
	r.div("og-embed__title")
	if r.next("<a ") {
		_, e.href = r.start("a", "href")
		e.title = r.text()
		r.end("a")
	} else {
		e.title = r.text()
	}
	r.end("div")
	if r.next("<div ") {
		r.div("og-embed__description")
		e.description = r.text()
		r.end("div")
	}
	r.end("div")
	if r.next("<div ") {
		r.div("og-embed__image")
		_, e.image = r.start("img", "src")
		r.end("div")
	}
	r.end("div")
	if wrapped {
		r.end(wrapper)
	}
	r.space()
	r.ok = r.ok && r.at == len(r.body)
	return e
}

func (r *contentReader) space() {
	for r.at < len(r.body) && (r.body[r.at] == ' ' || r.body[r.at] == '\n') {
		r.at++
	}
}

func (r *contentReader) next(text string) bool {
	r.space()
	return strings.HasPrefix(r.body[r.at:], text)
}

func (r *contentReader) div(class string) {
	got, _ := r.start("div", "")
	r.ok = r.ok && got == class
}

// start reads a start tag and returns its class and one more attribute.
func (r *contentReader) start(tag, attribute string) (class, value string) {
	r.ok = r.ok && r.next("<"+tag)
	if !r.ok {
		return "", ""
	}
	r.at += len("<") + len(tag)
	seenClass, seenValue := false, false
	for r.at < len(r.body) && r.body[r.at] != '>' {
		name, text, ok := r.attribute()
		switch {
		case !ok, name == "class" && seenClass, name == attribute && seenValue:
			r.ok = false
			return "", ""
		case name == "class":
			class, seenClass = text, true
		case name == attribute:
			value, seenValue = text, true
		}
	}
	if r.ok = r.at < len(r.body); r.ok {
		r.at++
	}
	return class, strings.ReplaceAll(value, "&amp;", "&")
}

func (r *contentReader) end(tag string) {
	closing := "</" + tag + ">"
	if r.ok = r.ok && r.next(closing); r.ok {
		r.at += len(closing)
	}
}

// text reads up to the next tag.
func (r *contentReader) text() string {
	if !r.ok {
		return ""
	}
	length := strings.IndexByte(r.body[r.at:], '<')
	if length < 0 {
		r.ok = false
		return ""
	}
	text, ok := decodeEntities(r.body[r.at : r.at+length])
	r.ok = r.ok && ok
	r.at += length
	return text
}
