package rails

import (
	"crypto/rand"
	"encoding/hex"
)

const (
	base58   = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
	base36   = "0123456789abcdefghijklmnopqrstuvwxyz"
	alphanum = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
)

// NewSessionToken returns 24 characters of base58 for the sessions table.
func NewSessionToken() string { return random(base58, 24) }

// NewBlobKey returns the 28 characters that name a stored file.
func NewBlobKey() string { return random(base36, 28) }

// NewJoinCode returns an account's invitation code, xxxx-xxxx-xxxx.
func NewJoinCode() string {
	code := random(alphanum, 12)
	return code[:4] + "-" + code[4:8] + "-" + code[8:]
}

// NewBotToken returns the 12 characters after the dash of a bot's key.
func NewBotToken() string { return random(alphanum, 12) }

// NewSessionID returns the 32 hexadecimal digits that name a Rails session.
func NewSessionID() string {
	var raw [16]byte
	rand.Read(raw[:])
	return hex.EncodeToString(raw[:])
}

// NewUUID returns a random UUID (RFC 9562, version 4).
func NewUUID() string {
	var raw [16]byte
	rand.Read(raw[:])
	raw[6] = raw[6]&0x0f | 0x40
	raw[8] = raw[8]&0x3f | 0x80
	text := hex.EncodeToString(raw[:])
	return text[:8] + "-" + text[8:12] + "-" + text[12:16] + "-" + text[16:20] + "-" + text[20:]
}

// random returns size characters of the alphabet, each as likely as the other:
// bytes past the last whole multiple of its length are thrown away.
func random(alphabet string, size int) string {
	limit := 256 - 256%len(alphabet)
	out := make([]byte, 0, size)
	var raw [64]byte
	for {
		rand.Read(raw[:])
		for _, b := range raw {
			if int(b) >= limit {
				continue
			}
			if out = append(out, alphabet[int(b)%len(alphabet)]); len(out) == size {
				return string(out)
			}
		}
	}
}
