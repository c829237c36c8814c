package rails

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash"
	"strings"
	"sync"
	"time"
)

// A signer makes and checks signed messages of one kind. It may be used by all
// goroutines.
type signer struct {
	macs     *sync.Pool       // of hash.Hash, keyed: computing with a used one saves two blocks
	size     int              // bytes of a MAC
	encoding *base64.Encoding // of the payloads it writes; it reads all
}

func newSigner(newHash func() hash.Hash, key []byte, encoding *base64.Encoding) signer {
	macs := &sync.Pool{New: func() any { return hmac.New(newHash, key) }}
	return signer{macs, newHash().Size(), encoding}
}

// sign returns payload as a signed message.
func (s signer) sign(payload []byte) string {
	message := make([]byte, 0, s.encoding.EncodedLen(len(payload))+len("--")+2*s.size)
	message = s.encoding.AppendEncode(message, payload)
	var mac [sha256.Size]byte
	sum := s.appendMAC(mac[:0], message)
	return string(hex.AppendEncode(append(message, "--"...), sum))
}

// verify returns the payload of a message that this signer made.
func (s signer) verify(message string) ([]byte, error) {
	cut := len(message) - 2*s.size - len("--")
	if cut < 0 || message[cut:cut+2] != "--" {
		return nil, ErrInvalid
	}
	text := []byte(message)
	var mac [sha256.Size]byte
	var want [2 * sha256.Size]byte
	n := hex.Encode(want[:], s.appendMAC(mac[:0], text[:cut]))
	if !hmac.Equal(want[:n], text[cut+2:]) {
		return nil, ErrInvalid
	}
	return decode64(message[:cut])
}

func (s signer) appendMAC(dst, text []byte) []byte {
	mac := s.macs.Get().(hash.Hash)
	mac.Reset()
	mac.Write(text)
	dst = mac.Sum(dst)
	s.macs.Put(mac)
	return dst
}

// Strict encodings refuse spare bits that are set, so that a value has one text
// in each alphabet.
var (
	strictStandard = base64.RawStdEncoding.Strict()
	strictURL      = base64.RawURLEncoding.Strict()
)

// decode64 reads either base64 alphabet, padded or not.
func decode64(text string) ([]byte, error) {
	encoding := strictStandard
	if strings.ContainsAny(text, "-_") {
		encoding = strictURL
	}
	if strings.ContainsAny(text, "\r\n") { // which the decoder would skip
		return nil, ErrInvalid
	}
	raw, err := encoding.DecodeString(unpad64(text))
	if err != nil {
		return nil, ErrInvalid
	}
	return raw, nil
}

// unpad64 takes off at most two "=" from the end.
func unpad64(text string) string {
	return strings.TrimSuffix(strings.TrimSuffix(text, "="), "=")
}

// An envelope is what surrounds a value with an expiry and a purpose.
type envelope struct {
	Data    json.RawMessage `json:"data"`
	Message *string         `json:"message"`
	Expires *string         `json:"exp"`
	Purpose *string         `json:"pur"`
}

// open returns the JSON of the value in an envelope of either kind. A payload
// without an envelope has no purpose, and every use that comes here expects one.
func open(payload []byte, purpose string, now time.Time) (json.RawMessage, error) {
	if value, expires, ok := openUsual(payload, purpose); ok {
		if !expires.IsZero() && !now.Before(expires) {
			return nil, ErrExpired
		}
		return value, nil
	}
	return openAny(payload, purpose, now)
}

func openAny(payload []byte, purpose string, now time.Time) (json.RawMessage, error) {
	var outer struct {
		Rails *envelope `json:"_rails"`
	}
	if err := json.Unmarshal(payload, &outer); err != nil || outer.Rails == nil {
		return nil, ErrInvalid
	}
	e := outer.Rails
	if e.Purpose == nil || *e.Purpose != purpose {
		return nil, ErrInvalid
	}
	if e.Expires != nil {
		expires, err := time.Parse(time.RFC3339Nano, *e.Expires)
		if err != nil {
			return nil, ErrInvalid
		}
		if !now.Before(expires) {
			return nil, ErrExpired
		}
	}
	if e.Message != nil {
		return decode64(*e.Message)
	}
	if e.Data == nil {
		return nil, ErrInvalid
	}
	return e.Data, nil
}

// seal puts the JSON of a value into the newer envelope. A zero time never expires.
func seal(value []byte, purpose string, expires time.Time) []byte {
	out := append(make([]byte, 0, len(value)+128), `{"_rails":{"data":`...)
	out = append(out, value...)
	if !expires.IsZero() {
		out = append(out, `,"exp":"`...)
		out = appendExpiry(out, expires)
		out = append(out, '"')
	}
	out = append(out, `,"pur":`...)
	return append(appendPlainJSON(out, purpose), "}}"...)
}

// sealCookie puts the JSON of a value into the older envelope, which states all
// three keys even when they say nothing.
func sealCookie(value []byte, purpose string, expires time.Time) []byte {
	out := append(make([]byte, 0, 2*len(value)+128), `{"_rails":{"message":"`...)
	out = base64.StdEncoding.AppendEncode(out, value)
	out = append(out, `","exp":`...)
	if expires.IsZero() {
		out = append(out, "null"...)
	} else {
		out = append(out, '"')
		out = appendExpiry(out, expires)
		out = append(out, '"')
	}
	out = append(out, `,"pur":`...)
	return append(appendPlainJSON(out, purpose), "}}"...)
}

// appendExpiry writes milliseconds, always three digits, as Rails does.
func appendExpiry(dst []byte, t time.Time) []byte {
	return t.UTC().AppendFormat(dst, "2006-01-02T15:04:05.000Z")
}

// appendPlainJSON appends a string whose <, > and & stand for themselves.
func appendPlainJSON(dst []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c > '~' || c == '"' || c == '\\' {
			return append(dst, plainJSON(text)...)
		}
	}
	return append(append(append(dst, '"'), text...), '"')
}

// plainJSON is JSON whose <, > and & stand for themselves.
func plainJSON(value any) []byte {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		panic("rails: " + err.Error()) // only strings and flat structs come here
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n"))
}

// escapedString is escapedJSON of a string.
func escapedString(text string) []byte {
	if strings.ContainsAny(text, "<>&") {
		return escapedJSON(text)
	}
	return appendPlainJSON(make([]byte, 0, len(text)+2), text)
}

// escapedJSON is JSON as Rails' encoder writes it, with <, > and & as \u003c …
func escapedJSON(value any) []byte {
	out, err := json.Marshal(value)
	if err != nil {
		panic("rails: " + err.Error())
	}
	return out
}
