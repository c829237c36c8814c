// Package rails speaks the wire formats of a Rails 8 application, so that
// cookies, links and mentions made by ONCE Campfire stay valid here, and ours
// there.
//
// A signed message is ENC(payload) + "--" + hex(HMAC(key, ENC(payload))): the
// MAC covers the encoded text, and the two parts are found from the right, since
// base64url may itself hold "--". The payload is JSON in one of two envelopes:
//
//	{"_rails":{"data":VALUE,"exp":"…","pur":"…"}}                  signed ids, mentions, storage
//	{"_rails":{"message":"base64 of VALUE","exp":"…","pur":"…"}}   cookies
//
// Readers accept both envelopes, both base64 alphabets, padded or not. Stream
// names are the exception: a bare JSON string without envelope.
//
// Every key comes from SECRET_KEY_BASE by PBKDF2-HMAC-SHA256, 1000 rounds, with
// a salt that names its use; see NewKeys.
package rails
