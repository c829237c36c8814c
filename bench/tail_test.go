package bench

import (
	"fmt"
	"strings"
	"testing"
)

// pageOf writes a page as a server might.
func pageOf(lines []line) []byte {
	var page strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&page, `<div data-message-id="%d">%s</div>`, l.id, l.text)
	}
	return []byte(page.String())
}

func TestATailAcceptsEveryMomentSinceTheQuestionAndNoOther(t *testing.T) {
	var said []line
	for i := range int64(60) {
		said = append(said, line{10 + 3*i, fmt.Sprintf("said %d.", i)})
	}
	during, flying := line{1000, "posted during the question"}, line{1001, "on its way"}
	room := &tail{room: busyRoom, lines: said}
	before := room.now()
	room.posted(during)
	room.posting(flying.text)

	with := func(more ...line) []line { return lastOf(append(append([]line(nil), said...), more...), pageSize) }
	for _, c := range []struct {
		name string
		page []line
		want string // in the error; empty: right
	}{
		{"as it was when asked", with(), ""},
		{"with what was posted since", with(during), ""},
		{"with what is on its way", with(during, flying), ""},
		{"older than the question", lastOf(said[:59], pageSize), "acknowledged before"},
		{"with what is on its way, without what came before", with(flying), "has id"},
		{"with what nobody posted", with(during, line{1001, "from nowhere"}), "not one that was posted"},
		{"with one message twice", with(said[59]), "has id"},
		{"too short", with(during)[1:], "39 messages"},
		{"too long", lastOf(append(append([]line(nil), said...), during), pageSize+1), "41 messages"},
		{"empty", nil, "no message"},
	} {
		err := room.expect(pageOf(c.page), before)
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got error %v, want one with %q", c.name, err, c.want)
		}
	}
}

func TestASocketNoticesWrongFrames(t *testing.T) {
	k := &socket{}
	right := `{"identifier":"x","message":"<turbo-stream target=\"messages_rooms_open_3\"><div id=\"message_bench-00000007\">post number 7 by the load"}`
	for _, c := range []struct{ name, frame, want string }{
		{"the right one", right, ""},
		{"the same again", right, "came twice"},
		{"one for another room", strings.Replace(strings.ReplaceAll(right, "7", "8"), "open_3", "open_4", 1), "comes without"},
		{"one with another text", strings.Replace(strings.ReplaceAll(right, "7", "9"), "post number", "number", 1), "comes without"},
		{"one that is cut off", right[:strings.Index(right, "00007")], "ends within"},
		{"one without a number", strings.Replace(right, "00000007", "whatever", 1), "of nobody"},
	} {
		_, after, found := strings.Cut(c.frame, clientMark)
		if !found {
			t.Fatalf("%s: the frame is none of the load's", c.name)
		}
		_, err := k.judge([]byte(c.frame), []byte(after))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.name, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: got error %v, want one with %q", c.name, err, c.want)
		}
	}
}
