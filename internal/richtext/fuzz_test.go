package richtext

import (
	"bytes"
	"html"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hearth/internal/rails"
)

// cast are the people whom mentions in the tests may point to. Everybody whose
// id ends in 9 is gone.
func cast(id int64) (Person, bool) {
	switch id {
	case 712064548:
		return Person{ID: id, Name: "Kevin", Title: "Kevin – Reads logs", AvatarURL: "/users/kevin/avatar?v=1"}, true
	case 127326141:
		return Person{ID: id, Name: "David", Title: "David", AvatarURL: "/users/david/avatar?v=1"}, true
	}
	return Person{ID: id, Name: `<b>"O'Odd" & Co`, Title: `<i>"x"`, AvatarURL: `/users/o/avatar?a=1&b="`}, id%10 != 9
}

var testKeys = rails.NewKeys("a secret for the tests of rich text")

// addSeeds starts from one body of every kind.
func addSeeds(f *testing.F) {
	for i, body := range bodies(f) {
		if i%100 == 0 || len(body) > 90 {
			f.Add(body)
		}
	}
	for _, body := range hostile {
		f.Add(body)
	}
}

func FuzzRender(f *testing.F) {
	addSeeds(f)
	f.Fuzz(checkShown)
}

// checkShown holds what must be true of every body, whoever wrote it.
func checkShown(t *testing.T, body string) {
	shown := string(Render(body, cast))
	body = valid(body)
	if fast, ok := appendFast(nil, body, cast); ok {
		if slow := appendSlow(nil, body, cast); string(fast) != string(slow) {
			t.Errorf("%q\nfast %s\nslow %s", body, fast, slow)
		}
	}
	if why := unsafe(shown); why != "" {
		t.Errorf("%q is shown as\n%s\n%s", body, shown, why)
	}
	if why := misnested(shown); why != "" {
		t.Errorf("%q is shown as\n%s\n%s", body, shown, why)
	}
	var asked []int64
	behind := AppendRender([]byte("before"), body, func(id int64) (Person, bool) {
		asked = append(asked, id)
		return cast(id)
	})
	if string(behind) != "before"+shown {
		t.Errorf("%q is shown otherwise behind other bytes", body)
	}
	known := MentionIDs(body)
	for _, id := range asked {
		if !slices.Contains(known, id) {
			t.Errorf("%q shows person %d, whom MentionIDs doesn't name (%v)", body, id, known)
		}
	}
}

func FuzzTexts(f *testing.F) {
	addSeeds(f)
	f.Fuzz(checkTexts)
}

// checkTexts holds what must be true of everything else that is made of a body.
func checkTexts(t *testing.T, body string) {
	if escaped := AppendEscape(nil, body); bytes.ContainsAny(escaped, "<>\"'\r") || html.UnescapeString(string(escaped)) != body {
		t.Errorf("%q is escaped as %q", body, escaped)
	}
	stored := Canonical(body)
	if !utf8.ValidString(stored) {
		t.Errorf("%q is stored as bytes that are not UTF-8", body)
	}
	plain := PlainText(stored, cast)
	if strings.HasSuffix(plain, "\n") || !utf8.ValidString(plain) {
		t.Errorf("%q reads %q", body, plain)
	}
	if _, sound := Sound(plain); sound && EmojiOnly(plain) {
		t.Errorf("%q is a sound and emoji; its text is %q", stored, plain)
	}
	known := MentionIDs(stored)
	for _, id := range Mentions(stored, testKeys) {
		if !slices.Contains(known, id) {
			t.Errorf("%q mentions %d, whom MentionIDs doesn't name", stored, id)
		}
	}
	editable := EditorHTML(stored, cast)
	if why := unsafe(withoutAttachments(editable)); why != "" {
		t.Errorf("%q is edited as\n%s\n%s", stored, editable, why)
	}
	if why := unsafe(string(Render(Canonical(editable), cast))); why != "" {
		t.Errorf("after an edit, %q is unsafe: %s", stored, why)
	}
}

// withoutAttachments takes out the attachments of an editor's HTML, whose values
// are escaped, so that their tags end at the first ">".
func withoutAttachments(editable string) string {
	var out strings.Builder
	for {
		before, after, found := strings.Cut(editable, "<"+attachmentTag)
		out.WriteString(before)
		if !found {
			return out.String()
		}
		_, editable, _ = strings.Cut(after, "></"+attachmentTag+">")
	}
}

