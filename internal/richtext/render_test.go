package richtext

import (
	"strings"
	"testing"
)

// Two mentions of one installation, of today and of Rails 7, and nobody's.
const (
	kevinSGID = "eyJfcmFpbHMiOnsiZGF0YSI6ImdpZDovL2NhbXBmaXJlL1VzZXIvNzEyMDY0NTQ4P2V4cGlyZXNfaW4iLCJwdXIiOiJhdHRhY2hhYmxlIn19--0c54b3e198096aded52de1cfe71b698d598daed9"
	davidSGID = "eyJfcmFpbHMiOnsibWVzc2FnZSI6IkJBaEpJaTFuYVdRNkx5OWpZVzF3Wm1seVpTOVZjMlZ5THpFeU56TXlOakUwTVQ5bGVIQnBjbVZ6WDJsdUJqb0dSVlE9IiwiZXhwIjpudWxsLCJwdXIiOiJhdHRhY2hhYmxlIn19--0123456789012345678901234567890123456789"
)

func mention(sgid string) string {
	return `<action-text-attachment sgid="` + sgid + `" content-type="application/vnd.campfire.mention"></action-text-attachment>`
}

func shownMention(sgid, path, name, title string) string {
	return `<span class="mention" sgid="` + sgid + `"><a href="` + path + `" class="btn avatar" title="` + title + `" data-turbo-frame="_top">` +
		`<img src="/users/` + strings.ToLower(name) + `/avatar?v=1" alt="" aria-hidden="true" loading="lazy"></a>@` + name + `</span>`
}

// A render says how a body is shown, and whether in one pass.
type render struct {
	body, want string
	fast       bool
}

func checkRenders(t *testing.T, renders []render) {
	t.Helper()
	for _, r := range renders {
		if got := string(Render(r.body, cast)); got != r.want {
			t.Errorf("%s\nis shown as %s\nwant        %s", r.body, got, r.want)
		}
		if got := string(appendSlow(nil, valid(r.body), cast)); got != r.want {
			t.Errorf("%s\nby its tree is shown as %s\nwant                    %s", r.body, got, r.want)
		}
		if _, fast := appendFast(nil, r.body, cast); fast != r.fast {
			t.Errorf("%s: one pass is enough: %v, want %v", r.body, fast, r.fast)
		}
	}
}

func TestBodiesOfBothEditorsAreShownAsTheyAre(t *testing.T) {
	for _, body := range []string{
		"A quiet engine is a promise kept.", "<div>Morning!<br>Anyone <strong>around</strong>?</div>", "<p>013. <em>New</em> <code>x &lt; y</code></p><p><s>a</s> <u>b</u> <mark>c</mark> <del>d</del></p>",
		`<ul><li>a</li><li>b<ol><li>c</li></ol></li></ul><blockquote>q</blockquote><h1>h</h1>`, `<pre data-language="ruby">def x
  1
end</pre>`, `<p class="a b" title="t" lang="de">x</p>`, `<a href="https://x.test" class="b" title="c" target="_blank" rel="noopener noreferrer">x</a>`, "<p>日本語 \u00a0 &amp; “quotes” \"plain\" it's</p>", "",
	} {
		checkRenders(t, []render{{body, body, true}})
	}
}

func TestWhatIsNotAllowedGoesWithItsContent(t *testing.T) {
	checkRenders(t, []render{
		{`a<script>alert(1)</script>b`, `ab`, false},
		{`<p>a<img src="x">b<table><tr><td>c</td></tr></table></p>`, `<p>ab</p><p></p>`, false},
		{`<p onclick="x" id="y" name="z" style="w" data-controller="v" dir="rtl">a</p>`, `<p>a</p>`, true},
		{`<a name="b" id="c">a</a>`, `<a>a</a>`, true},
		{`<a href="javascript:alert(1)" onclick="alert(2)">bad link</a>`, `<a>bad link</a>`, false},
		{`<a href=" java&#9;script:alert(1)">x</a>`, `<a>x</a>`, false},
		{`<a href="/rooms/1" class="x">room</a>`, `<a href="/rooms/1" class="x">room</a>`, false},
		{`<a href="mailto:a@b.co">mail</a>`, `<a href="mailto:a@b.co">mail</a>`, false},
		{`<a href="https://x.test/?a=1&amp;b=2">x</a>`, `<a href="https://x.test/?a=1&amp;b=2" target="_blank" rel="noopener noreferrer">x</a>`, true},
		{`<figure>a<figcaption>b</figcaption></figure>`, `ab`, false},
		{`<p>a<!-- b --></p>`, `<p>a</p>`, false},
		{`<p>a<b>c`, `<p>a<b>c</b></p>`, false},
		{`<blockquote cite="javascript:x">a</blockquote>`, `<blockquote>a</blockquote>`, false},
	})
}

