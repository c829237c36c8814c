package richtext

import "strings"

// Special reports whether a text message is shown as something else than text:
// large emoji, or a sound. It is Sound and EmojiOnly of PlainText, but for most
// bodies it only looks at their first letter.
func Special(stored string, people People) (emoji bool, sound string) {
	if ordinary(stored) {
		return false, ""
	}
	plain := PlainText(stored, people)
	if sound, ok := Sound(plain); ok {
		return false, sound
	}
	return EmojiOnly(plain), ""
}

// ordinary reports whether the first thing that a body says can't begin a sound
// or an emoji. Behind simple tags, that is any ASCII character but a few.
func ordinary(body string) bool {
	for strings.HasPrefix(body, "<") {
		end := strings.IndexByte(body, '>')
		if end < 0 || tagOf(body[1:end]) == noTag {
			return false
		}
		body = body[end+1:]
	}
	if body == "" {
		return false
	}
	c := body[0]
	return c > ' ' && c < 0x7f && c != '/' && c != '&'
}
