package rails

import (
	"encoding/hex"
	"testing"
	"time"
)

// The vectors were computed apart from this code, for this secret and moment.
const vectorSecret = "test-secret-key-base-0123456789abcdef"

var (
	keys   = NewKeys(vectorSecret)
	expiry = time.Date(2044, 1, 16, 9, 55, 9, 4e6, time.UTC)
	now    = time.Date(2026, 11, 30, 17, 0, 0, 0, time.UTC)
)

const (
	tokenVector    = `eyJfcmFpbHMiOnsibWVzc2FnZSI6IkltRmhZV0ZoWVdGaFlXRmhZV0ZoWVdGaFlXRmhZV0ZoWVNJPSIsImV4cCI6IjIwNDQtMDEtMTZUMDk6NTU6MDkuMDA0WiIsInB1ciI6ImNvb2tpZS5zZXNzaW9uX3Rva2VuIn19--60e8b41b35707ed80ef9ed427f5914f3bcd9efa2`
	sessionVector  = `Xfwgqtu7CXJ3vYMRa2/pjLg43tzKIvrDYcEauPqvTjWJpRvKpOqapmNKbcrm477xTQrd3JEJub9cCv4fVDQR2bPLwiSCPTmoNXNQoo4GZJPIs5UC6iv+B+rZ0VJoPh1KNElEITvcM42F7COVsBZjuI2ViIElT306DjH/XzAyExNqujYgh2HqMYHp8oLpJy2CroMOOlcQJYR4TcaWFvitpVebaeUaoQQVFYdo58mD7U/Gpc+qBjD7k62sRPu7hSOA0Ru+P3tQCj3pKQu9XoMELW4KDSmUj9c95MJV9iJxOhzbUIOWn0qpzP6GEqGMKdc=--AAECAwQFBgcICQoL--JBdL6E1evXXvmu4fDT3vyQ==`
	sessionJSON    = `{"session_id":"0123456789abcdef0123456789abcdef","_csrf_token":"AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"}`
	avatarVector   = `eyJfcmFpbHMiOnsiZGF0YSI6MSwicHVyIjoidXNlci9hdmF0YXIifX0--11f6ad2dc18d2e5be2a5e442e728f07e578a9f60eccb143f4a97e748cc8ce498`
	transferVector = `eyJfcmFpbHMiOnsiZGF0YSI6MSwiZXhwIjoiMjA0NC0wMS0xNlQwOTo1NTowOS4wMDRaIiwicHVyIjoidXNlci90cmFuc2ZlciJ9fQ--a31f19208945427ae07defa89fb26593941b2868ad7a399e4a746e6cb928de89`
	mentionVector  = `eyJfcmFpbHMiOnsiZGF0YSI6ImdpZDovL2NhbXBmaXJlL1VzZXIvMT9leHBpcmVzX2luIiwicHVyIjoiYXR0YWNoYWJsZSJ9fQ==--cd42bf7e47a367eeebe724229c39a667a59787e3`
	blobVector     = `eyJfcmFpbHMiOnsiZGF0YSI6MSwicHVyIjoiYmxvYl9pZCJ9fQ==--d2864f358ee0f9c91f10cb2c7155b9dbbafc0cf3`
	thumbVector    = `eyJfcmFpbHMiOnsiZGF0YSI6eyJmb3JtYXQiOiJqcGciLCJyZXNpemVfdG9fbGltaXQiOlsxMjAwLDgwMF19LCJwdXIiOiJ2YXJpYXRpb24ifX0=--1dacf5385bbf88ca2d6489ed17342a7e7ae88f21`
	messagesVector = `IloybGtPaTh2WTJGdGNHWnBjbVV2VW05dmJYTTZPazl3Wlc0dk1ROm1lc3NhZ2VzIg==--9e1999423b2a9cd680fb665b7341189c9a0d796edf292f07e5e878a47ad9802e`
	roomsVector    = `InJvb21zIg==--ff6c169d0d76280364949b8f246c0ff82a951bcdb75b0309f9e65722086174bb`
	ownVector      = `IloybGtPaTh2WTJGdGNHWnBjbVV2VlhObGNpOHg6cm9vbXMi--7dd8f8af2e48c64dac8e1d7f4c1a40eda7e42f31b1c97e3e594a0edde1aa36f0`
)

var twentyFourA = "aaaaaaaaaaaaaaaaaaaaaaaa"

