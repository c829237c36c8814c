package chat_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
	"hearth/internal/rails"
)

func search(t *testing.T, w *chattest.World, viewer, query string) []chat.MessageID {
	t.Helper()
	var found []*chat.Message
	read(t, w.Chat, func(r *chat.Reader) (err error) {
		found, err = r.Search(w.ID(viewer), query)
		return err
	})
	return idsOf(found)
}

func TestSearchTakesEveryWordLiterally(t *testing.T) {
	w := chattest.New(t)
	texts := map[string]chat.MessageID{}
	for _, text := range []string{"salt AND pepper", "salt pepper", "NOT now", "NEAR the house", "snake_case here", "Grüße aus Köln", "привет мир", "日本語 テスト", "running shoes", "x"} {
		texts[text] = w.Post("kevin", "watercooler", text).ID
	}
	for query, want := range map[string][]string{
		"salt":                    {"salt AND pepper", "salt pepper"},
		"salt AND":                {"salt AND pepper"},
		"AND":                     {"salt AND pepper"},
		"and":                     {"salt AND pepper"},
		"NOT":                     {"NOT now"},
		"NEAR":                    {"NEAR the house"},
		"NEAR(salt pepper)":       nil,
		"OR":                      nil,
		`"`:                       nil,
		"(":                       nil,
		"*":                       nil,
		"-":                       nil,
		"sal*":                    nil,
		`salt"pepper`:             {"salt AND pepper", "salt pepper"},
		"body:salt":               nil,
		"^salt":                   {"salt AND pepper", "salt pepper"},
		"snake_case":              {"snake_case here"},
		"_":                       nil,
		"salt _":                  {"salt AND pepper", "salt pepper"},
		"köln":                    {"Grüße aus Köln"},
		"привет":                  {"привет мир"},
		"テスト":                     {"日本語 テスト"},
		"run":                     {"running shoes"},
		"😀":                       nil,
		"salt 😀":                  {"salt AND pepper", "salt pepper"},
		"":                        nil,
		"   ":                     nil,
		"\x00salt\x00":            {"salt AND pepper", "salt pepper"},
		"\xff\xfe":                nil,
		strings.Repeat("x ", 1e4): {"x"},
		strings.Repeat("x", 2e4):  nil,
	} {
		var ids []chat.MessageID
		for _, text := range want {
			ids = append(ids, texts[text])
		}
		if got := search(t, w, "kevin", query); !slices.Equal(got, ids) {
			t.Errorf("%.40q finds %v, want %v", query, got, ids)
		}
	}
}

func TestSearchWordsKeepsLettersOfAnyScript(t *testing.T) {
	for query, want := range map[string]string{
		"snake_case":       "snake_case",
		"a-b.c":            "a b c",
		"Grüße, Мир! 日本語":  "Grüße  Мир  日本語",
		"e\u0301 \u203f x": "e\u0301 \u203f x",
		"10% \"off\"":      "10   off ",
		"½ ²":              "   ",
	} {
		if got := chat.SearchWords(query); got != want {
			t.Errorf("SearchWords(%q) = %q, want %q", query, got, want)
		}
	}
}

func TestSearchReachesOnlyTheViewersRooms(t *testing.T) {
	w := chattest.New(t)
	hq := w.Post("kevin", "hq", "treasure in the open").ID
	secret := w.Post("jz", "secret", "treasure in secret").ID
	ping := w.Post("david", "david+jason", "treasure in a ping").ID
	for viewer, want := range map[string][]chat.MessageID{
		"kevin": {hq}, "jz": {hq, secret}, "jason": {hq, secret, ping}, "david": {hq, ping}, "lou": nil, "rita": nil,
	} {
		if got := search(t, w, viewer, "treasure"); !slices.Equal(got, want) {
			t.Errorf("%s finds %v, want %v", viewer, got, want)
		}
	}
	// A room that was hidden from the sidebar is still the viewer's.
	if err := w.Chat.SetInvolvement(ctx, w.User("kevin"), w.Room("hq").ID, chat.Invisible); err != nil {
		t.Fatal(err)
	}
	if got := search(t, w, "kevin", "treasure"); !slices.Equal(got, []chat.MessageID{hq}) {
		t.Errorf("kevin finds %v in an invisible room, want %v", got, hq)
	}
}

