package richtext

import (
	"hearth/internal/rails"
)

// Render returns a stored body as HTML for the page.
func Render(stored string, people People) SafeHTML {
	return SafeHTML(AppendRender(nil, stored, people))
}

// AppendRender appends what Render returns.
func AppendRender(dst []byte, stored string, people People) []byte { return AppendEscape(dst, stored) }

// PlainText returns what a body says without markup.
func PlainText(stored string, people People) string { return stored }

// Mentions returns whom a body mentions, as far as we signed it.
func Mentions(stored string, keys *rails.Keys) []int64 { return nil }

// MentionIDs returns whom a body shows as mentioned.
func MentionIDs(stored string) []int64 { return nil }

// EditorHTML returns a body for the editor.
func EditorHTML(stored string, people People) string { return stored }
