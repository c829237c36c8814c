package rails

import (
	"encoding/base64"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestTamperingAtAnyByteIsNoticed(t *testing.T) {
	for _, f := range formats {
		for i := range len(f.token) {
			for _, change := range []byte{1, 2, 0x20, 0x80} {
				tampered := []byte(f.token)
				tampered[i] ^= change
				if got, err := f.read(string(tampered), now); !errors.Is(err, ErrInvalid) {
					t.Fatalf("%s with byte %d changed from %q to %q is read as %q, %v", f.name, i, f.token[i], tampered[i], got, err)
				}
			}
		}
	}
}

func TestTruncationAtAnyLengthIsNoticed(t *testing.T) {
	for _, f := range formats {
		for i := range len(f.token) {
			for _, cut := range []string{f.token[:i], f.token[i+1:], f.token[:i] + f.token[i+1:]} {
				padding := f.digits == 0 && i > 0 && f.token[i] == '=' // of a part that no MAC over text covers
				if got, err := f.read(cut, now); err == nil && !padding {
					t.Fatalf("%s cut to %q is read as %q", f.name, cut, got)
				}
			}
		}
		for _, longer := range []string{f.token + "a", "a" + f.token, f.token + "--", f.token + f.token, f.token + "\n"} {
			if got, err := f.read(longer, now); err == nil {
				t.Errorf("%s with more around it (%q) is read as %q", f.name, longer, got)
			}
		}
	}
}

func TestTokensExpireAtTheirMomentAndNotBefore(t *testing.T) {
	for _, f := range formats {
		if _, err := f.read(f.token, expiry.Add(-time.Millisecond)); err != nil {
			t.Errorf("%s a millisecond early: %v", f.name, err)
		}
		for _, late := range []time.Duration{0, time.Hour} {
			_, err := f.read(f.token, expiry.Add(late))
			if want := f.expiry.IsZero(); (err == nil) != want || !want && err != ErrExpired {
				t.Errorf("%s %v after the moment: %v", f.name, late, err)
			}
		}
	}
}

func TestATokenIsGoodForItsOwnUseOnly(t *testing.T) {
	for _, f := range formats {
		for _, other := range formats {
			if f.name == other.name || strings.Contains(f.name, "stream") && strings.Contains(other.name, "stream") {
				continue
			}
			if got, err := f.read(other.token, now); err == nil {
				t.Errorf("the token of %s is read as %s: %q", other.name, f.name, got)
			}
		}
	}
	if _, err := keys.VerifyCookie("other", tokenVector, now); err != ErrInvalid {
		t.Errorf("a cookie under another name: %v", err)
	}
	if _, err := keys.DecryptCookie("other", sessionVector, now); err != ErrInvalid {
		t.Errorf("an encrypted cookie under another name: %v", err)
	}
	if _, err := keys.VerifySignedID(avatarVector, TransferPurpose, now); err != ErrInvalid {
		t.Errorf("an avatar's link as a transfer: %v", err)
	}
	if _, err := NewKeys("another secret").VerifyCookie(TokenCookie, tokenVector, now); err != ErrInvalid {
		t.Errorf("a cookie signed with another secret: %v", err)
	}
}

// encodings are the ways in which base64 may be written.
var encodings = map[string]*base64.Encoding{
	"standard": base64.StdEncoding, "standard, bare": base64.RawStdEncoding,
	"url": base64.URLEncoding, "url, bare": base64.RawURLEncoding,
}

func TestBothEnvelopesAndEveryBase64AreRead(t *testing.T) {
	// The value's base64 differs between the alphabets.
	const value = `"sub?ject>~~ ÿ?"`
	text, err := jsonString([]byte(value))
	if err != nil {
		t.Fatal(err)
	}
	for name, encoding := range encodings {
		for _, inner := range encodings {
			payloads := []string{
				`{"_rails":{"data":` + value + `,"pur":"cookie.c"}}`,
				`{"_rails":{"message":"` + inner.EncodeToString([]byte(value)) + `","exp":null,"pur":"cookie.c"}}`,
			}
			for _, payload := range payloads {
				s := keys.cookies
				s.encoding = encoding
				got, err := keys.VerifyCookie("c", s.sign([]byte(payload)), now)
				if err != nil || got != text {
					t.Errorf("%s of %s is read as %q, %v", name, payload, got, err)
				}
			}
		}
	}
}

// TestASignatureIsLookedForAtTheEnd signs a payload whose base64 holds "--".
func TestASignatureIsLookedForAtTheEnd(t *testing.T) {
	payload := []byte{0xfb, 0xef, 0xbe, 0xfb, 0xef, 0xbe}
	token := keys.mentions.sign(payload)
	if !strings.HasPrefix(token, "--") && strings.Count(token, "--") < 2 {
		t.Fatalf("%s has no dashes in its payload: the test is broken", token)
	}
	got, err := keys.mentions.verify(token)
	if err != nil || string(got) != string(payload) {
		t.Errorf("verify(%s) = %x, %v", token, got, err)
	}
}

func TestGenuineSignaturesOverNonsenseAreRefused(t *testing.T) {
	for _, payload := range []string{
		"", "null", "1", `"text"`, "{}", "[]", `{"_rails":null}`, `{"_rails":{}}`, `{"_rails":[]}`, `{"_rails":{"data":1}}`,
		`{"_rails":{"pur":"p"}}`, `{"_rails":{"data":null,"pur":"p"}}`, `{"_rails":{"data":"x","pur":"p"}}`, `{"_rails":{"data":1.5,"pur":"p"}}`,
		`{"_rails":{"data":1e99,"pur":"p"}}`, `{"_rails":{"data":9223372036854775808,"pur":"p"}}`, `{"_rails":{"data":1,"pur":""}}`,
		`{"_rails":{"data":1,"pur":1}}`, `{"_rails":{"data":1,"exp":"tomorrow","pur":"p"}}`, `{"_rails":{"data":1,"exp":1,"pur":"p"}}`,
		`{"_rails":{"message":"*","exp":null,"pur":"p"}}`, `{"_rails":{"message":"BAhpBg==","exp":null,"pur":"p"}}`,
		`{"_rails":{"data":1,"pur":"p"}} `[:5], "\x04\bi\x06", "\xff\xfe",
	} {
		if got, err := keys.VerifySignedID(keys.ids.sign([]byte(payload)), "p", now); err == nil {
			t.Errorf("%q is read as id %d", payload, got)
		}
	}
	for _, payload := range []string{"null", "1", "{}", "text", ""} {
		if got, err := keys.VerifyStream(keys.streams.sign([]byte(payload))); err == nil {
			t.Errorf("%q is read as stream %q", payload, got)
		}
	}
	for _, limit := range []string{"[]", "[1]", "[0,1]", "[-1,5]", "[1,2,3]", "[99999,1]", `"1"`, "[null,1]"} {
		payload := `{"_rails":{"data":{"format":"png","resize_to_limit":` + limit + `},"pur":"variation"}}`
		if got, err := keys.VerifyVariationKey(keys.storage.sign([]byte(payload))); err == nil {
			t.Errorf("limit %s is read as %+v", limit, got)
		}
	}
}

// A mention made by Rails 7, with a signature of a secret that is gone.
func TestKeysAreSafeForManyGoroutines(t *testing.T) {
	done := make(chan error)
	for i := range 8 {
		go func() {
			for range 50 {
				value := "value " + strconv.Itoa(i)
				if got, err := keys.VerifyCookie("c", keys.SignCookie("c", value, expiry), now); err != nil || got != value {
					done <- fmt.Errorf("signed: %q, %v", got, err)
					return
				}
				if got, err := keys.DecryptCookie("c", keys.EncryptCookie("c", plainJSON(value), expiry), now); err != nil || string(got) != `"`+value+`"` {
					done <- fmt.Errorf("encrypted: %s, %v", got, err)
					return
				}
			}
			done <- nil
		}()
	}
	for range 8 {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}
