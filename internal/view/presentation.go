package view

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"hearth/internal/chat"
	"hearth/internal/richtext"
)

// AppendPresentation appends what a message says: the part that an edit replaces.
//
// A body's wrapper has the class of both editors, whichever wrote it: custom
// styles were written for the one or the other and expect to find every message,
// and the two kinds of body differ by their own elements (div and br, or p).
func (s *Site) AppendPresentation(dst []byte, m *chat.Message, people richtext.People) []byte {
	dst = append(dst, `<div id="presentation_message_`...)
	dst = escape(dst, m.ClientID)
	dst = append(dst, `" dir="auto" data-reply-target="body" data-messages-target="body">`...)
	if m.HasBody && (m.Body != "" || m.Attachment == nil) {
		dst = append(dst, `<div class="trix-content lexxy-content">`...)
		dst = richtext.AppendRender(dst, m.Body, people)
		dst = append(dst, `</div>`...)
	}
	if m.Attachment != nil {
		dst = s.appendAttachment(dst, m.Attachment)
	}
	return append(dst, `</div>`...)
}

// appendAttachment appends a file as its name, its size and a download.
func (s *Site) appendAttachment(dst []byte, b *chat.Blob) []byte {
	dst = append(dst, `<div class="attachment--file">`...)
	dst = s.appendIcon(dst, "file")
	dst = append(dst, `<span><b dir="auto">`...)
	dst = appendFilename(dst, b.Filename)
	dst = append(dst, `</b><small>`...)
	dst = appendSize(dst, b.ByteSize)
	dst = append(dst, `</small></span><a class="btn" href="`...)
	dst = s.appendDownloadURL(dst, b)
	dst = append(dst, `" title="Download" download aria-label="Download `...)
	dst = appendFilename(dst, b.Filename)
	dst = append(dst, `">`...)
	dst = s.appendIcon(dst, "download")
	return append(dst, `</a></div>`...)
}

// appendDownloadURL appends the address that makes a browser save the file.
func (s *Site) appendDownloadURL(dst []byte, b *chat.Blob) []byte {
	dst = append(dst, s.blobs.get(int64(b.ID))...)
	dst = appendSafeName(dst, b.Filename, appendPathSegment)
	return append(dst, `?disposition=attachment`...)
}

// appendFilename appends a file's name as people read it.
func appendFilename(dst []byte, name string) []byte {
	return appendSafeName(dst, name, escape)
}

// unsafeInNames are the characters that Rails replaces in a file's name before
// it shows it: the override of the writing direction, which makes "exe.txt" of
// "txt.exe", and what a path or a header would take for its own.
const unsafeInNames = "\u202E%$|:;/<>?*\"\t\r\n\\"

// appendSafeName appends name through encode, with a dash for every unsafe
// character. A name that a path would take for no name, or for a step up, is "file".
func appendSafeName(dst []byte, name string, encode func([]byte, string) []byte) []byte {
	name = strings.TrimSpace(name)
	if name == "" || name == "." || name == ".." {
		name = "file"
	}
	for {
		i := strings.IndexAny(name, unsafeInNames)
		if i < 0 {
			return encode(dst, name)
		}
		dst = encode(dst, name[:i])
		dst = append(dst, '-')
		_, size := utf8.DecodeRuneInString(name[i:])
		name = name[i+size:]
	}
}

// appendSize appends a number of bytes as people say it, with at most one decimal.
func appendSize(dst []byte, n int64) []byte {
	if n < 1000 {
		return append(strconv.AppendInt(dst, n, 10), " bytes"...)
	}
	units := [...]string{" KB", " MB", " GB", " TB", " PB", " EB"}
	v, unit := float64(n)/1000, 0
	for v >= 999.5 && unit < len(units)-1 {
		v, unit = v/1000, unit+1
	}
	decimals := 0
	if v < 9.95 {
		decimals = 1
	}
	return append(strconv.AppendFloat(dst, v, 'f', decimals, 64), units[unit]...)
}

// emojiOnly reports whether a message's whole text is emoji. Nearly every message
// is refused by its first character, without computing the text.
func emojiOnly(m *chat.Message, people richtext.People) bool {
	if m.Attachment != nil || !startsLikeEmoji(m.Body) {
		return false
	}
	return richtext.EmojiOnly(richtext.PlainText(m.Body, people))
}

// startsLikeEmoji reports whether the text of body, tags left out, has no ASCII
// character but line ends, and begins with an emoji or a character reference.
func startsLikeEmoji(body string) bool {
	begun := false
	for i := 0; i < len(body); i++ {
		switch c := body[i]; {
		case c == '<':
			end := strings.IndexByte(body[i:], '>')
			if end < 0 {
				return false
			}
			i += end
		case c == '\n':
		case c == '&':
			return true
		case c < utf8.RuneSelf:
			return false
		case !begun:
			_, size := utf8.DecodeRuneInString(body[i:])
			if !richtext.EmojiOnly(body[i : i+size]) {
				return false
			}
			begun = true
		}
	}
	return begun
}
