package bench

import (
	"fmt"
	"html"
	"math/rand/v2"
	"strings"
)

// body is one message's body: as it is stored, as it is indexed, and the text
// that a page which shows it must hold.
type body struct {
	html, plain []byte
	begins      string
}

// writer makes bodies, the same ones from the same random numbers. About two
// thirds are a line or two, the rest long, or with mentions, links, code, lists
// and quotations; half have the old editor's markup, half the new one's.
type writer struct {
	random *rand.Rand
	people []person
	body   body
	trix   bool // this body has the old editor's markup
}

// snippetMax is how many bytes of a body a page is searched for.
const snippetMax = 40

// write makes the next body, with word in it unless word is empty. It is good
// until the next call.
func (w *writer) write(word string) *body {
	w.body = body{html: w.body.html[:0], plain: w.body.plain[:0]}
	w.trix = w.random.IntN(2) == 0
	switch kind := w.random.IntN(100); {
	case kind < 4 && word == "":
		w.emoji()
	case kind < 38:
		w.paragraph(1+w.random.IntN(8), word, nil)
	case kind < 66:
		w.paragraph(8+w.random.IntN(22), word, nil)
	case kind < 76:
		w.long(word)
	case kind < 84:
		w.paragraph(2+w.random.IntN(12), word, w.mention)
	case kind < 90:
		w.paragraph(2+w.random.IntN(10), word, w.link)
	case kind < 94:
		w.paragraph(1+w.random.IntN(6), word, nil)
		w.code()
	case kind < 97:
		w.paragraph(1+w.random.IntN(6), word, nil)
		w.list()
	default:
		w.quotation()
		w.paragraph(3+w.random.IntN(12), word, nil)
	}
	w.body.plain = []byte(strings.TrimRight(string(w.body.plain), "\n"))
	return &w.body
}

func (w *writer) emoji() {
	text := emojiBodies[w.random.IntN(len(emojiBodies))]
	w.body.begins = text
	w.open()
	w.both(text)
	w.close()
}

func (w *writer) open() {
	if w.trix {
		w.tag("<div>")
	} else {
		w.tag("<p>")
	}
}

func (w *writer) close() {
	if w.trix {
		w.tag("</div>")
		w.plain("\n")
	} else {
		w.tag("</p>")
		w.plain("\n\n")
	}
}

// paragraph writes n words, word among them, and ends with what last writes.
func (w *writer) paragraph(n int, word string, last func()) {
	w.open()
	w.words(n, word)
	if last != nil {
		w.both(" ")
		last()
	}
	w.close()
}

func (w *writer) words(n int, word string) {
	first := len(w.body.html)
	at := -1
	if word != "" {
		at = w.random.IntN(n)
	}
	for i := range n {
		if i > 0 {
			w.both(" ")
		}
		next := w.word()
		if i == at {
			next = word
		}
		w.both(next)
	}
	if w.body.begins == "" {
		run := w.body.html[first:]
		w.body.begins = string(run[:min(len(run), snippetMax)])
	}
}

// word picks from the vocabulary as people do: few words very often.
func (w *writer) word() string {
	u := w.random.Float64()
	return vocabulary[int(u*u*u*float64(len(vocabulary)))]
}

func (w *writer) long(word string) {
	paragraphs := 2 + w.random.IntN(3)
	for i := range paragraphs {
		w.paragraph(25+w.random.IntN(45), word, nil)
		if w.trix && i < paragraphs-1 {
			w.tag("<div><br></div>")
			w.plain("\n\n")
		}
		word = ""
	}
}

func (w *writer) mention() {
	p := w.people[w.random.IntN(len(w.people))]
	w.tag(`<action-text-attachment sgid="` + p.sgid + `" content-type="application/vnd.campfire.mention"></action-text-attachment>`)
	w.plain("@" + p.name)
}

func (w *writer) link() {
	address := fmt.Sprintf("https://example.com/%s/%s-%d?tab=%d&sort=new", w.word(), w.word(), w.random.IntN(10_000), w.random.IntN(4))
	if w.random.IntN(2) == 0 {
		w.both(address)
		return
	}
	w.tag(`<a href="` + html.EscapeString(address) + `">`)
	w.both(w.word() + " " + w.word())
	w.tag("</a>")
}

func (w *writer) code() {
	w.tag("<pre>")
	from := w.random.IntN(len(codeLines))
	for i := range 2 + w.random.IntN(8) {
		if i > 0 {
			w.both("\n")
		}
		w.both(codeLines[(from+i)%len(codeLines)])
	}
	w.tag("</pre>")
}

func (w *writer) list() {
	w.tag("<ul>")
	for range 2 + w.random.IntN(4) {
		w.tag("<li>")
		w.plain("• ")
		w.words(1+w.random.IntN(7), "")
		w.tag("</li>")
		w.plain("\n")
	}
	w.tag("</ul>")
}

func (w *writer) quotation() {
	w.tag("<blockquote>")
	w.plain("“")
	w.words(3+w.random.IntN(10), "")
	w.plain("”\n\n")
	w.tag("</blockquote>")
}

// both writes text to the stored and to the indexed form.
func (w *writer) both(text string) {
	if strings.ContainsAny(text, `&<>`) {
		w.tag(markupEscaper.Replace(text))
	} else {
		w.tag(text)
	}
	w.plain(text)
}

// markupEscaper writes text as HTML5 serialises it between tags.
var markupEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

func (w *writer) tag(markup string) { w.body.html = append(w.body.html, markup...) }

func (w *writer) plain(text string) { w.body.plain = append(w.body.plain, text...) }