// TestAnAddressInAnAttributeIsNotLinked is the fault that made stored markup run.
func TestAnAddressInAnAttributeIsNotLinked(t *testing.T) {
	checkRenders(t, []render{{
		`<a title="> http://x.test/ onmouseover=alert(1)">t</a>`,
		`<a title="&gt; http://x.test/ onmouseover=alert(1)">t</a>`, false,
	}})
}

func TestBareAddressesBecomeLinks(t *testing.T) {
	web := func(href, text string) string {
		return `<a href="` + href + `" target="_blank" rel="noopener noreferrer">` + text + `</a>`
	}
	mail := func(address string) string { return `<a href="mailto:` + address + `">` + address + `</a>` }
	for _, test := range []struct{ text, want string }{
		{"https://x.test", web("https://x.test", "https://x.test")},
		{"see http://x.test/a.", "see " + web("http://x.test/a", "http://x.test/a") + "."},
		{"(https://x.test/a_(b))", "(" + web("https://x.test/a_(b)", "https://x.test/a_(b)") + ")"},
		{"https://x.test/?a=1&amp;b=2#c!", web("https://x.test/?a=1&amp;b=2#c", "https://x.test/?a=1&amp;b=2#c") + "!"},
		{"HTTP://X.test, www.y.test; WWW.z.test", web("HTTP://X.test", "HTTP://X.test") + ", " + web("http://www.y.test", "www.y.test") + "; " + web("http://WWW.z.test", "WWW.z.test")},
		{"a@b.co and c.d+e@f-g.example.org.", mail("a@b.co") + " and " + mail("c.d+e@f-g.example.org") + "."},
		{`"https://x.test/"`, `"` + web("https://x.test/", "https://x.test/") + `"`},
		{"https://x.test/'y", web("https://x.test/&#39;y", "https://x.test/'y")},
		{"https://x.test/\u00a0y", web("https://x.test/", "https://x.test/") + "\u00a0y"},
		{"見てhttps://x.test/日本", "見て" + web("https://x.test/日本", "https://x.test/日本")},
		{"https://x.test&lt;b&gt;", web("https://x.test", "https://x.test") + "&lt;b&gt;"},
		{"https://[::1]:3000/", web("https://[::1]:3000/", "https://[::1]:3000/")},
		{"https://a@b.co/", web("https://a@b.co/", "https://a@b.co/")},
		{"http:// www. a@b a@b.c @b.co xhttp://x.test wwww.x.test javascript:x ftp://x.test", "http:// www. a@b a@b.c @b.co xhttp://x.test wwww.x.test javascript:x ftp://x.test"},
	} {
		checkRenders(t, []render{{"<p>" + test.text + "</p>", "<p>" + test.want + "</p>", true}})
	}
}

func TestAddressesStayTextInLinksAndCode(t *testing.T) {
	for _, body := range []string{
		"<code>https://x.test a@b.co</code>", "<pre>www.x.test</pre>", "<pre><code>https://x.test</code></pre>",
	} {
		checkRenders(t, []render{{body, body, true}})
	}
	checkRenders(t, []render{{
		`<a href="https://x.test">https://<b>y.test</b></a>`,
		`<a href="https://x.test" target="_blank" rel="noopener noreferrer">https://<b>y.test</b></a>`, true,
	}})
}

