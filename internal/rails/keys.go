package rails

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/pbkdf2"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/base64"
	"errors"
)

// ErrInvalid means that a token is not one of ours for this use: bad MAC,
// format, purpose or value. Callers can't tell which.
var ErrInvalid = errors.New("rails: invalid token")

// ErrExpired means that a token is genuine, but its time is over.
var ErrExpired = errors.New("rails: expired token")

// Keys holds what is derived from one secret. It never changes and may be used
// by all goroutines.
type Keys struct {
	cookies  signer
	ids      signer
	mentions signer
	storage  signer
	streams  signer
	session  cipher.AEAD
}

// keyRounds is what Rails' key generator uses.
const keyRounds = 1000

// NewKeys derives the keys of every use from SECRET_KEY_BASE, which is taken as
// the text it is: a hexadecimal value is not decoded. It costs some
// milliseconds, so it is done once per process.
func NewKeys(secretKeyBase string) *Keys {
	block, err := aes.NewCipher(derive(secretKeyBase, "authenticated encrypted cookie", 32))
	if err != nil {
		panic("rails: " + err.Error()) // the length is ours
	}
	session, err := cipher.NewGCM(block)
	if err != nil {
		panic("rails: " + err.Error())
	}
	key := func(salt string) []byte { return derive(secretKeyBase, salt, 64) }
	return &Keys{
		cookies:  newSigner(sha1.New, key("signed cookie"), base64.StdEncoding),
		ids:      newSigner(sha256.New, key("active_record/signed_id"), base64.RawURLEncoding),
		mentions: newSigner(sha1.New, key("signed_global_ids"), base64.URLEncoding),
		storage:  newSigner(sha1.New, key("ActiveStorage"), base64.StdEncoding),
		streams:  newSigner(sha256.New, key("turbo/signed_stream_verifier_key"), base64.StdEncoding),
		session:  session,
	}
}

func derive(secretKeyBase, salt string, size int) []byte {
	key, err := pbkdf2.Key(sha256.New, secretKeyBase, []byte(salt), keyRounds, size)
	if err != nil {
		panic("rails: derive " + salt + ": " + err.Error()) // only for sizes and rounds that are not ours
	}
	return key
}
