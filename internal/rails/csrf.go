package rails

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// The secret of a browser session is 32 random bytes. Pages never show it: the
// page-wide token is HMAC-SHA256(secret, "!real_csrf_token"), a form's own is
// HMAC-SHA256(secret, path + "#" + method), and both go out under a fresh mask
// (pad followed by pad XOR token), so that compression can't give them away.
const (
	csrfSize     = 32
	globalCSRFID = "!real_csrf_token"
)

// NewCSRFSecret returns a fresh "_csrf_token" of the session cookie.
func NewCSRFSecret() string {
	var secret [csrfSize]byte
	rand.Read(secret[:])
	return base64.RawURLEncoding.EncodeToString(secret[:])
}

// MaskedCSRFToken returns a page's token, different each time. It is empty when
// the secret is not one.
func MaskedCSRFToken(secret string) string {
	return masked(secret, globalCSRFID)
}

// MaskedFormToken returns the token of a form that is sent to path with method,
// the one that a hidden _method names if there is one.
func MaskedFormToken(secret, path, method string) string {
	return masked(secret, formCSRFID(path, method))
}

// ValidCSRFToken reports whether token was made for this secret: the page's, the
// form's for this path and method, or the bare secret.
func ValidCSRFToken(secret, token, path, method string) bool {
	key, ok := csrfKey(secret)
	if !ok {
		return false
	}
	raw, err := decode64(token)
	if err != nil {
		return false
	}
	switch len(raw) {
	case csrfSize:
		return hmac.Equal(raw, key)
	case 2 * csrfSize:
		unmasked := xor(raw[:csrfSize], raw[csrfSize:])
		return hmac.Equal(unmasked, csrfMAC(key, globalCSRFID)) ||
			hmac.Equal(unmasked, csrfMAC(key, formCSRFID(path, method))) ||
			hmac.Equal(unmasked, key)
	}
	return false
}

func masked(secret, id string) string {
	var pad [csrfSize]byte
	rand.Read(pad[:])
	return maskedWith(pad[:], secret, id)
}

func maskedWith(pad []byte, secret, id string) string {
	key, ok := csrfKey(secret)
	if !ok {
		return ""
	}
	raw := append(pad[:csrfSize:csrfSize], xor(pad, csrfMAC(key, id))...)
	return base64.RawURLEncoding.EncodeToString(raw)
}

func csrfKey(secret string) ([]byte, bool) {
	key, err := decode64(secret)
	return key, err == nil && len(key) == csrfSize
}

func csrfMAC(key []byte, id string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id))
	return mac.Sum(nil)
}

// formCSRFID names a form: its path without query and without one last slash.
func formCSRFID(path, method string) string {
	path, _, _ = strings.Cut(path, "?")
	return strings.TrimSuffix(path, "/") + "#" + strings.ToLower(method)
}

func xor(a, b []byte) []byte {
	out := make([]byte, len(a))
	for i := range a {
		out[i] = a[i] ^ b[i]
	}
	return out
}