func TestMentionsShowThePersonOfToday(t *testing.T) {
	checkRenders(t, []render{
		{`<div>Hey ` + mention(kevinSGID) + `, look</div>`, `<div>Hey ` + shownMention(kevinSGID, "/users/712064548", "Kevin", "Kevin – Reads logs") + `, look</div>`, true},
		{`<p><action-text-attachment sgid="` + kevinSGID + `" content-type="application/vnd.campfire.mention" content="<div class=&quot;mention&quot;>Kevin</div>"></action-text-attachment></p>`,
			`<p>` + shownMention(kevinSGID, "/users/712064548", "Kevin", "Kevin – Reads logs") + `</p>`, true}, // as the old server writes it
		{`<p>` + mention(davidSGID) + `</p>`, `<p>` + shownMention(davidSGID, "/users/127326141", "David", "David") + `</p>`, true},
		{`<p><action-text-attachment sgid="` + kevinSGID + `"></action-text-attachment></p>`, `<p>` + shownMention(kevinSGID, "/users/712064548", "Kevin", "Kevin – Reads logs") + `</p>`, false},
	})
}

func TestAMissingAttachmentLeavesTheRestOfTheMessage(t *testing.T) {
	gone := testKeys.MentionSGID(9)
	checkRenders(t, []render{
		{`<p>Hi ` + mention(gone) + `!</p>`, `<p>Hi ☒!</p>`, true},
		{`<p>Hi ` + mention("nonsense") + `!</p>`, `<p>Hi ☒!</p>`, true},
		{`<p>a<action-text-attachment content-type="image/png" url="https://x.test/a.png"></action-text-attachment>b</p>`, `<p>a☒b</p>`, false},
		{`<p>a<action-text-attachment>inside</action-text-attachment>b</p>`, `<p>a☒b</p>`, false},
	})
	if got := Render(mention(kevinSGID), nil); got != missingMark {
		t.Errorf("with nobody known, a mention is shown as %s", got)
	}
}

func TestPreviewsOfBothEditorsAreShown(t *testing.T) {
	const (
		shown = `<actiontext-opengraph-embed><div class="og-embed"><div class="og-embed__content"><div class="og-embed__title">` +
			`<a href="https://x.test/a" target="_blank" rel="noopener noreferrer">Free &lt;cookies&gt;</a></div><div class="og-embed__description">For all</div></div>` +
			`<div class="og-embed__image"><img src="https://x.test/a.png" class="image" alt="" loading="lazy" referrerpolicy="no-referrer"></div></div></actiontext-opengraph-embed>`
		old   = `<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="https://x.test/a" url="https://x.test/a.png" filename="Free &lt;cookies&gt;" caption="For all"></action-text-attachment>`
		today = `<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" content="<actiontext-opengraph-embed><div class=&quot;og-embed gap&quot;><div class=&quot;og-embed__content&quot;><div class=&quot;og-embed__title&quot;><a href=&quot;https://x.test/a&quot;>Free &amp;lt;cookies&amp;gt;</a></div><div class=&quot;og-embed__description&quot;>For all</div></div><div class=&quot;og-embed__image&quot;><img src=&quot;https://x.test/a.png&quot;></div></div></actiontext-opengraph-embed>"></action-text-attachment>`
		link  = `<a href="https://x.test/a" target="_blank" rel="noopener noreferrer">https://x.test/a</a>`
	)
	for _, embed := range []string{old, today} {
		checkRenders(t, []render{
			{`<p>Look: https://x.test/a` + embed + `</p>`, `<div>Look: ` + link + shown + `</div>`, true},
			{`<p>https://x.test/a` + embed + `</p>`, `<div>` + shown + `</div>`, true},
			{`<div><a href="https://x.test/a">https://x.test/a</a>` + embed + `</div>`, `<div>` + shown + `</div>`, true},
		})
	}
	for _, says := range []struct {
		before, shown string
		fast          bool
	}{
		{`<p>See</p><p>https://x.test/a`, `<p>See</p><div>` + link, true},
		{`<p></p><p>https://x.test/a`, `<p></p><div>` + link, false},
		{`<p>https://x.test/a `, `<div>` + link + ` `, true},
		{`<p>https://x.test/a and`, `<div>` + link + ` and`, true},
		{`<p>https://x.test/<b>a</b>`, ``, false},
		{`<p>h<b>i</b>`, `<div>h<b>i</b>`, false},
		{`<p>https://x.test/a<br>`, ``, false},
		{`<p>` + mention(kevinSGID), `<div>` + shownMention(kevinSGID, "/users/712064548", "Kevin", "Kevin – Reads logs"), true},
		{`<p class="c">Hi `, `<div class="c">Hi `, true},
		{`<ul><li>https://x.test/b</li></ul><p>`, `<ul><li>` + strings.ReplaceAll(link, "x.test/a", "x.test/b") + `</li></ul><div>`, false},
		{`<p>`, `<div>`, true},
	} {
		want := says.shown + shown + `</div>`
		if says.shown == "" {
			want = `<div>` + shown + `</div>` // the address alone
		}
		checkRenders(t, []render{{says.before + old + `</p>`, want, says.fast}})
	}
	two := `<div>https://x.test/a` + old + old + `</div>`
	checkRenders(t, []render{{two, `<div>` + link + shown + shown + `</div>`, true}})
}

