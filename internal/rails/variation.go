package rails

import (
	"crypto/sha1"
	"encoding/base64"
	"encoding/json"
)

// A Variation is how a picture is made from another: a format, and a box that it
// has to fit into.
type Variation struct {
	Format        string
	Symbol        bool // Format is a Ruby symbol rather than a string, which matters to Digest only
	Width, Height int  // both zero: no limit
}

// Digest names a variation in the table of variants: base64 of the SHA-1 of the
// Marshal dump of {format:, resize_to_limit:}.
func (v Variation) Digest() string {
	sum := sha1.Sum(v.marshal())
	return base64.StdEncoding.EncodeToString(sum[:])
}

func (v Variation) limited() bool { return v.Width != 0 || v.Height != 0 }

func (v Variation) json() []byte {
	out := append([]byte(`{"format":`), escapedJSON(v.Format)...)
	if v.limited() {
		out = append(out, `,"resize_to_limit":`...)
		out = append(out, escapedJSON([2]int{v.Width, v.Height})...)
	}
	return append(out, '}')
}

// maxPixels bounds a side: larger ones are nobody's thumbnail.
const maxPixels = 1 << 14

func parseVariation(text []byte) (Variation, error) {
	var value struct {
		Format string `json:"format"`
		Limit  []int  `json:"resize_to_limit"`
	}
	if json.Unmarshal(text, &value) != nil || value.Format == "" {
		return Variation{}, ErrInvalid
	}
	v := Variation{Format: value.Format}
	if value.Limit == nil {
		return v, nil
	}
	if len(value.Limit) != 2 {
		return Variation{}, ErrInvalid
	}
	v.Width, v.Height = value.Limit[0], value.Limit[1]
	if v.Width < 1 || v.Height < 1 || v.Width > maxPixels || v.Height > maxPixels {
		return Variation{}, ErrInvalid
	}
	return v, nil
}

// marshal writes Ruby's Marshal format, version 4.8: "{" hash, ":" symbol,
// I" string with its encoding as instance variable (E = true means UTF-8),
// "[" array, "i" integer.
func (v Variation) marshal() []byte {
	pairs := 1
	if v.limited() {
		pairs = 2
	}
	out := appendRubyInt([]byte{4, 8, '{'}, pairs)
	out = appendRubyText(append(out, ':'), "format")
	if v.Symbol {
		out = appendRubyText(append(out, ':'), v.Format)
	} else {
		out = appendRubyText(append(out, 'I', '"'), v.Format)
		out = appendRubyInt(out, 1)
		out = append(appendRubyText(append(out, ':'), "E"), 'T')
	}
	if !v.limited() {
		return out
	}
	out = appendRubyText(append(out, ':'), "resize_to_limit")
	out = appendRubyInt(append(out, '['), 2)
	out = appendRubyInt(append(out, 'i'), v.Width)
	return appendRubyInt(append(out, 'i'), v.Height)
}

func appendRubyText(dst []byte, text string) []byte {
	return append(appendRubyInt(dst, len(text)), text...)
}

// appendRubyInt writes a non-negative number: zero as itself, 1 to 122 shifted by
// five, larger ones as the count of their bytes, then the bytes, lowest first.
func appendRubyInt(dst []byte, n int) []byte {
	if n == 0 {
		return append(dst, 0)
	}
	if n <= 122 {
		return append(dst, byte(n+5))
	}
	at := len(dst)
	dst = append(dst, 0)
	for ; n > 0; n >>= 8 {
		dst = append(dst, byte(n))
		dst[at]++
	}
	return dst
}
