package cities

import (
	"strings"
	"unicode"
)

// fold makes one text of all the ways to write a name: small letters without
// accents, digits, and slashes. Everything else goes.
func fold(name string) string {
	folded := make([]byte, 0, len(name))
	for _, r := range name {
		switch {
		case 'a' <= r && r <= 'z' || '0' <= r && r <= '9' || r == '/':
			folded = append(folded, byte(r))
		case 'A' <= r && r <= 'Z':
			folded = append(folded, byte(r)+'a'-'A')
		case r >= 0x80 && unicode.IsLetter(r):
			folded = append(folded, plain(unicode.ToLower(r))...)
		}
	}
	return string(folded)
}

// accented lists, after each plain spelling, the letters with its accents: those
// whose compatibility decomposition (Unicode Standard Annex 15) begins with that
// letter and goes on with combining marks, in the blocks Latin-1 Supplement, Latin
// Extended-A and -B and Latin Extended Additional. The letters that don't
// decompose are at the end, as they are commonly spelled without them.
var accented = [...]struct{ plain, letters string }{
	{"a", "àáâãäåāăąǎǟǡǻȁȃȧḁạảấầẩẫậắằẳẵặ"},
	{"b", "ḃḅḇ"},
	{"c", "çćĉċčḉ"},
	{"d", "ďḋḍḏḑḓ"},
	{"e", "èéêëēĕėęěȅȇȩḕḗḙḛḝẹẻẽếềểễệ"},
	{"f", "ḟ"},
	{"g", "ĝğġģǧǵḡ"},
	{"h", "ĥȟḣḥḧḩḫẖ"},
	{"i", "ìíîïĩīĭįǐȉȋḭḯỉị"},
	{"j", "ĵǰ"},
	{"k", "ķǩḱḳḵ"},
	{"l", "ĺļľḷḹḻḽ"},
	{"m", "ḿṁṃ"},
	{"n", "ñńņňǹṅṇṉṋ"},
	{"o", "òóôõöōŏőơǒǫǭȍȏȫȭȯȱṍṏṑṓọỏốồổỗộớờởỡợ"},
	{"p", "ṕṗ"},
	{"r", "ŕŗřȑȓṙṛṝṟ"},
	{"s", "śŝşšșṡṣṥṧṩ"},
	{"t", "ţťțṫṭṯṱẗ"},
	{"u", "ùúûüũūŭůűųưǔǖǘǚǜȕȗṳṵṷṹṻụủứừửữự"},
	{"v", "ṽṿ"},
	{"w", "ŵẁẃẅẇẉẘ"},
	{"x", "ẋẍ"},
	{"y", "ýÿŷȳẏẙỳỵỷỹ"},
	{"z", "źżžẑẓẕ"},
	{"ss", "ß"}, {"ae", "æǣǽ"}, {"oe", "œ"}, {"o", "øǿ"}, {"d", "đð"}, {"th", "þ"},
	{"l", "łŀ"}, {"h", "ħ"}, {"i", "ı"}, {"ij", "ĳ"}, {"t", "ŧ"}, {"n", "ŋŉ"}, {"k", "ĸ"},
}

// plain spells a small letter without its accent; a letter it doesn't know stays.
func plain(letter rune) string {
	for _, group := range &accented {
		if strings.ContainsRune(group.letters, letter) {
			return group.plain
		}
	}
	return string(letter)
}
