package rails

import (
	"strings"
	"testing"
	"time"
)

func TestMentionsOfOtherThingsThanPeopleAreRefused(t *testing.T) {
	for _, gid := range []string{
		"gid://campfire/Account/1", "gid://other/User/1", "gid://campfire/User/", "gid://campfire/User/-1", "gid://campfire/User/1/2",
		"gid://campfire/User/0x1", "gid://campfire/User/99999999999999999999", "http://campfire/User/1", "", "gid://campfire//1",
	} {
		token := keys.mentions.sign(seal(plainJSON(gid), attachable, time.Time{}))
		if got, err := keys.VerifyMentionSGID(token); err == nil {
			t.Errorf("mention of %s is read as person %d", gid, got)
		}
		if got, ok := UnverifiedMention(token); ok {
			t.Errorf("mention of %s is shown as person %d", gid, got)
		}
	}
}

func TestMentionsAreReadWithAnyQuery(t *testing.T) {
	for _, query := range []string{"", "?", "?expires_in", "?expires_in=3600", "?a=b&c=d/e"} {
		token := keys.mentions.sign(seal(plainJSON("gid://campfire/User/7"+query), attachable, time.Time{}))
		if got, err := keys.VerifyMentionSGID(token); err != nil || got != 7 {
			t.Errorf("query %q: verified as %d, %v", query, got, err)
		}
		if got, ok := UnverifiedMention(token); !ok || got != 7 {
			t.Errorf("query %q: shown as %d, %v", query, got, ok)
		}
	}
}

const marshalMention = "eyJfcmFpbHMiOnsibWVzc2FnZSI6IkJBaEpJaTFuYVdRNkx5OWpZVzF3Wm1seVpTOVZjMlZ5THpFeU56TXlOakUwTVQ5bGVIQnBjbVZ6WDJsdUJqb0dSVlE9IiwiZXhwIjpudWxsLCJwdXIiOiJhdHRhY2hhYmxlIn19--0123456789012345678901234567890123456789"

func TestOldMentionsAreShownButNotTrusted(t *testing.T) {
	for name, encoding := range encodings {
		payload, err := decode64(strings.Split(marshalMention, "--")[0])
		if err != nil {
			t.Fatal(err)
		}
		token := encoding.EncodeToString(payload) + "--" + strings.Repeat("0", 40)
		if got, ok := UnverifiedMention(token); !ok || got != 127326141 {
			t.Errorf("%s: shown as %d, %v; want 127326141", name, got, ok)
		}
		if got, err := keys.VerifyMentionSGID(token); err == nil {
			t.Errorf("%s: trusted as %d", name, got)
		}
	}
	if got, ok := UnverifiedMention(mentionVector[:len(mentionVector)-4] + "0000"); !ok || got != 1 {
		t.Errorf("a stale signature hides the mention: %d, %v", got, ok)
	}
}

func TestTheShortWayReadsMentionsLikeTheLongOne(t *testing.T) {
	for _, id := range []int64{1, 7, 42, 127326141, 922337203685477579, 1<<63 - 1} {
		token := keys.MentionSGID(id)
		if got, ok := UnverifiedMention(token); !ok || got != id {
			t.Errorf("mention of %d is shown as %d, %v", id, got, ok)
		}
	}
	encoded, _, _ := strings.Cut(keys.MentionSGID(127326141), "--")
	if id, ok := usualMention(encoded); !ok || id != 127326141 {
		t.Error("the usual mention does not take the short way")
	}
	if n := testing.AllocsPerRun(100, func() { usualMention(encoded) }); n != 0 {
		t.Errorf("the short way allocates %v times", n)
	}
}
