package richtext

import (
	"slices"
	"testing"
	"time"

	"hearth/internal/rails"
)

func TestOnlyMentionsThatWeSignedAreTold(t *testing.T) {
	one, two := testKeys.MentionSGID(1), testKeys.MentionSGID(2)
	stale := rails.NewKeys("the secret before").MentionSGID(3)
	body := "<div>" + mention(two) + mention(one) + mention(stale) + mention(two) + mention(davidSGID) + mention("nonsense") + "</div>"
	if got, want := Mentions(body, testKeys), []int64{2, 1}; !slices.Equal(got, want) {
		t.Errorf("told: %v, want %v", got, want)
	}
	if got, want := MentionIDs(body), []int64{2, 1, 3, 127326141}; !slices.Equal(got, want) {
		t.Errorf("shown: %v, want %v", got, want)
	}
}

func TestWhatOnlyLooksLikeAMentionIsNone(t *testing.T) {
	one := testKeys.MentionSGID(1)
	for _, body := range []string{
		"", "sgid", `<span sgid="` + one + `"></span>`, `<!-- ` + mention(one) + ` -->`, `<script>` + mention(one) + `</script>`,
		`&lt;action-text-attachment sgid="` + one + `"&gt;`, `<p title='` + mention(one) + `'>x</p>`, `<action-text-attachments sgid="` + one + `">`,
		mention(testKeys.SignedID(1, rails.AvatarPurpose, time.Time{})), mention(testKeys.BlobID(1)),
	} {
		if got := Mentions(body, testKeys); len(got) > 0 {
			t.Errorf("%s mentions %v", body, got)
		}
	}
	for _, body := range []string{`<ACTION-TEXT-ATTACHMENT SGID='` + one + `'>`, `<action-text-attachment sgid=` + one + ` sgid=x>`, `<b>` + mention(one)} {
		if got := Mentions(body, testKeys); !slices.Equal(got, []int64{1}) {
			t.Errorf("%s mentions %v, want person 1", body, got)
		}
		if got := MentionIDs(body); !slices.Equal(got, []int64{1}) {
			t.Errorf("%s shows %v, want person 1", body, got)
		}
	}
	if n := testing.AllocsPerRun(100, func() { MentionIDs("<div>Nobody is <b>here</b>, Nobody</div>") }); n != 0 {
		t.Errorf("looking for no mention takes %v allocations", n)
	}
}
