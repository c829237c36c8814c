package rails

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"time"
)

// Cookie values carry the cookie's name in their purpose, so that one can't be
// passed off as another. They are not yet escaped for a header: "=", "+" and "/"
// need it.
const cookiePurpose = "cookie."

// SignCookie returns value as the content of the signed cookie name. A zero time
// never expires.
func (k *Keys) SignCookie(name, value string, expires time.Time) string {
	return k.cookies.sign(sealCookie(escapedString(value), cookiePurpose+name, expires))
}

// VerifyCookie returns the value of a signed cookie. A cookie without a purpose,
// which Rails wrote before 2018, is not accepted.
func (k *Keys) VerifyCookie(name, cookie string, now time.Time) (value string, err error) {
	payload, err := k.cookies.verify(cookie)
	if err != nil {
		return "", err
	}
	inner, err := open(payload, cookiePurpose+name, now)
	if err != nil {
		return "", err
	}
	return jsonString(inner)
}

// Sizes of AES-256-GCM's nonce and tag, and of their base64, by which a cookie
// is taken apart from the right.
const (
	nonceSize = 12
	tagSize   = 16
	nonce64   = 16
	tag64     = 24
)

// EncryptCookie returns the JSON of a value as the content of the encrypted
// cookie name: ciphertext, nonce and tag in base64 with "--" between them.
func (k *Keys) EncryptCookie(name string, value []byte, expires time.Time) string {
	var nonce [nonceSize]byte
	rand.Read(nonce[:])
	return k.encryptCookie(name, value, expires, nonce[:])
}

func (k *Keys) encryptCookie(name string, value []byte, expires time.Time, nonce []byte) string {
	sealed := k.session.Seal(nil, nonce, sealCookie(value, cookiePurpose+name, expires), nil)
	text := len(sealed) - tagSize
	out := base64.StdEncoding.AppendEncode(nil, sealed[:text])
	out = append(out, "--"...)
	out = base64.StdEncoding.AppendEncode(out, nonce)
	out = append(out, "--"...)
	return string(base64.StdEncoding.AppendEncode(out, sealed[text:]))
}

// DecryptCookie returns the JSON that an encrypted cookie holds. A cookie that
// can't be read counts as an empty session, never as an error for the visitor.
func (k *Keys) DecryptCookie(name, cookie string, now time.Time) ([]byte, error) {
	tagAt := len(cookie) - tag64
	nonceAt := tagAt - len("--") - nonce64
	textEnd := nonceAt - len("--")
	if textEnd < 0 || cookie[tagAt-2:tagAt] != "--" || cookie[textEnd:nonceAt] != "--" {
		return nil, ErrInvalid
	}
	sealed, err := decode64(cookie[:textEnd])
	if err != nil {
		return nil, err
	}
	nonce, err := decode64(cookie[nonceAt : nonceAt+nonce64])
	if err != nil || len(nonce) != nonceSize {
		return nil, ErrInvalid
	}
	tag, err := decode64(cookie[tagAt:])
	if err != nil || len(tag) != tagSize {
		return nil, ErrInvalid
	}
	payload, err := k.session.Open(nil, nonce, append(sealed, tag...), nil)
	if err != nil {
		return nil, ErrInvalid
	}
	return open(payload, cookiePurpose+name, now)
}

func jsonString(text []byte) (string, error) {
	if value, ok := usualString(text); ok {
		return value, nil
	}
	var value *string
	if err := json.Unmarshal(text, &value); err != nil || value == nil {
		return "", ErrInvalid
	}
	return *value, nil
}

func jsonInt(text []byte) (int64, error) {
	if value, ok := usualInt(text); ok {
		return value, nil
	}
	var value *int64
	if err := json.Unmarshal(text, &value); err != nil || value == nil {
		return 0, ErrInvalid
	}
	return *value, nil
}
