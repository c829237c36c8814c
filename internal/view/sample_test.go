package view_test

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
	"hearth/internal/view"
)

// sampleMessages are all messages of the sample, room by room.
func sampleMessages(t testing.TB, r *chat.Reader) []*chat.Message {
	t.Helper()
	var all []*chat.Message
	people, err := r.ActiveUsers()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[chat.RoomID]bool{}
	for _, u := range people {
		sidebar, err := r.Sidebar(u.ID)
		if err != nil {
			t.Fatal(err)
		}
		rooms := sidebar.Shared
		for _, d := range sidebar.Directs {
			rooms = append(rooms, chat.SidebarRoom{Room: d.Room})
		}
		for _, room := range rooms {
			if !seen[room.Room.ID] {
				seen[room.Room.ID] = true
				all = append(all, messagesOf(t, r, room.Room)...)
			}
		}
	}
	return all
}

func messagesOf(t testing.TB, r *chat.Reader, room chat.Room) []*chat.Message {
	t.Helper()
	page, err := r.LastPage(room)
	all := page
	for err == nil && len(page) > 0 {
		page, err = r.PageBefore(room, page[0].ID)
		all = append(slices.Clone(page), all...)
	}
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestAllMessagesOfTheSampleRender(t *testing.T) {
	sample := chattest.OpenSample(t, chat.Options{})
	site := view.New(view.Options{Keys: sample.Keys, Asset: func(name string) string { return "/assets/" + name }})
	err := sample.Chat.Read(context.Background(), func(r *chat.Reader) error {
		messages := sampleMessages(t, r)
		if len(messages) != 763 {
			t.Errorf("%d messages, want the sample's 763", len(messages))
		}
		mentioned, err := r.Mentioned(messages...)
		if err != nil {
			return err
		}
		// One after another, so that a body that leaves its element is seen by
		// what it does to its neighbours.
		root := parseFragment(t, site.AppendMessages(nil, messages, site.People(mentioned)))
		shown := find(root, "> div")
		if len(shown) != len(messages) {
			t.Fatalf("%d messages make %d elements", len(messages), len(shown))
		}
		for i, m := range messages {
			checkSampleMessage(t, m, shown[i])
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// checkSampleMessage checks one message of a list.
func checkSampleMessage(t *testing.T, m *chat.Message, shown *html.Node) {
	t.Helper()
	if attr(shown, "id") != "message_"+m.ClientID || !matches(shown, ".message") {
		t.Fatalf("in the place of message %d stands %v", m.ID, shown.Attr)
	}
	if m.Author.Missing {
		if !matches(shown, ".message--failed") {
			t.Errorf("message %d has no author and doesn't say so", m.ID)
		}
		return
	}
	if n := len(find(shown, ".message__body-content > [data-messages-target=body]")); n != 1 {
		t.Errorf("message %d has %d presentations, want 1", m.ID, n)
	}
	for n := range shown.Descendants() {
		checkHarmless(t, m, n)
	}
}

func checkHarmless(t *testing.T, m *chat.Message, n *html.Node) {
	t.Helper()
	if n.Type == html.ElementNode && slices.Contains([]string{"script", "style", "iframe", "object", "link", "meta", "base"}, n.Data) {
		t.Errorf("message %d holds a %s", m.ID, n.Data)
	}
	for _, a := range n.Attr {
		value := strings.ToLower(strings.TrimSpace(a.Val))
		if strings.HasPrefix(a.Key, "on") || a.Key == "style" || strings.HasPrefix(value, "javascript:") {
			t.Errorf("message %d holds %s=%q", m.ID, a.Key, a.Val)
		}
	}
}

func TestKindsOfTheSampleShowWhatTheyAre(t *testing.T) {
	sample, labels := chattest.OpenSample(t, chat.Options{}), chattest.Labels(t)
	site := view.New(view.Options{Keys: sample.Keys, Asset: func(name string) string { return "/assets/" + name }})
	err := sample.Chat.Read(context.Background(), func(r *chat.Reader) error {
		byID := map[chat.MessageID]*chat.Message{}
		for _, m := range sampleMessages(t, r) {
			byID[m.ID] = m
		}
		for label, selector := range map[string]string{
			"emoji":          "> .message--emoji .trix-content",
			"mention":        ".lexxy-content .mention",
			"mention_legacy": ".lexxy-content .mention",
			"image":          ".attachment--file a[download]",
			"file":           ".attachment--file a[download]",
			"sound_text":     ".lexxy-content",
			"opengraph":      ".og-embed .og-embed__title a",
			"boosted_many":   ".boosts .boost .boost-character",
			"unrenderable":   "> .message--failed .message__state",
		} {
			m := byID[chat.MessageID(labels["messages."+label].(float64))]
			mentioned, err := r.Mentioned(m)
			if err != nil {
				return err
			}
			fragment := site.AppendMessage(nil, m, site.People(mentioned))
			if len(find(parseFragment(t, fragment), selector)) == 0 {
				t.Errorf("%s: nothing is %s in %s", label, selector, fragment)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// BenchmarkRoomFromDatabase reads a busy room of the sample in one snapshot and
// renders its page: all that a request costs but HTTP and compression.
func BenchmarkRoomFromDatabase(b *testing.B) {
	sample := chattest.OpenSample(b, chat.Options{})
	site := view.New(view.Options{Keys: sample.Keys, Asset: func(name string) string { return "/assets/" + name }})
	viewer, room := sample.User("david"), sample.Room("watercooler")
	page := func(w *bytes.Buffer) error {
		return sample.Chat.Read(context.Background(), func(r *chat.Reader) error {
			account, err := r.Account()
			if err != nil {
				return err
			}
			room, membership, err := r.Room(room.ID, viewer.ID)
			if err != nil {
				return err
			}
			messages, err := r.LastPage(room)
			if err != nil {
				return err
			}
			people, err := r.Mentioned(messages...)
			if err != nil {
				return err
			}
			l := layout()
			l.Viewer, l.Account = &viewer, &account
			return site.RoomPage(w, l, &view.RoomShown{Room: &room, Membership: &membership, Messages: messages, People: site.People(people), LoadedAt: room.UpdatedAt})
		})
	}
	var w bytes.Buffer
	if err := page(&w); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(w.Len()))
	b.ReportAllocs()
	defer reportCPU(b)()
	for b.Loop() {
		w.Reset()
		if err := page(&w); err != nil {
			b.Fatal(err)
		}
	}
}
