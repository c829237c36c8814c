package richtext

import (
	"strings"
	"testing"
)

func TestPlainTextFollowsTheMarkup(t *testing.T) {
	for _, test := range []struct{ body, want string }{
		{"", ""},
		{"text", "text"},
		{"<div>a<br>b</div><div>c</div>", "a\nb\nc"},
		{"<p>a</p><p>b</p>", "a\n\nb"},
		{"<p>a\n\n</p>\n<p>b</p>", "a\n\nb"},
		{"<h1>a</h1>b<h2>c</h2>d", "a\n\nbc\n\nd"},
		{"<ul><li>a</li><li>b</li></ul>c", "• a\n• b\n\nc"},
		{"<ol><li>a</li><li>b</li></ol>", "1. a\n2. b"},
		{"<ul><li>a<ol><li>b</li><li>c</li></ol></li><li>d</li></ul>", "• a\n  1. b\n  2. c\n• d"},
		{"<blockquote> a b </blockquote>c", " “a b” \n\nc"},
		{"<blockquote></blockquote>", "“”"},
		{"<blockquote><p>a</p><p>b</p></blockquote>c", "“a\n\nb”\n\nc"},
		{"<figure>x<figcaption>y</figcaption></figure>", "x[y]"},
		{"a<script>b</script><style>c</style>d", "ad"},
		{"<table><tr><td>a</td><td>b</td></tr></table>", "ab"},
		{"<pre>a\n  b\n</pre>c", "a\n  b\n\nc"},
		{"&lt;b&gt; &amp; &nbsp;", "<b> & \u00a0"},
		{"<div>Hey " + mention(kevinSGID) + ", " + mention(davidSGID) + "</div>", "Hey @Kevin, @David"},
		{"Hey " + mention(testKeys.MentionSGID(9)) + "!", "Hey !"},
		{`a<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="https://x.test" filename="b" caption="c"></action-text-attachment>d`, "ad"},
		{`a<action-text-attachment content-type="text/html" content="<p>b</p><p>c</p>"></action-text-attachment>d`, "ab\n\ncd"},
		{`a<action-text-attachment content-type="image/png" url="/x"></action-text-attachment><action-text-attachment content-type="image/png" url="/x" caption="c"></action-text-attachment>`, "a[Image][c]"},
		{`a<action-text-attachment content-type="x/y" caption="c"></action-text-attachment>`, "ac"},
	} {
		if got := PlainText(test.body, cast); got != test.want {
			t.Errorf("%s reads %q, want %q", test.body, got, test.want)
		}
	}
}

func TestSoundsAndEmojiAreToldFromText(t *testing.T) {
	for _, test := range []struct {
		body  string
		emoji bool
		sound string
	}{
		{"/play bell", false, "bell"},
		{"<div>/play 56k</div>", false, "56k"},
		{"<p>/play bell<br></p>", false, "bell"},
		{"<p>/play bell now</p>", false, ""},
		{"<p> /play bell</p>", false, ""},
		{"<p>/play nothing</p>", false, ""},
		{"<p>/play <b>bell</b></p>", false, "bell"},
		{"&#47;play bell", false, "bell"},
		{"/play ", false, ""},
		{"bell", false, ""},
		{"🎉", true, ""},
		{"<div>🔥👍❤️</div>", true, ""},
		{"<p>©</p>", true, ""},
		{"🔥 💯", false, ""},
		{"<p>👩‍🚀</p>", false, ""},
		{"<p>1️⃣</p>", false, ""},
		{"<p>🎉!</p>", false, ""},
		{"<p></p>", false, ""},
		{"7", false, ""},
	} {
		plain := PlainText(test.body, cast)
		if name, _ := Sound(plain); EmojiOnly(plain) != test.emoji || name != test.sound {
			t.Errorf("%q: EmojiOnly = %v, Sound = %q; want %v, %q", plain, EmojiOnly(plain), name, test.emoji, test.sound)
		}
	}
	if len(sounds) != 56 {
		t.Errorf("%d sounds, want 56", len(sounds))
	}
}

func TestEscapingCoversTextAndAttributes(t *testing.T) {
	got := string(AppendEscape([]byte("x"), `<a href="1">O'H & co</a>`+"\r"))
	want := "x&lt;a href=&#34;1&#34;&gt;O&#39;H &amp; co&lt;/a&gt;&#13;"
	if got != want {
		t.Errorf("escaped as %s, want %s", got, want)
	}
	buffer := make([]byte, 0, 4096)
	text := strings.Repeat("a<b&c", 50)
	if n := testing.AllocsPerRun(100, func() { AppendEscape(buffer, text) }); n != 0 {
		t.Errorf("escaping takes %v allocations", n)
	}
}
