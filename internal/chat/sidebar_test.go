package chat_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
)

func TestTheSidebarShowsVisibleRoomsInOrder(t *testing.T) {
	w := chattest.New(t)
	david := w.ID("david")
	if _, err := w.Chat.CreateOpenRoom(ctx, w.User("kevin"), "apples"); err != nil {
		t.Fatal(err)
	}
	if err := w.Chat.SetInvolvement(ctx, w.User("david"), w.Room("designers").ID, chat.Invisible); err != nil {
		t.Fatal(err)
	}
	w.Post("jason", "david+jason", "ping!")
	var s chat.Sidebar
	read(t, w.Chat, func(r *chat.Reader) (err error) {
		s, err = r.Sidebar(david)
		return err
	})
	var shared, directs []string
	for _, room := range s.Shared {
		shared = append(shared, room.Room.Name)
	}
	for _, d := range s.Directs {
		var names []string
		for _, m := range d.Members {
			names = append(names, m.Name)
		}
		directs = append(directs, strings.Join(names, "+"))
	}
	if want := []string{"apples", "HQ", "Watercooler"}; !slices.Equal(shared, want) {
		t.Errorf("shared rooms %q, want %q", shared, want)
	}
	if want := []string{"Jason", "Rita Lopez", "Jason+Kevin", "Kevin"}; !slices.Equal(directs, want) {
		t.Errorf("pings %q, want %q", directs, want)
	}
	if !s.Directs[0].Unread || s.Directs[1].Unread || s.Shared[0].Unread {
		t.Errorf("unread marks are wrong: %+v", s)
	}
	var people []string
	for _, p := range s.Placeholders {
		people = append(people, p.Name)
	}
	if want := []string{"JZ", "Lonely Lou", "Bender Bot"}; !slices.Equal(people, want) {
		t.Errorf("placeholders %q, want %q", people, want)
	}
	read(t, w.Chat, func(r *chat.Reader) error {
		d, err := r.SidebarDirect(w.Room("david+jason+kevin").ID, w.ID("kevin"))
		if err != nil || len(d.Members) != 2 || d.Members[0].Name != "David" {
			t.Errorf("kevin's side of the group ping is %+v, error %v", d, err)
		}
		_, err = r.SidebarDirect(w.Room("hq").ID, w.ID("kevin"))
		wantErr(t, "a room that is no ping", err, chat.ErrNotFound)
		return nil
	})
}

func TestASidebarWithManyPingsOffersNobodyElse(t *testing.T) {
	w := chattest.New(t)
	code := w.Text(`SELECT join_code FROM accounts`)
	david := w.User("david")
	var last chat.RoomID
	for i := range 25 {
		s, err := w.Chat.Join(ctx, code, chat.Newcomer{Name: fmt.Sprintf("Crowd %02d", i), Email: fmt.Sprintf("crowd%02d@example.test", i)}, chat.Client{})
		if err != nil {
			t.Fatal(err)
		}
		room, err := w.Chat.OpenDirect(ctx, david, []chat.UserID{s.User.ID})
		if err != nil {
			t.Fatal(err)
		}
		last = room.ID
	}
	for who, placeholders := range map[string]int{"david": 0, "kevin": 17, "lou": 19} {
		read(t, w.Chat, func(r *chat.Reader) error {
			s, err := r.Sidebar(w.ID(who))
			if len(s.Placeholders) != placeholders {
				t.Errorf("%s is offered %d people, want %d", who, len(s.Placeholders), placeholders)
			}
			if who == "david" && (len(s.Directs) != 29 || s.Directs[0].Room.ID != last) {
				t.Errorf("david has %d pings, the first is %d; want 29 and %d", len(s.Directs), s.Directs[0].Room.ID, last)
			}
			return err
		})
	}
}

func TestAPingIsCalledAfterEverybodyElseInIt(t *testing.T) {
	ada, bo := chat.Author{ID: 1, Name: "Ada"}, chat.Author{ID: 2, Name: "Bo"}
	for _, c := range []struct{ members, want []chat.Author }{
		{[]chat.Author{ada, bo}, []chat.Author{bo}},
		{[]chat.Author{ada}, []chat.Author{ada}}, // alone with oneself
	} {
		members := slices.Clone(c.members)
		if got := chat.Others(members, ada.ID); !slices.Equal(got, c.want) {
			t.Errorf("of %v ada sees %v, want %v", c.members, got, c.want)
		}
		if !slices.Equal(members, c.members) {
			t.Errorf("the members became %v, were %v", members, c.members)
		}
	}
}
