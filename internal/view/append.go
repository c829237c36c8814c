package view

import (
	"strconv"
	"strings"

	"hearth/internal/richtext"
)

// escape appends s for use as text or inside a double-quoted attribute. Like
// html/template it replaces NUL, which HTML can't carry.
func escape(dst []byte, s string) []byte {
	for {
		i := strings.IndexByte(s, 0)
		if i < 0 {
			return richtext.AppendEscape(dst, s)
		}
		dst = richtext.AppendEscape(dst, s[:i])
		dst = append(dst, "\uFFFD"...)
		s = s[i+1:]
	}
}

func appendInt[T ~int64](dst []byte, n T) []byte {
	return strconv.AppendInt(dst, int64(n), 10)
}

// appendIcon appends a decorative icon of the sprite; its control has the name.
func (s *Site) appendIcon(dst []byte, name string) []byte {
	dst = append(dst, `<svg class="icon" aria-hidden="true"><use href="`...)
	dst = append(dst, s.icons...)
	dst = append(dst, name...)
	return append(dst, `"></use></svg>`...)
}

const hexDigits = "0123456789ABCDEF"

// appendPathSegment appends s percent-encoded, so that it is one segment of a
// path and needs no further escaping inside an attribute.
func appendPathSegment(dst []byte, s string) []byte {
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9',
			c == '-', c == '_', c == '.', c == '~', c == '=':
			dst = append(dst, c)
		default:
			dst = append(dst, '%', hexDigits[c>>4], hexDigits[c&15])
		}
	}
	return dst
}

func pathSegment(s string) string { return string(appendPathSegment(nil, s)) }
