package rails

import (
	"testing"
	"time"
)

// What each request pays: its cookies once, a page's tokens and times many times.
func BenchmarkRequest(b *testing.B) {
	secret := NewCSRFSecret()
	at := time.Date(2026, 11, 30, 17, 0, 0, 123456000, time.UTC)
	text := FormatTime(at)
	buffer := make([]byte, 0, 64)
	for _, bench := range []struct {
		name string
		work func() error
	}{
		{"VerifyCookie", func() error { _, err := keys.VerifyCookie(TokenCookie, tokenVector, now); return err }},
		{"SignCookie", func() error { keys.SignCookie(TokenCookie, twentyFourA, expiry); return nil }},
		{"DecryptCookie", func() error { _, err := keys.DecryptCookie(SessionCookie, sessionVector, now); return err }},
		{"EncryptCookie", func() error { keys.EncryptCookie(SessionCookie, []byte(sessionJSON), expiry); return nil }},
		{"ParseSession", func() error { _, err := ParseSession([]byte(sessionJSON)); return err }},
		{"MaskedCSRFToken", func() error { MaskedCSRFToken(secret); return nil }},
		{"SignedID", func() error { keys.SignedID(1, AvatarPurpose, time.Time{}); return nil }},
		{"SignStream", func() error { keys.SignStream("rooms"); return nil }},
		{"UnverifiedMention", func() error { UnverifiedMention(mentionVector); return nil }},
		{"ParseTime", func() error { _, err := ParseTime(text); return err }},
		{"AppendTime", func() error { AppendTime(buffer, at); return nil }},
	} {
		b.Run(bench.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := bench.work(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
