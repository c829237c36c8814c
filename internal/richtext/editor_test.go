package richtext

import (
	"strings"
	"testing"
)

func TestAnEditorGetsWhatItCanChange(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{"", ""},
		{"<p>a <strong>b</strong></p>", "<p>a <strong>b</strong></p>"},
		{"<div>a<br>b</div>", "<p>a<br>b</p>"},
		{"<div><p>a</p></div>", "<div><p>a</p></div>"},
		{"<div>a<ul><li>b</li></ul></div>", "<div>a<ul><li>b</li></ul></div>"},
		{"https://x.test", "<p>https://x.test</p>"},
		{"a <b>b</b> c<br>d<p>e</p> \n <h1>f</h1>g", "<p>a <b>b</b> c<br>d</p><p>e</p><h1>f</h1><p>g</p>"},
		{"<p>a</p><script>b</script>\n", "<p>a</p>"},
		{`<a href="https://x.test" onclick="y">x</a><a href="javascript:z">z</a>`, `<p><a href="https://x.test">x</a><a>z</a></p>`},
		{"a<script>b</script><img src=x onerror=y>", "<p>a</p>"},
		{"<pre data-language=\"go\">\n\na</pre>", "<pre data-language=\"go\">\n\na</pre>"},
	} {
		if got := EditorHTML(test.body, cast); got != test.want {
			t.Errorf("%s\nis edited as %s\nwant         %s", test.body, got, test.want)
		}
	}
}

func TestAnEditorShowsMentionsAndKeepsTheirSignature(t *testing.T) {
	for _, sgid := range []string{kevinSGID, davidSGID, testKeys.MentionSGID(9)} {
		editable := EditorHTML(`<div>Hey `+mention(sgid)+`!</div>`, cast)
		if !strings.Contains(editable, ` sgid="`+sgid+`" content-type="application/vnd.campfire.mention" content="`) {
			t.Errorf("edited as %s", editable)
		}
		before, after := Render(mention(sgid), cast), Render(Canonical(editable), cast)
		if want := "<p>Hey " + before + "!</p>"; after != want {
			t.Errorf("after an edit it is shown as %s, want %s", after, want)
		}
	}
	shown := string(AppendEscape(nil, shownMention(kevinSGID, "/users/712064548", "Kevin", "Kevin – Reads logs")))
	if editable := EditorHTML(mention(kevinSGID), cast); !strings.Contains(editable, ` content="`+shown+`"`) {
		t.Errorf("the editor does not see the person: %s", editable)
	}
}

func TestAPreviewOfTheOldEditorSurvivesTheNewOne(t *testing.T) {
	const old = `<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="https://x.test/a" url="https://x.test/a.png" filename="Free &lt;cookies&gt;" caption="For all"></action-text-attachment>`
	editable := EditorHTML("<div>Look "+old+"</div>", cast)
	// What today's editor gives back: content and content type alone.
	root := mustParse(editable)
	var content string
	for n := range root.Descendants() {
		if isElement(n, attachmentTag) {
			content = attribute(n, "content")
		}
	}
	saved := `<action-text-attachment content="` + string(AppendEscape(nil, content)) + `" content-type="application/vnd.actiontext.opengraph-embed"></action-text-attachment>`
	if got, want := Render(Canonical(saved), cast), Render(old, cast); got != want || content == "" {
		t.Errorf("after an edit it is shown as %s, want %s", got, want)
	}
}