// vocabulary is what bodies are put together from, so that markup of every kind
// meets every other much sooner than by changing bytes.
var vocabulary = []string{
	"<p>", "</p>", "<div>", "</div>", "<b>", "</b>", "<strong>", "</strong>", `<a href="https://x.test/?a=1&amp;b">`, "</a>", "<code>", "</code>",
	"<pre>", "</pre>", "<ul>", "</ul>", "<ol>", "</ol>", "<li>", "</li>", "<blockquote>", "</blockquote>", "<h1>", "</h1>", "<br>", "<br/>", "<hr>",
	`<span class="x">`, "</span>", `<i title='a"b'>`, "</i>", "<table><tr><td>", "</table>", "<script>", "</script>", "<!--", "-->", "<svg>", "</svg>",
	"<img src=x onerror=y>", "<style>", "</style>", "<button>", "</button>", `<p class="a&amp;b" id="c">`, `<a href="javascript:x" name="y">`, `<pre data-language="go">`,
	"\n", " ", "text", "&amp;", "&lt;", "&nbsp;", "&quot;", "&#39;", "&copy;", "&", "<", ">", `"`, "'", "=", "\x00", "\r", "\xff", "é", "🎉",
	"https://x.test/a", "http://", "www.", "www.y.test", "a@b.co", "@", ".", "(", ")", "h", "/play bell", "/play ",
	mention(kevinSGID), mention(davidSGID), mention("x"), mention(testKeys.MentionSGID(9)), mention(testKeys.MentionSGID(1)), "<action-text-attachment>", "</action-text-attachment>",
	`<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="https://x.test/a" url="https://x.test/a.png" filename="T" caption="D"></action-text-attachment>`,
	`<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" content="`, `"></action-text-attachment>`,
	`<div class=&quot;og-embed&quot;>`, `&lt;div class=&#34;og-embed__content&#34;&gt;`, `<div class=&quot;og-embed__title&quot;>`, `<div class=&quot;og-embed__description&quot;>`,
	`<div class=&quot;og-embed__image&quot;>`, `<img src=&quot;https://x.test/i.png&quot;>`, `<a href=&quot;https://x.test/a&quot;>`, `<actiontext-opengraph-embed>`, `</actiontext-opengraph-embed>`,
	`<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" content="<div class=&quot;og-embed&quot;><div class=&quot;og-embed__content&quot;><div class=&quot;og-embed__title&quot;>`,
	`</div></div></div>"></action-text-attachment>`, `<action-text-attachment content-type="text/html" content="`,
}

// compose makes a body of what each byte stands for.
func compose(choices []byte) string {
	var body strings.Builder
	for _, choice := range choices {
		body.WriteString(vocabulary[int(choice)%len(vocabulary)])
	}
	return body.String()
}

func FuzzComposed(f *testing.F) {
	for i := range vocabulary {
		f.Add([]byte{0, byte(i), 1})
		f.Add([]byte{byte(i), byte(i + 1), byte(i + 2), byte(i + 3)})
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		body := compose(choices[:min(len(choices), 64)])
		checkShown(t, body)
		checkTexts(t, body)
	})
}

// wellFormed makes a body whose tags close in order, as editors write them.
func wellFormed(random *rand.Rand, depth int) string {
	pairs := [][2]string{
		{"<p>", "</p>"}, {"<div>", "</div>"}, {"<strong>", "</strong>"}, {"<em>", "</em>"}, {`<a href="https://x.test/">`, "</a>"}, {"<code>", "</code>"},
		{"<pre>", "</pre>"}, {"<ul><li>", "</li></ul>"}, {"<ol><li>", "</li><li>y</li></ol>"}, {"<blockquote>", "</blockquote>"}, {"<h2>", "</h2>"}, {`<span class="x">`, "</span>"},
	}
	leaves := []string{
		"text", " ", "\n", "<br>", "&amp;", "h", "https://x.test/a", "www.y.test.", "a@b.co", mention(kevinSGID), mention(davidSGID), mention(testKeys.MentionSGID(9)),
		`<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="https://x.test/a" filename="T"></action-text-attachment>`,
		`<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" content="<div class=&quot;og-embed&quot;><div class=&quot;og-embed__content&quot;><div class=&quot;og-embed__title&quot;><a href=&quot;https://x.test/a&quot;>T</a></div></div></div>"></action-text-attachment>`,
	}
	var body strings.Builder
	for range 1 + random.IntN(4) {
		if depth > 0 && random.IntN(2) == 0 {
			pair := pairs[random.IntN(len(pairs))]
			body.WriteString(pair[0] + wellFormed(random, depth-1) + pair[1])
		} else {
			body.WriteString(leaves[random.IntN(len(leaves))])
		}
	}
	return body.String()
}

func TestBodiesPutTogetherAtRandomAreSafe(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	onePass := 0
	for range 300 {
		choices := make([]byte, random.IntN(12))
		for i := range choices {
			choices[i] = byte(random.IntN(len(vocabulary)))
		}
		for _, body := range []string{compose(choices), wellFormed(random, 3)} {
			checkShown(t, body)
			checkTexts(t, body)
			if _, ok := appendFast(nil, body, cast); ok {
				onePass++
			}
		}
	}
	if onePass < 75 {
		t.Errorf("only %d of 600 bodies compare the two ways to render", onePass)
	}
}
