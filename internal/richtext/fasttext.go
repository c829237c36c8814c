package richtext

// What a byte of text asks for, beyond being copied.
const (
	plainByte = iota
	entityByte
	escapedByte // written as an entity
	unsureByte
	colonByte
	dotByte
	atByte
)

var textBytes = [256]byte{0: unsureByte, '\r': unsureByte, '&': entityByte, '>': escapedByte, ':': colonByte, '.': dotByte, '@': atByte}

// appendFastText copies the text between two tags. An address in it, where links
// are made, turns to appendLinked, the same that the slow path uses.
func appendFastText(dst []byte, text string, links bool) (out []byte, ok bool) {
	start, mark := 0, len(dst)
	for i := 0; i < len(text); i++ {
		switch textBytes[text[i]] {
		case plainByte:
		case entityByte:
			length, r := entity(text[i:])
			if length == 0 {
				return dst, false
			}
			dst = append(append(dst, text[start:i]...), entityTexts[r]...)
			i += length - 1
			start = i + 1
		case escapedByte:
			dst = append(append(dst, text[start:i]...), "&gt;"...)
			start = i + 1
		case unsureByte:
			return dst, false
		case colonByte:
			if links && schemeEnds(text, i) {
				return appendFastLinked(dst[:mark], text)
			}
		case dotByte:
			if links && wwwEnds(text, i) {
				return appendFastLinked(dst[:mark], text)
			}
		case atByte:
			if links && mailAt(text, i) {
				return appendFastLinked(dst[:mark], text)
			}
		}
	}
	return append(dst, text[start:]...), true
}

// appendFastLinked decodes the text behind dst, links it behind that, and moves
// the result to its place, so that no other memory is needed.
func appendFastLinked(dst []byte, text string) (out []byte, ok bool) {
	mark := len(dst)
	start := 0
	for i := 0; i < len(text); i++ {
		switch textBytes[text[i]] {
		case unsureByte:
			return dst[:mark], false
		case entityByte:
			length, which := entity(text[i:])
			if length == 0 {
				return dst[:mark], false
			}
			dst = append(append(dst, text[start:i]...), entityValues[which]...)
			i += length - 1
			start = i + 1
		}
	}
	dst = append(dst, text[start:]...)
	decoded := len(dst)
	dst = appendLinked(dst, dst[mark:decoded])
	linked := copy(dst[mark:], dst[decoded:])
	return dst[:mark+linked], true
}

// The entities that editors write, their characters, and how we write these.
var (
	entityNames  = [...]string{"amp;", "lt;", "gt;", "nbsp;", "quot;", "#34;", "#39;"}
	entityValues = [...]string{"&", "<", ">", "\u00a0", `"`, `"`, "'"}
	entityTexts  = [...]string{"&amp;", "&lt;", "&gt;", "\u00a0", `"`, `"`, "'"}
)

// entity returns the length of the entity at the start of text and its index in
// the tables; zero means that it is none of them.
func entity(text string) (length, which int) {
	for which, name := range entityNames {
		if len(text) > len(name) && text[1:1+len(name)] == name {
			return 1 + len(name), which
		}
	}
	return 0, 0
}
