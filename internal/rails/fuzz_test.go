package rails

import (
	"bytes"
	"encoding/json"
	"errors"
	"testing"
	"time"
)

// FuzzTokens knows one genuine token of each kind: whatever else is accepted is
// a forgery, except that the encrypted cookie's parts have several spellings.
func FuzzTokens(f *testing.F) {
	genuine := map[string]bool{}
	for _, format := range formats {
		f.Add(format.token)
		genuine[format.token] = true
	}
	f.Fuzz(func(t *testing.T, token string) {
		for _, format := range formats {
			value, err := format.read(token, now)
			switch {
			case err == nil && format.digits == 0 && value != format.value:
				t.Errorf("%q is read as %s: %q", token, format.name, value)
			case err == nil && format.digits != 0 && !genuine[token]:
				t.Errorf("%q is read as %s: %q", token, format.name, value)
			case err != nil && !errors.Is(err, ErrInvalid):
				t.Errorf("%q as %s: %v, want ErrInvalid", token, format.name, err)
			}
		}
	})
}

// FuzzPayloads signs whatever comes: what is read must mean the same when it is
// written and read again.
func FuzzPayloads(f *testing.F) {
	for _, payload := range []string{
		`{"_rails":{"data":1,"pur":"user/avatar"}}`,
		`{"_rails":{"data":1,"exp":"2044-01-16T09:55:09.004Z","pur":"user/avatar"}}`,
		`{"_rails":{"message":"MQ==","exp":null,"pur":"user/avatar"}}`,
		`{"_rails":{"data":"gid://campfire/User/1?expires_in","pur":"attachable"}}`,
		`{"_rails":{"data":{"format":"jpg","resize_to_limit":[1200,800]},"pur":"variation"}}`,
		`{"_rails":{"data":{"key":"k","disposition":"inline","content_type":"a/b","service_name":"local"},"pur":"blob_key"}}`,
		`{"_rails":{"message":"ImFiYyI=","exp":null,"pur":"cookie.c"}}`,
		`"rooms"`, `{"_rails":{"message":"MQ==","exp":"2044-01-16T09:55:09.004Z","pur":"user/avatar"}}`,
		`{"_rails":{"message":"MQ==","exp":"2024-02-30T09:55:09.004Z","pur":"user/avatar"}}`, `{"_rails":{"data":007,"pur":"user/avatar"}}`,
	} {
		f.Add([]byte(payload))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		for _, purpose := range []string{AvatarPurpose, attachable, "cookie.c", ""} {
			usual, usualErr := open(payload, purpose, now)
			any, anyErr := openAny(payload, purpose, now)
			if usualErr != anyErr || !bytes.Equal(usual, any) {
				t.Errorf("%q opens as %s, %v; the decoder says %s, %v", payload, usual, usualErr, any, anyErr)
			}
		}
		var number *int64
		if n, ok := usualInt(payload); ok && (json.Unmarshal(payload, &number) != nil || *number != n) {
			t.Errorf("%q is read as %d", payload, n)
		}
		var text *string
		if s, ok := usualString(payload); ok && (json.Unmarshal(payload, &text) != nil || *text != s) {
			t.Errorf("%q is read as %q", payload, s)
		}
		if id, err := keys.VerifySignedID(keys.ids.sign(payload), AvatarPurpose, now); err == nil {
			again, err := keys.VerifySignedID(keys.SignedID(id, AvatarPurpose, time.Time{}), AvatarPurpose, now)
			check(t, payload, again == id, err)
		}
		mention := keys.mentions.sign(payload)
		if id, err := keys.VerifyMentionSGID(mention); err == nil {
			again, err := keys.VerifyMentionSGID(keys.MentionSGID(id))
			check(t, payload, again == id, err)
		}
		if v, err := keys.VerifyVariationKey(keys.storage.sign(payload)); err == nil {
			again, err := keys.VerifyVariationKey(keys.VariationKey(v))
			check(t, payload, again == v, err)
			v.Digest()
		}
		if file, err := keys.VerifyDiskKey(keys.storage.sign(payload), now); err == nil {
			again, err := keys.VerifyDiskKey(keys.DiskKey(file, expiry), now)
			check(t, payload, again == file, err)
		}
		if name, err := keys.VerifyStream(keys.streams.sign(payload)); err == nil {
			again, err := keys.VerifyStream(keys.SignStream(name))
			check(t, payload, again == name, err)
		}
		if value, err := keys.VerifyCookie("c", keys.cookies.sign(payload), now); err == nil {
			again, err := keys.VerifyCookie("c", keys.SignCookie("c", value, expiry), now)
			check(t, payload, again == value, err)
		}
		value, err := keys.DecryptCookie("c", keys.EncryptCookie("c", payload, expiry), now)
		check(t, payload, bytes.Equal(value, payload), err)
	})
}

func check(t *testing.T, input any, same bool, err error) {
	t.Helper()
	if err != nil || !same {
		t.Errorf("%q means something else the second time (error: %v)", input, err)
	}
}

// FuzzTexts reads unsigned texts: what is accepted round-trips.
func FuzzTexts(f *testing.F) {
	for _, text := range []string{
		"2026-11-30 17:00:00", "2026-11-30 17:00:00.123", "2026-11-30 17:00:00.000001", mentionVector, marshalMention,
		"Z2lkOi8vY2FtcGZpcmUvUm9vbXM6Ok9wZW4vMQ", sessionJSON, `{"flash":{"discard":[],"flashes":{"notice":"x"}},"k":[1]}`,
		"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8", MaskedCSRFToken(NewCSRFSecret()),
	} {
		f.Add(text)
	}
	secret := NewCSRFSecret()
	f.Fuzz(func(t *testing.T, text string) {
		if at, err := ParseTime(text); err == nil {
			again, err := ParseTime(FormatTime(at))
			check(t, text, again.Equal(at), err)
			if len(text) == 26 && text[19:] != ".000000" && FormatTime(at) != text {
				t.Errorf("%q is written back as %q", text, FormatTime(at))
			}
		}
		if class, id, err := ParseGIDParam(text); err == nil {
			class2, id2, err := ParseGIDParam(GIDParam(class, id))
			check(t, text, class2 == class && id2 == id, err)
		}
		if s, err := ParseSession([]byte(text)); err == nil {
			s.Next = s.Flash
			again, err := ParseSession(s.JSON())
			check(t, text, err == nil && again.ID == s.ID && again.CSRFToken == s.CSRFToken && again.ReturnTo == s.ReturnTo && again.Flash == s.Flash && len(again.others) == len(s.others), err)
		}
		if usual, ok := usualMention(text); ok {
			if any, ok := anyMention(text); !ok || any != usual {
				t.Errorf("%q mentions %d the short way, %d (%v) the long way", text, usual, any, ok)
			}
		}
		UnverifiedMention(text)
		if text != secret && ValidCSRFToken(secret, text, "/", "post") {
			t.Errorf("%q passes as a CSRF token", text)
		}
		MaskedCSRFToken(text)
		ValidCSRFToken(text, text, text, text)
	})
}