func TestSearchFollowsEditsAndDeletions(t *testing.T) {
	w := chattest.New(t)
	m := w.Post("kevin", "hq", "walrus")
	if _, err := w.Chat.EditMessage(ctx, w.User("kevin"), m.RoomID, m.ID, "narwhal"); err != nil {
		t.Fatal(err)
	}
	if got := search(t, w, "kevin", "walrus"); len(got) != 0 {
		t.Errorf("the old word finds %v", got)
	}
	if got := search(t, w, "kevin", "narwhal"); !slices.Equal(got, []chat.MessageID{m.ID}) {
		t.Errorf("the new word finds %v", got)
	}
	if err := w.Chat.DeleteMessage(ctx, w.User("kevin"), m.RoomID, m.ID); err != nil {
		t.Fatal(err)
	}
	if got := search(t, w, "kevin", "narwhal"); len(got) != 0 {
		t.Errorf("a deleted message is found: %v", got)
	}
}

func TestSearchGivesTheNewest100ByTimeWhateverTheIds(t *testing.T) {
	w := chattest.New(t)
	order := fill(t, w, w.Room("hq").ID, 500) // ids in random order
	want := order[400:]
	if got := search(t, w, "kevin", "filler"); !slices.Equal(got, want) {
		t.Errorf("found %d messages from %v, want the newest 100 by time", len(got), got[:min(len(got), 3)])
	}
}

func TestSearchGivesTheNewest100WhereIdsFollowTimes(t *testing.T) {
	w := chattest.New(t)
	var all []chat.MessageID
	for i := range 130 {
		all = append(all, w.Post("kevin", []string{"hq", "watercooler"}[i%2], "filler").ID)
	}
	if got := search(t, w, "jz", "filler"); !slices.Equal(got, all[30:]) {
		t.Errorf("found %v, want %v", got, all[30:])
	}
	// A message that somebody else's program put in with an old time.
	w.Exec(`INSERT INTO messages (id, room_id, creator_id, client_message_id, created_at, updated_at) VALUES (90000, ?1, ?2, 'old', '2020-01-01 00:00:00', '2020-01-01 00:00:00')`,
		w.Room("hq").ID, w.ID("kevin"))
	w.Exec(`INSERT INTO message_search_index (rowid, body) VALUES (90000, 'filler')`)
	if got := search(t, w, "jz", "filler"); !slices.Equal(got, all[30:]) {
		t.Errorf("with an old message of a high id found %v, want %v", got, all[30:])
	}
}

func TestOnlyTheNewestTenSearchesAreRemembered(t *testing.T) {
	w := chattest.New(t)
	kevin := w.ID("kevin")
	record := func(query string) {
		t.Helper()
		if err := w.Chat.RecordSearch(ctx, kevin, query); err != nil {
			t.Fatal(err)
		}
	}
	recent := func() []string {
		var queries []string
		read(t, w.Chat, func(r *chat.Reader) (err error) {
			queries, err = r.RecentSearches(kevin)
			return err
		})
		return queries
	}
	for i := range 12 {
		record(fmt.Sprint("query ", i))
	}
	record("query 5")
	record("salt & pepper")
	record("!?")
	want := []string{"salt   pepper", "query 5", "query 11", "query 10", "query 9", "query 8", "query 7", "query 6", "query 4", "query 3"}
	if got := recent(); !slices.Equal(got, want) {
		t.Errorf("remembered %q, want %q", got, want)
	}
	if err := w.Chat.RecordSearch(ctx, w.ID("jz"), "other"); err != nil {
		t.Fatal(err)
	}
	if err := w.Chat.ClearSearches(ctx, kevin); err != nil {
		t.Fatal(err)
	}
	if got := recent(); len(got) != 0 {
		t.Errorf("remembered %q after clearing", got)
	}
	if got := w.Int(`SELECT count(*) FROM searches`); got != 1 {
		t.Errorf("%d searches are left, want jz's", got)
	}
}

