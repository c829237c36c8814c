package richtext

import (
	"strings"
	"testing"
)

func TestStoredBodiesOfTheSampleAreCanonical(t *testing.T) {
	for _, body := range bodies(t) {
		if got := Canonical(body); got != body && !strings.Contains(body, "&#34;") {
			t.Errorf("%s\nis stored as %s", body, got)
		}
	}
}

func TestBodiesAreStoredInOneForm(t *testing.T) {
	const png = `{"sgid":"S","contentType":"image/png","url":"/u","filename":"a&b.png","filesize":12,"width":1.5,"previewable":true,"href":null,"other":"x","content":"<b>"}`
	for _, test := range []struct{ body, want string }{
		{" \n<p>a</p>\t", "<p>a</p>"},
		{"", ""},
		{"a < b & c", "a &lt; b &amp; c"},
		{"<P CLASS=x>a<BR>b", `<p class="x">a<br>b</p>`},
		{"<p>a<p>b", "<p>a</p><p>b</p>"},
		{"a<script>b < c</script><img src=x onerror=y>", `a<script>b < c</script><img src="x" onerror="y">`},
		{"a<!-- b -->c", "ac"},
		{"<pre>\n\na</pre>", "<pre>\n\na</pre>"},
		{"a\xffb", "a\uFFFDb"},
		{`<figure data-trix-attachment='` + png + `' data-trix-attributes='{"caption":"C","presentation":"gallery"}' class="x"><img src="y"></figure>`,
			`<action-text-attachment sgid="S" content-type="image/png" url="/u" filename="a&amp;b.png" filesize="12" width="1.5" previewable="true" content="&lt;b&gt;" caption="C" presentation="gallery"></action-text-attachment>`},
		{`<figure data-trix-attachment="nonsense">x</figure>`, `<action-text-attachment></action-text-attachment>`},
		{`<action-text-attachment sgid="S" content="c" foo="bar">inside<b>x</b></action-text-attachment>after`, `<action-text-attachment sgid="S" content="c" foo="bar"></action-text-attachment>after`},
		{`<div class="g"><action-text-attachment presentation="gallery"></action-text-attachment> <action-text-attachment presentation="gallery"></action-text-attachment></div>`,
			`<div><action-text-attachment presentation="gallery"></action-text-attachment> <action-text-attachment presentation="gallery"></action-text-attachment></div>`},
		{`<div class="g"><action-text-attachment presentation="gallery"></action-text-attachment></div>`, `<div class="g"><action-text-attachment presentation="gallery"></action-text-attachment></div>`},
		{`<div class="g">x<action-text-attachment presentation="gallery"></action-text-attachment><action-text-attachment presentation="gallery"></action-text-attachment></div>`,
			`<div class="g">x<action-text-attachment presentation="gallery"></action-text-attachment><action-text-attachment presentation="gallery"></action-text-attachment></div>`},
		{strings.Repeat("<div>", 600) + "deep", "deep"},
	} {
		got := Canonical(test.body)
		if got != test.want {
			t.Errorf("%q\nis stored as %s\nwant         %s", test.body, got, test.want)
		}
		if again := Canonical(got); again != got {
			t.Errorf("%q changes when it is stored again: %s", got, again)
		}
	}
}

// TestLargeHonestBodiesKeepTheirMarkup guards against counting too much.
func TestLargeHonestBodiesKeepTheirMarkup(t *testing.T) {
	row := "<tr><td><p>cell</p></td><td><p>cell</p></td><td><p>cell</p></td></tr>"
	for name, body := range map[string]string{
		"a long table":   "<table><tbody><tr><th><p><b>head</b></p></th></tr>" + strings.Repeat(row, 1000) + "</tbody></table>",
		"a long list":    "<ul>" + strings.Repeat("<li>one <strong>two</strong> <a href=\"https://x.test\">three</a></li>", 5000) + "</ul>",
		"a long article": strings.Repeat("<h1>x</h1><p>one <em>two <strong>three</strong></em> <code>four</code><br></p><blockquote><p>five</p></blockquote>", 3000),
		"a long log":     "<pre>" + strings.Repeat("line<br>", 50000) + "</pre>",
		"a long thread":  strings.Repeat("<blockquote>", 100) + "x" + strings.Repeat("</blockquote>", 100) + strings.Repeat("<p>y</p>", 2000),
	} {
		if got := Canonical(body); got != body {
			t.Errorf("%s is not stored as it is: %.200s", name, got)
		}
	}
}
