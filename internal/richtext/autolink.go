package richtext

import "unicode/utf8"

// appendLinked appends a text with its addresses made into links: http://,
// https:// and www. up to the next space, quote or angle bracket, without the
// punctuation that ends a sentence, and mail addresses. It takes time in
// proportion to the text's length.
func appendLinked(dst, text []byte) []byte {
	done := 0
	for i := 0; i < len(text); i++ {
		start, end, prefix := 0, 0, ""
		switch {
		case schemeEnds(text, i):
			start, end = webAddress(text, done, i, i+len("://"))
		case wwwEnds(text, i):
			start, end = webAddress(text, done, i, i+1)
			prefix = "http://"
		case mailAt(text, i):
			start, end = mailAddress(text, done, i)
			prefix = "mailto:"
		}
		if end == 0 {
			continue
		}
		dst = appendText(dst, text[done:start])
		dst = appendLink(dst, prefix, text[start:end])
		done = end
		i = end - 1
	}
	return appendText(dst, text[done:])
}

func appendLink(dst []byte, prefix string, address []byte) []byte {
	dst = append(append(dst, `<a href="`...), prefix...)
	dst = append(appendEscapedBytes(dst, address), '"')
	if prefix != "mailto:" {
		dst = append(dst, outward...)
	}
	dst = appendText(append(dst, '>'), address)
	return append(dst, "</a>"...)
}

// schemeEnds reports whether http or https ends before text[i], and "://" stands there.
func schemeEnds[T string | []byte](text T, i int) bool {
	return text[i] == ':' && i+3 < len(text) && text[i+1] == '/' && text[i+2] == '/' && schemeStart(text, i) >= 0
}

func schemeStart[T string | []byte](text T, end int) int {
	if end > 0 && lower(text[end-1]) == 's' {
		end--
	}
	if end < 4 || lower(text[end-1]) != 'p' || lower(text[end-2]) != 't' || lower(text[end-3]) != 't' || lower(text[end-4]) != 'h' {
		return -1
	}
	return end - 4
}

// wwwEnds reports whether text[i] is the dot of "www.".
func wwwEnds[T string | []byte](text T, i int) bool {
	return text[i] == '.' && i >= 3 && i+1 < len(text) && lower(text[i-1]) == 'w' && lower(text[i-2]) == 'w' && lower(text[i-3]) == 'w'
}

// mailAt reports whether text[i] is an @ between letters or digits.
func mailAt[T string | []byte](text T, i int) bool {
	return text[i] == '@' && i > 0 && i+1 < len(text) && isMailLocal(text[i-1]) && isAlphanumeric(text[i+1])
}

// webAddress returns the bounds of the address whose scheme or "www" ends at
// mark, and whose host starts at host. Nothing before done belongs to it.
func webAddress(text []byte, done, mark, host int) (start, end int) {
	start = mark - len("www")
	if text[mark] == ':' {
		start = schemeStart(text, mark)
	}
	if start < done || start > 0 && continuesWord(text[start-1], text[mark]) {
		return 0, 0
	}
	if c := text[host]; !isAlphanumeric(c) && c < utf8.RuneSelf && c != '[' {
		return 0, 0
	}
	end = host
	for end < len(text) {
		size := addressRune(text[end:])
		if size == 0 {
			break
		}
		end += size
	}
	end = trimSentence(text, host, end)
	if end <= host {
		return 0, 0
	}
	return start, end
}

// continuesWord reports whether an address can't begin after c, because it would
// be the end of a word or of another address.
func continuesWord(c, mark byte) bool {
	if isAlphanumeric(c) || c == '_' {
		return true
	}
	return mark == '.' && (c == '/' || c == '.' || c == '-' || c == '@' || c == ':')
}

// addressRune returns the size of the first rune if it may be part of an address.
func addressRune(text []byte) int {
	c := text[0]
	if c < utf8.RuneSelf {
		if c <= ' ' || c == '<' || c == '>' || c == '"' || c == 0x7f {
			return 0
		}
		return 1
	}
	r, size := utf8.DecodeRune(text)
	switch {
	case r == utf8.RuneError, r <= 0xa0, r >= 0x2000 && r <= 0x200f, r >= 0x2028 && r <= 0x202f, r == 0x205f, r == 0x3000, r == 0xfeff:
		return 0 // spaces, and marks that turn the direction of writing
	}
	return size
}

// trimSentence takes off what belongs to the sentence around an address: marks
// at its end, and closing brackets that it doesn't open.
func trimSentence(text []byte, from, end int) int {
	var open [256]int
	for _, c := range text[from:end] {
		open[c]++
	}
	for end > from {
		c := text[end-1]
		switch c {
		case '.', ',', ':', ';', '!', '?', '\'', '*', '`', '|':
		case ')', ']', '}':
			if open[c] <= open[opening(c)] {
				return end
			}
		default:
			return end
		}
		open[c]--
		end--
	}
	return end
}

func opening(bracket byte) byte {
	switch bracket {
	case ')':
		return '('
	case ']':
		return '['
	}
	return '{'
}

// mailAddress returns the bounds of the address around the @ at mark.
func mailAddress(text []byte, done, mark int) (start, end int) {
	start = mark
	for start > done && isMailLocal(text[start-1]) {
		start--
	}
	for start < mark && !isAlphanumeric(text[start]) {
		start++
	}
	if start == mark || start > 0 && (text[start-1] == '/' || text[start-1] == '@' || text[start-1] >= utf8.RuneSelf) {
		return 0, 0
	}
	dot := 0
	for end = mark + 1; end < len(text) && (isAlphanumeric(text[end]) || text[end] == '.' || text[end] == '-'); end++ {
	}
	for end > mark && !isAlphanumeric(text[end-1]) {
		end--
	}
	for i := end - 1; i > mark && dot == 0; i-- {
		if text[i] == '.' {
			dot = i
		} else if !isLetter(text[i]) {
			return 0, 0
		}
	}
	if dot == 0 || end-dot < 3 || text[dot-1] == '.' {
		return 0, 0
	}
	return start, end
}

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

func isLetter(c byte) bool { return 'a' <= lower(c) && lower(c) <= 'z' }

func isAlphanumeric(c byte) bool { return isLetter(c) || '0' <= c && c <= '9' }

func isMailLocal(c byte) bool {
	return isAlphanumeric(c) || c == '.' || c == '_' || c == '%' || c == '+' || c == '-'
}