func TestEachMessageIsLookedAtOnceForItsOrder(t *testing.T) {
	w := chattest.New(t)
	const fact = `SELECT value FROM hearth_facts`
	start := func() string {
		t.Helper()
		if err := chat.Prepare(ctx, w.DB, "production", nil); err != nil {
			t.Fatal(err)
		}
		return w.Text(fact)
	}
	one := w.Post("kevin", "hq", "filler")
	two := w.Post("kevin", "hq", "filler")
	if got, want := start(), fmt.Sprintf("%d 0 %s", two.ID, rails.FormatTime(two.CreatedAt)); got != want {
		t.Errorf("stored %q, want %q", got, want)
	}
	// What the old server adds while it has its turn: a message whose time was
	// taken before it waited for another's commit.
	late := one.CreatedAt.Add(-3 * time.Millisecond)
	w.Exec(`INSERT INTO messages (room_id, creator_id, client_message_id, created_at, updated_at) VALUES (?1, ?2, 'late', ?3, ?3)`, one.RoomID, w.ID("kevin"), rails.FormatTime(late))
	w.Exec(`INSERT INTO message_search_index (rowid, body) VALUES (?1, 'filler')`, two.ID+1)
	if got := search(t, w, "kevin", "filler"); !slices.Equal(got, []chat.MessageID{two.ID + 1, one.ID, two.ID}) {
		t.Errorf("found %v", got)
	}
	if got, want := start(), fmt.Sprintf("%d %d %s", two.ID+1, two.CreatedAt.Sub(late), rails.FormatTime(two.CreatedAt)); got != want {
		t.Errorf("stored %q, want %q", got, want)
	}
	w.Exec(`UPDATE hearth_facts SET value = 'what nobody can read'`)
	if got := start(); !strings.HasPrefix(got, fmt.Sprint(two.ID+1)) {
		t.Errorf("stored %q after a look from the beginning", got)
	}
}

func TestATimeThatNobodyCanReadStopsNeitherStartNorPostsNorSearch(t *testing.T) {
	for _, moment := range []string{"2026-11-01T00:00:00Z", "2026-13-45 99:99:99", "", "1.5"} {
		w := chattest.New(t)
		w.Post("kevin", "hq", "filler")
		bad := w.Post("kevin", "hq", "unreadable")
		w.Exec(`UPDATE messages SET created_at = ?1 WHERE id = ?2`, moment, bad.ID)
		if err := chat.Prepare(ctx, w.DB, "production", nil); err != nil {
			t.Fatalf("start with the time %q: %v", moment, err)
		}
		again := chat.New(w.DB, w.Keys, chat.Options{}) // its clock has yet to look at the newest message
		if _, err := again.PostMessage(ctx, w.User("kevin"), chat.Draft{Room: bad.RoomID, Body: "<div>filler</div>"}); err != nil {
			t.Errorf("post after the time %q: %v", moment, err)
		}
		late := w.Post("kevin", "hq", "filler")
		w.Exec(`UPDATE messages SET created_at = '2020-01-01 00:00:00' WHERE id = ?1`, late.ID)
		if got := search(t, w, "kevin", "filler"); len(got) != 3 || got[0] != late.ID {
			t.Errorf("search beside the time %q found %v, want 3 messages from %d on", moment, got, late.ID)
		}
		if err := chat.Prepare(ctx, w.DB, "production", nil); err != nil {
			t.Errorf("second start with the time %q: %v", moment, err)
		}
	}
}
