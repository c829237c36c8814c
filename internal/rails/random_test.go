package rails

import (
	"strings"
	"testing"
)

func TestRandomTextsHaveTheirShape(t *testing.T) {
	for name, test := range map[string]struct {
		make     func() string
		size     int
		alphabet string
	}{
		"session token": {NewSessionToken, 24, base58},
		"blob key":      {NewBlobKey, 28, base36},
		"join code":     {NewJoinCode, 14, alphanum + "-"},
		"bot token":     {NewBotToken, 12, alphanum},
		"session id":    {NewSessionID, 32, "0123456789abcdef"},
		"UUID":          {NewUUID, 36, "0123456789abcdef-"},
	} {
		used := map[rune]bool{}
		seen := map[string]bool{}
		for range 500 {
			text := test.make()
			if len(text) != test.size || strings.Trim(text, test.alphabet) != "" || seen[text] {
				t.Fatalf("%s %q: wrong size or alphabet, or not random", name, text)
			}
			seen[text] = true
			for _, r := range text {
				used[r] = true
			}
		}
		if len(used) != len(test.alphabet) {
			t.Errorf("500 of %s use %d of %d characters", name, len(used), len(test.alphabet))
		}
	}
	if uuid := NewUUID(); uuid[14] != '4' || !strings.ContainsRune("89ab", rune(uuid[19])) || uuid[8] != '-' || uuid[23] != '-' {
		t.Errorf("%s is not a version 4 UUID", uuid)
	}
	if code := NewJoinCode(); code[4] != '-' || code[9] != '-' {
		t.Errorf("join code %s", code)
	}
}