// A format is one kind of token, in both directions: value is written out as
// text so that the table can hold all kinds.
type format struct {
	name   string
	token  string
	value  string
	make   func() string
	read   func(token string, now time.Time) (string, error)
	expiry time.Time // zero: never
	digits int       // of the MAC, or zero
}

func id(read func(string, time.Time) (int64, error)) func(string, time.Time) (string, error) {
	return func(token string, now time.Time) (string, error) {
		n, err := read(token, now)
		if err != nil {
			return "", err
		}
		return GIDParam("Record", n), nil
	}
}

var formats = []format{
	{"login cookie", tokenVector, twentyFourA,
		func() string { return keys.SignCookie(TokenCookie, twentyFourA, expiry) },
		func(s string, now time.Time) (string, error) { return keys.VerifyCookie(TokenCookie, s, now) }, expiry, 40},
	{"session cookie", sessionVector, sessionJSON,
		func() string {
			return keys.encryptCookie(SessionCookie, []byte(sessionJSON), expiry, []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
		},
		func(s string, now time.Time) (string, error) {
			value, err := keys.DecryptCookie(SessionCookie, s, now)
			return string(value), err
		}, expiry, 0},
	{"avatar", avatarVector, GIDParam("Record", 1),
		func() string { return keys.SignedID(1, AvatarPurpose, time.Time{}) },
		id(func(s string, now time.Time) (int64, error) { return keys.VerifySignedID(s, AvatarPurpose, now) }), time.Time{}, 64},
	{"transfer", transferVector, GIDParam("Record", 1),
		func() string { return keys.SignedID(1, TransferPurpose, expiry) },
		id(func(s string, now time.Time) (int64, error) { return keys.VerifySignedID(s, TransferPurpose, now) }), expiry, 64},
	{"mention", mentionVector, GIDParam("Record", 1),
		func() string { return keys.MentionSGID(1) },
		id(func(s string, _ time.Time) (int64, error) { return keys.VerifyMentionSGID(s) }), time.Time{}, 40},
	{"blob", blobVector, GIDParam("Record", 1),
		func() string { return keys.BlobID(1) },
		id(func(s string, _ time.Time) (int64, error) { return keys.VerifyBlobID(s) }), time.Time{}, 40},
	{"variation", thumbVector, `{"format":"jpg","resize_to_limit":[1200,800]}`,
		func() string { return keys.VariationKey(Variation{Format: "jpg", Width: 1200, Height: 800}) },
		func(s string, _ time.Time) (string, error) {
			v, err := keys.VerifyVariationKey(s)
			if err != nil {
				return "", err
			}
			return string(v.json()), nil
		}, time.Time{}, 40},
	{"messages stream", messagesVector, GIDParam("Rooms::Open", 1) + ":messages",
		func() string { return keys.SignStream(GIDParam("Rooms::Open", 1) + ":messages") },
		func(s string, _ time.Time) (string, error) { return keys.VerifyStream(s) }, time.Time{}, 64},
	{"rooms stream", roomsVector, "rooms",
		func() string { return keys.SignStream("rooms") },
		func(s string, _ time.Time) (string, error) { return keys.VerifyStream(s) }, time.Time{}, 64},
	{"own rooms stream", ownVector, GIDParam("User", 1) + ":rooms",
		func() string { return keys.SignStream(GIDParam("User", 1) + ":rooms") },
		func(s string, _ time.Time) (string, error) { return keys.VerifyStream(s) }, time.Time{}, 64},
}

func TestDerivedKeysMatchTheVectors(t *testing.T) {
	for _, test := range []struct {
		salt string
		size int
		want string
	}{
		{"signed cookie", 64, "4e581613e7510df9f59acce62fd8e55a6a92baa2480f3a20c00f56280f3c70a75aacd231593fbb95ad776c10c41639945b1ea813d13120d81db3aee1e44bd355"},
		{"authenticated encrypted cookie", 32, "8d670747874d2bda2532118fdf391040fa8550b487fdea6ced1714632fbb3941"},
	} {
		if got := hex.EncodeToString(derive(vectorSecret, test.salt, test.size)); got != test.want {
			t.Errorf("key of %q = %s, want %s", test.salt, got, test.want)
		}
	}
}

func TestEveryFormatIsWrittenAndReadAsTheVectorsSay(t *testing.T) {
	for _, f := range formats {
		if got := f.make(); got != f.token {
			t.Errorf("%s is written as\n%s, want\n%s", f.name, got, f.token)
		}
		got, err := f.read(f.token, now)
		if err != nil || got != f.value {
			t.Errorf("%s is read as %q, %v; want %q", f.name, got, err, f.value)
		}
	}
}

func TestGlobalIDsMatchTheVectors(t *testing.T) {
	for _, test := range []struct {
		class string
		id    int64
		want  string
	}{
		{"Rooms::Open", 1, "Z2lkOi8vY2FtcGZpcmUvUm9vbXM6Ok9wZW4vMQ"},
		{"User", 1, "Z2lkOi8vY2FtcGZpcmUvVXNlci8x"},
	} {
		if got := GIDParam(test.class, test.id); got != test.want {
			t.Errorf("GIDParam(%q, %d) = %s, want %s", test.class, test.id, got, test.want)
		}
		class, id, err := ParseGIDParam(test.want)
		if err != nil || class != test.class || id != test.id {
			t.Errorf("ParseGIDParam(%s) = %q, %d, %v", test.want, class, id, err)
		}
	}
}

// TestACookieOfTheReferenceIsReproduced uses the one signature that was published
// together with its input.
func TestACookieOfTheReferenceIsReproduced(t *testing.T) {
	const want = "d7c7c54d796052ecafd42f742c837634374b5c53"
	cookie := NewKeys("dummy").SignCookie(TokenCookie, "aaaaaaaaaaaaaaaaaaa00001", expiry)
	if got := cookie[len(cookie)-40:]; got != want {
		t.Errorf("signature = %s, want %s", got, want)
	}
}

func TestCSRFTokensMatchTheVectors(t *testing.T) {
	const (
		secret = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
		global = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqrmmxVGWj9dI6-lsH0SkTo9SR5FbXn4_NVHtTYWG3UPHg"
		form   = "qqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqqJqqutbUt45VSnfE9rFaoELd1J5gh1-nyBnhLJyrI5UA"
	)
	pad := make([]byte, csrfSize)
	for i := range pad {
		pad[i] = 0xaa
	}
	if got := maskedWith(pad, secret, globalCSRFID); got != global {
		t.Errorf("page token = %s, want %s", got, global)
	}
	if got := maskedWith(pad, secret, formCSRFID("/session", "post")); got != form {
		t.Errorf("form token = %s, want %s", got, form)
	}
	for _, token := range []string{global, form, form + "==", secret} {
		if !ValidCSRFToken(secret, token, "/session", "POST") {
			t.Errorf("ValidCSRFToken(%s) = false", token)
		}
	}
	if ValidCSRFToken(secret, form, "/session", "DELETE") || ValidCSRFToken(secret, form, "/sessions", "POST") {
		t.Error("a form's token is good for another form")
	}
}

func TestVariationDigestsMatchTheTable(t *testing.T) {
	for _, test := range []struct {
		v    Variation
		want string
	}{
		{Variation{"jpg", false, 1200, 800}, "IBhrLAIapu+NCId+2Kz6EqUWRKY="},
		{Variation{"jpeg", false, 1200, 800}, "lW7zi3CNqPkdPs9HfIxfPAp6vL0="},
		{Variation{"png", false, 1200, 800}, "aFrmZ9PxOH5XKtnRmopvClCmS1g="},
		{Variation{"gif", false, 1200, 800}, "QhvxvYWo0o2axWU0l3EW8VQDYbM="},
		{Variation{"webp", false, 1200, 800}, "u0TSbUypNLiezYYkiqbZ8jAyVv0="},
		{Variation{"png", true, 1200, 800}, "E5GdheK2KKwpmZTUH1L2aXvHokU="},
		{Variation{"webp", true, 0, 0}, "IrCln/Mml8kDmpMni9j4/WNB7Uo="},
		{Variation{"webp", true, 512, 512}, "6gwfjNKv9eUy9jNUtEZvQFLU0hQ="},
		{Variation{"png", true, 512, 512}, "ksXvpLsa7BuCVyHOwmQOKedbIbM="},
		{Variation{"png", true, 192, 192}, "EXATZfM7OVVC86CDh85TOsa8ZSw="},
	} {
		if got := test.v.Digest(); got != test.want {
			t.Errorf("digest of %+v = %s, want %s", test.v, got, test.want)
		}
	}
}
