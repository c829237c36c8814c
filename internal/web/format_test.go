package web

import (
	"slices"
	"testing"
)

func TestFormatsFollowSuffixThenAccept(t *testing.T) {
	for _, c := range []struct {
		suffix, accept string
		xhr            bool
		want           []format
	}{
		{"json", "text/html", false, []format{formatJSON}},
		{"turbo_stream", "", false, []format{formatTurboStream}},
		{"exe", "text/html", false, []format{formatOther}},
		{"", "", false, []format{formatHTML}},
		{"", "", true, []format{formatJS}},
		{"", "*/*", false, []format{formatAny}},
		{"", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", false, []format{formatHTML}},
		{"", "application/json, */*", false, []format{formatHTML}},
		{"", "application/json, */*", true, []format{formatJSON, formatAny}},
		{"", "text/vnd.turbo-stream.html, text/html, application/xhtml+xml", false, []format{formatTurboStream, formatHTML, formatHTML}},
		{"", "text/html;q=0.5, application/json", false, []format{formatJSON, formatHTML}},
		{"", "text/html;q=0, application/json", false, []format{formatJSON}},
		{"", "text/html;q=nonsense", false, []format{}},
		{"", "image/avif", false, []format{formatOther}},
		{"", "APPLICATION/JSON", false, []format{formatJSON}},
		{"", ",,;;,", false, []format{}},
	} {
		if got := wanted(c.suffix, c.accept, c.xhr); !slices.Equal(got, c.want) {
			t.Errorf("wanted(%q, %q, %v) = %v, want %v", c.suffix, c.accept, c.xhr, got, c.want)
		}
	}
}

func TestPickTakesTheFirstThatIsOffered(t *testing.T) {
	for _, c := range []struct {
		wanted []format
		want   format
		ok     bool
	}{
		{[]format{formatAny}, formatTurboStream, true},
		{[]format{formatOther, formatHTML}, formatHTML, true},
		{[]format{formatJSON}, formatOther, false},
		{nil, formatOther, false},
	} {
		got, ok := pick(c.wanted, formatTurboStream, formatHTML)
		if got != c.want || ok != c.ok {
			t.Errorf("pick(%v) = %v, %v, want %v, %v", c.wanted, got, ok, c.want, c.ok)
		}
	}
}

func FuzzAccept(f *testing.F) {
	for _, seed := range []string{"", "*/*", "text/html, */*;q=0.1", "text/html;q=1.5", ";;;,,,", "a/b;q=\x00", "text/*;q=.5,image/*"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, accept string) {
		formats := wanted("", accept, false)
		if len(formats) > 4*acceptLimit {
			t.Errorf("%d formats from %q", len(formats), accept)
		}
		if got, ok := pick(formats, formatHTML); ok && got != formatHTML {
			t.Errorf("picked %v, which wasn't offered", got)
		}
	})
}