func TestAPreviewOfATweetStandsForItsAddress(t *testing.T) {
	const embed = `<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="https://twitter.com/a/status/1" url="https://pbs.twimg.com/profile_images/1.jpg" filename="A"></action-text-attachment>`
	got := string(Render(`<p>https://x.com/a/status/1?s=20</p>`+embed, cast))
	if !strings.HasPrefix(got, `<div><actiontext-opengraph-embed class="cf-twitter-avatar"><div class="og-embed og-embed--twitter-avatar">`) {
		t.Errorf("shown as %s", got)
	}
	if got := string(Render(`<p>https://x.test/?a</p>`+strings.ReplaceAll(embed, "https://twitter.com/a/status/1", "https://x.test/?b"), cast)); !strings.HasPrefix(got, "<p>") {
		t.Errorf("another page's preview stands for the message: %s", got)
	}
}

func TestPreviewsAreCutAndLinkToTheWebOnly(t *testing.T) {
	body := `<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="javascript:alert(1)" url="data:x" filename="` +
		strings.Repeat("é", 300) + `" caption="` + strings.Repeat("d", 561) + `"></action-text-attachment>`
	got := string(Render(body, cast))
	want := `<actiontext-opengraph-embed><div class="og-embed"><div class="og-embed__content"><div class="og-embed__title">` + strings.Repeat("é", 279) +
		`…</div><div class="og-embed__description">` + strings.Repeat("d", 559) + `…</div></div></div></actiontext-opengraph-embed>`
	if got != want {
		t.Errorf("shown as %s\nwant %s", got, want)
	}
	if got := truncate(strings.Repeat("é", 280), 280); got != strings.Repeat("é", 280) {
		t.Errorf("280 characters are cut to %d bytes", len(got))
	}
}

func TestHTMLAttachmentsShowTheirHTMLMadeSafe(t *testing.T) {
	checkRenders(t, []render{{
		`<p>a<action-text-attachment content-type="text/html" content="<b onclick=x>b</b><script>c</script>` + strings.ReplaceAll(mention("x"), `"`, "'") + `"></action-text-attachment></p>`,
		`<div>a<div class="attachment attachment--content"><b>b</b>☒</div></div>`, false,
	}})
}

func TestBytesThatAreNotUTF8AreReplaced(t *testing.T) {
	if got := Render("<p>a\xff\xfeb</p>", cast); got != "<p>a\uFFFDb</p>" {
		t.Errorf("shown as %q", got)
	}
}

func TestEveryBodyOfTheSampleTakesOnePassExceptOne(t *testing.T) {
	slow := 0
	for _, body := range bodies(t) {
		fast, ok := appendFast(nil, body, cast)
		if !ok {
			slow++
			continue
		}
		if want := string(appendSlow(nil, body, cast)); string(fast) != want {
			t.Errorf("%s\nin one pass %s\nby its tree %s", body, fast, want)
		}
	}
	if slow != 1 { // the javascript: link
		t.Errorf("%d bodies need their tree, want 1", slow)
	}
}

func TestRenderingAppendsWithoutAllocating(t *testing.T) {
	body := `<p>Hi ` + mention(kevinSGID) + `, see <strong>https://x.test/?a=1&amp;b=2</strong> &amp; <a href="https://y.test">y</a><br>or mail a@b.co</p><ul><li>x</li></ul>`
	buffer := make([]byte, 0, 4096)
	kevin := Person{ID: 712064548, Name: "Kevin", Title: "Kevin", AvatarURL: "/users/kevin/avatar"}
	people := func(int64) (Person, bool) { return kevin, true }
	if n := testing.AllocsPerRun(100, func() { AppendRender(buffer, body, people) }); n != 0 {
		t.Errorf("%v allocations, want none", n)
	}
}
