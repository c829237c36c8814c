package richtext

import (
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostile are bodies that broke sanitizers, ours included.
var hostile = []string{
	`<a title="> http://x.test/ onmouseover=alert(1)">t</a>`,
	`<script>alert(1)</script>`, `<SCRIPT SRC=//x.test/x.js></SCRIPT>`, `<scr<script>ipt>alert(1)</script>`,
	`<img src=x onerror=alert(1)>`, `<p onclick="alert(1)" id="x" name="body">y</p>`, `<a href="java&#10;script:alert(1)">x</a>`,
	`<a href="&#1;javascript:alert(1)">x</a>`, `<a href="JaVaScRiPt:alert(1)">x</a>`, `<a href="data:text/html,<script>">x</a>`,
	`<a href="vbscript:x">x</a>`, `<a href="//x.test/">x</a>`, `<a href="/rooms/1">x</a>`, `<a href="?q=a:b">x</a>`, `<a href="">x</a>`,
	`<svg><a xlink:href="javascript:alert(1)">x</a></svg>`, `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">`,
	`<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">`, `<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
	`<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>`, `<textarea><script>alert(1)</script>`, `<title><a href="</title><img src=x onerror=alert(1)>">`,
	`<template><p>x</p></template>`, `<iframe srcdoc="<script>alert(1)</script>"></iframe>`, `<object data="x"></object>`, `<style>*{display:none}</style>x`,
	`<b><i></b></i>`, `<p><div>x</div></p>`, `<a><a>x</a></a>`, `<table><tr><td>x</td></tr></table>`, `<li>x`, `<b><p>x</b>y</p>`, `<p>a<p>b`, `</p></div>`, `<br/>`, `a < b`, `a <b`,
	"<pre>\nx</pre>", "<pre>\n\nx</pre>", "<pre><code>\nx</code></pre>", "a\r\nb", "a&#13;b", "a\x00b", "\xff\xfe", "&#0;&#x110000;&amp;amp;&notit;&nbsp;&quot;&#39;",
	`https://x.test/a_(b)?c=d&amp;e=f#g. and (www.y.test) or me@z.test, HTTP://UP.TEST!`, `<code>https://x.test/</code> <pre>www.x.test</pre>`, `<a href="https://x.test">www.y.test me@z.test</a>`,
	`https://x.test/"onmouseover="alert(1)`, `https://x.test/&quot;onmouseover=&quot;alert(1)`, `https://x.test/&lt;script&gt;`, `www.&amp;`, `https://[::1]/`, "https://x.test/\u00a0b", "見てhttps://x.test/日本。",
	`a@b.c`, `a@b.co`, `@`, `a@`, `@b.co`, `a@@b.co`, `.a@b..co`, `a@b.co.`, `mailto:a@b.co`, `https://a@b.co/`, `http://`, `https:// x`, `http://www.x.test`, `wwww.x.test`, `www.www.www.`,
	`<action-text-attachment sgid="x" content-type="application/vnd.campfire.mention"></action-text-attachment>`,
	`<action-text-attachment content-type="text/html" content="<img src=x onerror=alert(1)><p>ok</p><action-text-attachment sgid='x'></action-text-attachment>"></action-text-attachment>`,
	`<action-text-attachment content-type="image/png" url="javascript:alert(1)" caption="<b>"></action-text-attachment>`,
	`<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="javascript:alert(1)" url="javascript:alert(1)" filename="<b>" caption="&quot;"></action-text-attachment>`,
	`<p>https://x.com/a/status/1?s=20<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="https://twitter.com/a/status/1" url="https://pbs.twimg.com/profile_images/1.jpg" filename="A" caption="B"></action-text-attachment></p>`,
	`<p>https://x.test/a<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" content="<actiontext-opengraph-embed class=&quot;c&quot;><div class=&quot;og-embed gap&quot;><div class=&quot;og-embed__content&quot;><div class=&quot;og-embed__title&quot;><a href=&quot;https://x.test/a?b=1&amp;amp;c&quot; rel=&quot;x&quot;>T &amp;amp; U</a></div><div class=&quot;og-embed__description&quot;>D</div></div><div class=&quot;og-embed__image&quot;><img src=&quot;https://x.test/i.png&quot; alt=&quot;&quot;></div></div></actiontext-opengraph-embed>"></action-text-attachment></p>`,
	`<div><a href="https://x.test/a">https://x.test/a</a><action-text-attachment content="&lt;div class=&#34;og-embed&#34;&gt;&lt;div class=&#34;og-embed__content&#34;&gt;&lt;div class=&#34;og-embed__title&#34;&gt;T&lt;/div&gt;&lt;/div&gt;&lt;/div&gt;" content-type="application/vnd.actiontext.opengraph-embed"></action-text-attachment></div>`,
	`<p>h<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="h" filename="t"></action-text-attachment></p><p>x<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="https://twitter.com/a?b" url="https://pbs.twimg.com/profile_images/1.jpg"></action-text-attachment></p>`,
	`<figure data-trix-attachment='{"sgid":"x","contentType":"image/png","width":10,"previewable":true,"other":1}' data-trix-attributes='{"caption":"c"}'><img></figure>`,
	`/play bell`, `<div>/play 56k</div>`, `🎉`, `<p>🎉️</p>`, `<div>🔥 💯</div>`, `<ul><li>a<ol><li>b</li></ol></li></ul>`, `<blockquote> a </blockquote>`, `<blockquote></blockquote>`,
	`<p class="a" class="b" lang="de" title="&quot;" dir="rtl" style="color:red" data-controller="x">y</p>`, `<pre data-language="ruby">x</pre>`, `<ol start="3"><li value="2">x</li></ol>`,
	`<time datetime="2026-01-01">x</time><del cite="javascript:x" datetime="y">z</del><q cite="/">w</q>`, `<div class="a><b">x</div>`, `<a href="https://x.test/ ">x</a>`, `<a href='https://x.test/?a=1&b=2&amp;c=3'>x</a>`,
}

func TestHostileBodiesAreShownHarmless(t *testing.T) {
	for _, body := range hostile {
		for _, shown := range []string{string(Render(body, cast)), string(Render(Canonical(body), cast)), string(appendSlow(nil, valid(body), cast))} {
			if why := unsafe(shown); why != "" {
				t.Errorf("%q is shown as\n%s\n%s", body, shown, why)
			}
			if why := misnested(shown); why != "" {
				t.Errorf("%q is shown as\n%s\n%s", body, shown, why)
			}
		}
	}
}

// expensive are bodies that make the HTML algorithm, or ours, slow or deep.
func expensive() map[string]string {
	const size = 32 << 10
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	attributes := func(n int) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(" a" + strings.Repeat("x", i%7) + string(rune('a'+i%26)))
		}
		return b.String()
	}
	formatting := strings.Repeat(`<b a=1><b b=2><b c=3><b d=4><i e=5><i f=6>`, 40)
	return map[string]string{
		"nested blocks":                    fill("<div>"),
		"nested and closed":                strings.Repeat("<div>", size/11) + strings.Repeat("</div>", size/11),
		"nested formatting":                fill("<b>"),
		"formatting opened again":          "<p>" + formatting + fill("</p><p>x"),
		"formatting hidden in a cell":      formatting + "<table><tr><td>" + fill("</b><p>x"),
		"closing tags of nothing":          fill("</b></p></div>"),
		"paragraphs never closed":          fill("<p>a"),
		"paragraphs in deep blocks":        strings.Repeat("<div>", 400) + fill("<p>"),
		"items never closed":               "<ol>" + fill("<li>a"),
		"nested lists":                     fill("<ul><li>a"),
		"nested quotes":                    fill("<blockquote>a"),
		"crossed formatting":               fill("<b><i></b></i>"),
		"links in links":                   fill("<a>"),
		"one tag of many attributes":       "<b" + fill(" a=1") + ">",
		"formatting of many attributes":    strings.Repeat("<b"+attributes(2000)+">", 60),
		"html merging its attributes":      strings.Repeat("<html"+attributes(50)+">", 3000),
		"foreign elements":                 fill("<svg><b>"),
		"styles in foreign elements":       "<svg><style>" + fill("<b>"),
		"blocks hidden in cells":           fill("<div><div><div><table><tr><td></div></div></div>"),
		"paragraphs hidden in deep blocks": strings.Repeat("<div>", 400) + "<table><tr><td>" + strings.Repeat("</div>", 400) + fill("<p>"),
		"tables in tables":                 fill("<table><tr><td>"),
		"selects":                          fill("<select><option>"),
		"templates":                        fill("<template>"),
		"comments":                         fill("<!--"),
		"less-than signs":                  fill("<"),
		"ampersands":                       fill("&"),
		"addresses":                        fill("http://x.test/("),
		"one long address":                 "http://x.test/" + fill(")"),
		"at signs":                         fill("a@"),
		"mail that never ends":             "a@" + fill("b."),
		"schemes":                          fill("http://"),
		"attachments":                      fill(`<action-text-attachment sgid="x"></action-text-attachment>`),
		"attachments holding HTML":         fill(`<action-text-attachment content-type="text/html" content="` + strings.Repeat("<b>", 150) + `"></action-text-attachment>`),
		"one attachment of deep HTML":      `<action-text-attachment content-type="text/html" content="` + fill("<b>") + `"></action-text-attachment>`,
		"previews":                         fill(`<action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" content="<a href=https://x>x</a>"></action-text-attachment>`),
		"plaintext":                        "<plaintext>" + fill("<b>"),
		"spaces":                           fill(" \n"),
		"text":                             fill("text "),
	}
}

func TestExpensiveBodiesTakeBoundedTime(t *testing.T) {
	limit := time.Second // for 32 KB: mere milliseconds, but ten times that under the race detector
	for name, body := range expensive() {
		stored := Canonical(body)
		for what, work := range map[string]func(){
			"store":  func() { Canonical(body) },
			"render": func() { Render(stored, cast) },
			"show":   func() { Render(body, cast) },
			"read":   func() { PlainText(stored, cast) },
			"edit":   func() { EditorHTML(stored, cast) },
			"ids":    func() { MentionIDs(stored) },
		} {
			start := processorTime(t)
			work()
			if took := processorTime(t) - start; took > limit {
				t.Errorf("%s: to %s takes %v", name, what, took)
			} else if testing.Verbose() {
				t.Logf("%-30s %-7s %v", name, what, took)
			}
		}
		if shown := string(Render(stored, cast)); unsafe(shown) != "" {
			t.Errorf("%s is shown unsafe: %s", name, unsafe(shown))
		}
	}
}

// processorTime is what this process has used so far: other programs on the
// machine don't lengthen it.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		t.Fatal(err)
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
