package richtext

import (
	"bytes"
	"html"
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

// FuzzRender holds what must be true of every body, whoever wrote it.
func FuzzRender(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, body string) {
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
	})
}

// FuzzTexts holds what must be true of everything else that is made of a body.
func FuzzTexts(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, body string) {
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
		emoji, sound := Special(stored, cast)
		wantSound, _ := Sound(plain)
		if emoji != EmojiOnly(plain) || sound != wantSound {
			t.Errorf("%q is special as %v, %q; its text is %q", stored, emoji, sound, plain)
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
	})
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
