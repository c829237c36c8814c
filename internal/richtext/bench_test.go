package richtext

import (
	"html"
	"strings"
	"testing"
)

// What a body costs to show, by kind, beside its floor: to escape the same bytes,
// as a page of plain text would. The page is 40 messages of the sample's busiest
// room, one of them with a mention. People come from a map, as a page loads them.
//
//	go test -run '^$' -bench . -benchmem ./internal/richtext
var benchBodies = map[string]string{
	"text":    "<div>Morning! Anyone around? The coffee machine is fixed, and the plants in the kitchen are new.</div>",
	"rich":    "<p>Here is the plan for the <strong>spring launch</strong>, as discussed on <em>Friday</em>:</p><ol><li>Finish the copy</li><li>Record the video</li><li>Ship it on <code>2026-03-16</code></li></ol><blockquote>Slow is smooth.</blockquote><p>Everything else can wait.</p>",
	"link":    "<p>Have a look at https://example.com/cookies?free=1&amp;kind=any, and write to me@example.com about it.</p>",
	"preview": `<p>Look: <a href="https://example.com/cookies">https://example.com/cookies</a><action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" content="&lt;actiontext-opengraph-embed&gt;&lt;div class=&#34;og-embed gap&#34;&gt;&lt;div class=&#34;og-embed__content&#34;&gt;&lt;div class=&#34;og-embed__title&#34;&gt;&lt;a href=&#34;https://example.com/cookies&#34;&gt;Free cookies&lt;/a&gt;&lt;/div&gt;&lt;div class=&#34;og-embed__description&#34;&gt;A bakery gives a cookie to anyone who asks nicely.&lt;/div&gt;&lt;/div&gt;&lt;/div&gt;&lt;/actiontext-opengraph-embed&gt;"></action-text-attachment></p>`,
	"mention": `<div>Hey ` + mention(kevinSGID) + `, can you check the table?</div>`,
}

var benchPeople = map[int64]Person{712064548: {ID: 712064548, Name: "Kevin", Title: "Kevin – Reads logs", AvatarURL: "/users/kevin/avatar?v=1"}}

func findBenchPerson(id int64) (Person, bool) {
	p, ok := benchPeople[id]
	return p, ok
}

// page is the bodies of one page of a room.
func page(b *testing.B) (list []string, size int64) {
	all := bodies(b)
	for _, body := range all {
		if strings.HasPrefix(body, "<div>0") || strings.HasPrefix(body, "<p>0") {
			list = append(list, body)
		}
	}
	if list = list[:min(40, len(list))]; len(list) < 40 {
		b.Fatalf("only %d bodies", len(list))
	}
	for _, body := range list {
		size += int64(len(body))
	}
	return list, size
}

func benchEach(b *testing.B, work func(dst []byte, body string) []byte) {
	for _, name := range []string{"text", "rich", "link", "mention", "preview"} {
		b.Run(name, func(b *testing.B) {
			body := benchBodies[name]
			buffer := make([]byte, 0, 8<<10)
			b.SetBytes(int64(len(body)))
			b.ReportAllocs()
			for b.Loop() {
				work(buffer, body)
			}
		})
	}
	b.Run("page", func(b *testing.B) {
		list, size := page(b)
		buffer := make([]byte, 0, 64<<10)
		b.SetBytes(size)
		b.ReportAllocs()
		for b.Loop() {
			dst := buffer
			for _, body := range list {
				dst = work(dst, body)
			}
		}
	})
}

func BenchmarkFloorEscape(b *testing.B) {
	benchEach(b, func(dst []byte, body string) []byte { return AppendEscape(dst, body) })
}

func BenchmarkFloorStandardEscape(b *testing.B) {
	benchEach(b, func(dst []byte, body string) []byte { return append(dst, html.EscapeString(body)...) })
}

func BenchmarkAppendRender(b *testing.B) {
	benchEach(b, func(dst []byte, body string) []byte { return AppendRender(dst, body, findBenchPerson) })
}

func BenchmarkRenderByTree(b *testing.B) {
	benchEach(b, func(dst []byte, body string) []byte { return appendSlow(dst, body, findBenchPerson) })
}

func BenchmarkOracle(b *testing.B) {
	policy := oracle()
	benchEach(b, func(dst []byte, body string) []byte { return append(dst, policy.Sanitize(body)...) })
}

func BenchmarkMentionIDs(b *testing.B) {
	benchEach(b, func(dst []byte, body string) []byte { MentionIDs(body); return dst })
}

func BenchmarkPlainText(b *testing.B) {
	benchEach(b, func(dst []byte, body string) []byte { return append(dst, PlainText(body, findBenchPerson)...) })
}

func BenchmarkCanonical(b *testing.B) {
	benchEach(b, func(dst []byte, body string) []byte { return append(dst, Canonical(body)...) })
}
