package rails

import (
	"encoding/json"
	"net/url"
	"os"
	"strings"
	"testing"
	"time"
)

// sample is what an existing installation has handed out.
func sample(t *testing.T) (k *Keys, text func(label string) string, number func(label string) int64) {
	t.Helper()
	raw, err := os.ReadFile("testdata/labels.json")
	if err != nil {
		t.Fatal(err)
	}
	var labels map[string]any
	decoder := json.NewDecoder(strings.NewReader(string(raw)))
	decoder.UseNumber()
	if err := decoder.Decode(&labels); err != nil {
		t.Fatal(err)
	}
	text = func(label string) string {
		t.Helper()
		value, ok := labels[label].(string)
		if !ok {
			t.Fatalf("no text labelled %s", label)
		}
		return value
	}
	number = func(label string) int64 {
		t.Helper()
		value, ok := labels[label].(json.Number)
		if !ok {
			t.Fatalf("no number labelled %s", label)
		}
		n, err := value.Int64()
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	return NewKeys(text("secret_key_base")), text, number
}

func TestPeopleOfTheSampleStaySignedIn(t *testing.T) {
	k, text, _ := sample(t)
	for _, person := range []string{"david", "jason", "kevin", "loner"} {
		_, escaped, _ := strings.Cut(text("cookies."+person), "session_token=")
		cookie, err := url.QueryUnescape(strings.TrimSuffix(escaped, ";"))
		if err != nil {
			t.Fatal(err)
		}
		got, err := k.VerifyCookie(TokenCookie, cookie, now)
		if want := text("sessions." + person); err != nil || got != want {
			t.Errorf("cookie of %s holds %q, %v; want %q", person, got, err, want)
		}
	}
}

func TestLinksOfTheSampleStayValid(t *testing.T) {
	k, text, number := sample(t)
	for _, person := range []string{"david", "jason", "kevin"} {
		got, err := k.VerifySignedID(text("avatar_tokens."+person), AvatarPurpose, now)
		if want := number("users." + person); err != nil || got != want {
			t.Errorf("avatar of %s leads to %d, %v; want %d", person, got, err, want)
		}
	}
	name, err := k.VerifyStream(text("streams.watercooler_messages"))
	if err != nil {
		t.Fatal(err)
	}
	class, id, err := ParseGIDParam(strings.TrimSuffix(name, ":messages"))
	if err != nil || id != number("rooms.watercooler") || !strings.HasPrefix(class, "Rooms::") {
		t.Errorf("stream %s is of %s %d, %v", name, class, id, err)
	}
}

func TestATransferLinkOfTheSampleWorksUntilItExpires(t *testing.T) {
	k, text, number := sample(t)
	for _, label := range []string{"transfers.david", "transfers.david_expired"} {
		token := text(label)
		before := time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)
		got, err := k.VerifySignedID(token, TransferPurpose, before)
		if want := number("users.david"); err != nil || got != want {
			t.Errorf("%s leads to %d, %v; want %d", label, got, err, want)
		}
		if _, err := k.VerifySignedID(token, TransferPurpose, before.AddDate(50, 0, 0)); err != ErrExpired {
			t.Errorf("%s fifty years later: %v, want ErrExpired", label, err)
		}
	}
}
