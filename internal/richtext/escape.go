package richtext

// AppendEscape appends s so that it means itself in text and in quoted attribute
// values: & < > " ' are escaped. It does not allocate when dst has room.
func AppendEscape(dst []byte, s string) []byte { return escape(dst, s, &escapes) }

func appendEscapedBytes(dst, s []byte) []byte { return escape(dst, s, &escapes) }

// appendText is enough between tags, where quotes are ordinary.
func appendText[T string | []byte](dst []byte, s T) []byte { return escape(dst, s, &textEscapes) }

func escape[T string | []byte](dst []byte, s T, entities *[256]string) []byte {
	start := 0
	for i := 0; i < len(s); i++ {
		entity := entities[s[i]]
		if entity == "" {
			continue
		}
		dst = append(append(dst, s[start:i]...), entity...)
		start = i + 1
	}
	return append(dst, s[start:]...)
}

// escapes leaves NUL out on purpose: the parser never lets it through, and other
// texts may hold it, where it is harmless. A bare CR would be read back as LF.
var escapes = [256]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&#34;", '\'': "&#39;", '\r': "&#13;"}

var textEscapes = [256]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '\r': "&#13;"}
