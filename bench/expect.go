package bench

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
)

// line is one message as an answer must show it.
type line struct {
	id   int64
	text string // how its body begins; holds nothing that HTML escapes
}

const messageMark = `data-message-id="`

// shown is one message as an answer does show it.
type shown struct {
	id      int64
	segment []byte // from its id to the next message's
}

// messagesIn returns the messages of a page, in its order.
func messagesIn(page []byte) ([]shown, error) {
	var found []shown
	for at := bytes.Index(page, []byte(messageMark)); at >= 0; {
		page = page[at+len(messageMark):]
		digits := page[:max(0, bytes.IndexByte(page, '"'))]
		id, err := strconv.ParseInt(string(digits), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("a message has the id %.30q", digits)
		}
		segment := page
		if at = bytes.Index(page, []byte(messageMark)); at >= 0 {
			segment = page[:at]
		}
		found = append(found, shown{id, segment})
	}
	return found, nil
}

// expectLines says what is wrong with a page that must hold exactly want.
func expectLines(page []byte, want []line) error {
	got, err := messagesIn(page)
	if err != nil {
		return err
	}
	return compareLines(got, want)
}

func compareLines(got []shown, want []line) error {
	if len(got) != len(want) {
		return fmt.Errorf("it shows %d messages (%s), want %d (%s)", len(got), shownIDs(got), len(want), lineIDs(want))
	}
	for i, w := range want {
		if got[i].id != w.id {
			return fmt.Errorf("message %d of %d has id %d, want %d; it shows %s, want %s", i+1, len(want), got[i].id, w.id, shownIDs(got), lineIDs(want))
		}
		if !bytes.Contains(got[i].segment, []byte(w.text)) {
			return fmt.Errorf("message %d does not show its text %q", w.id, w.text)
		}
	}
	return nil
}

func shownIDs(messages []shown) string {
	ids := make([]int64, len(messages))
	for i, m := range messages {
		ids[i] = m.id
	}
	return span(ids)
}

func lineIDs(lines []line) string {
	ids := make([]int64, len(lines))
	for i, l := range lines {
		ids[i] = l.id
	}
	return span(ids)
}

// span names the first and the last of ids.
func span(ids []int64) string {
	switch len(ids) {
	case 0:
		return "none"
	case 1:
		return strconv.FormatInt(ids[0], 10)
	}
	return fmt.Sprintf("%d to %d", ids[0], ids[len(ids)-1])
}

// expectRoom says what is wrong with a room page that is not of this room.
func expectRoom(page []byte, room int64) error {
	if !holdsMeta(page, "current-room-id", strconv.FormatInt(room, 10)) {
		return fmt.Errorf("it is not the page of room %d: its meta current-room-id says %q", room, meta(page, "current-room-id"))
	}
	if target := roomTarget(room); !bytes.Contains(page, []byte(`id="`+target+`"`)) {
		return fmt.Errorf("it has no message list %q", target)
	}
	return nil
}

func roomTarget(room int64) string {
	return "messages_rooms_open_" + strconv.FormatInt(room, 10)
}

func holdsMeta(page []byte, name, want string) bool { return meta(page, name) == want }

// meta returns the content of a meta element, "" when there is none.
func meta(page []byte, name string) string {
	at := bytes.Index(page, []byte(`name="`+name+`"`))
	if at < 0 {
		return ""
	}
	start := bytes.LastIndexByte(page[:at], '<')
	end := bytes.IndexByte(page[at:], '>')
	if start < 0 || end < 0 {
		return ""
	}
	_, content, found := bytes.Cut(page[start:at+end], []byte(`content="`))
	if !found {
		return ""
	}
	value, _, _ := bytes.Cut(content, []byte(`"`))
	return string(value)
}

// expectSidebar says what is wrong with a sidebar that must link exactly want,
// elements such as "open_7", in that order.
func expectSidebar(page []byte, want []string) error {
	const mark = `id="list_rooms_`
	var got []string
	for rest := page; ; {
		_, after, found := bytes.Cut(rest, []byte(mark))
		if !found {
			break
		}
		name, _, _ := bytes.Cut(after, []byte(`"`))
		got = append(got, string(name))
		rest = after
	}
	if !slices.Equal(got, want) {
		return fmt.Errorf("it links the rooms %v, want %v", got, want)
	}
	return nil
}

// expectPosted says what is wrong with the answer to a post, and returns the id
// of the message it made.
func expectPosted(a *answer, body []byte, room int64, clientID, text string) (int64, error) {
	if a.Status != 200 && a.Status != 201 {
		return 0, fmt.Errorf("status %d, want 200", a.Status)
	}
	if !bytes.HasPrefix([]byte(a.Type), []byte("text/vnd.turbo-stream.html")) {
		return 0, fmt.Errorf("content type %q, want a turbo stream", a.Type)
	}
	for _, part := range []string{`action="append"`, `target="` + roomTarget(room) + `"`, `id="message_` + clientID + `"`} {
		if !bytes.Contains(body, []byte(part)) {
			return 0, fmt.Errorf("the turbo stream has no %s", part)
		}
	}
	messages, err := messagesIn(body)
	if err != nil {
		return 0, err
	}
	if len(messages) != 1 {
		return 0, fmt.Errorf("the turbo stream shows %d messages, want 1", len(messages))
	}
	if !bytes.Contains(messages[0].segment, []byte(text)) {
		return 0, fmt.Errorf("the turbo stream does not show the text %q", text)
	}
	return messages[0].id, nil
}

// expectStatus says what is wrong with an answer that must be a page.
func expectStatus(a *answer, kind string) error {
	if a.Status != 200 {
		if a.Location != "" {
			return fmt.Errorf("status %d to %s, want 200", a.Status, a.Location)
		}
		return fmt.Errorf("status %d, want 200", a.Status)
	}
	if !bytes.HasPrefix([]byte(a.Type), []byte(kind)) {
		return fmt.Errorf("content type %q, want %s", a.Type, kind)
	}
	return nil
}
