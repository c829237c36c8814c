package chat_test

import (
	"slices"
	"strings"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
	"hearth/sqlite"
)

func planOf(t *testing.T, w *chattest.World, s chat.Statement) []string {
	t.Helper()
	var plan []string
	err := w.DB.Read(ctx, func(snap *sqlite.Snapshot) error {
		return snap.Query(`EXPLAIN QUERY PLAN `+s.SQL, func(row sqlite.Row) error {
			plan = append(plan, row.Text(3))
			return nil
		}, s.Args...)
	})
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// promises says of each statement which steps its plan must have, and which it
// must not.
var promises = map[string]struct{ has, hasNot []string }{
	"newest":       {[]string{"SEARCH m USING INDEX hearth_messages_by_time (room_id=?)"}, []string{"TEMP B-TREE", "SCAN"}},
	"before":       {[]string{"SEARCH m USING INDEX hearth_messages_by_time (room_id=? AND created_at<?)"}, []string{"TEMP B-TREE", "SCAN"}},
	"after":        {[]string{"SEARCH m USING INDEX hearth_messages_by_time (room_id=? AND created_at>?)"}, []string{"TEMP B-TREE", "SCAN"}},
	"created":      {[]string{"SEARCH m USING INDEX hearth_messages_by_time (room_id=? AND created_at>?)"}, []string{"TEMP B-TREE", "SCAN"}},
	"updated":      {[]string{"SEARCH messages USING INDEX hearth_messages_by_change (room_id=? AND updated_at>?)"}, []string{"hearth_messages_by_time", "index_messages_on_room_id"}},
	"boosts":       {[]string{"SEARCH boosts USING INDEX index_boosts_on_message_id (message_id=?)"}, []string{"SCAN"}},
	"attached":     {[]string{"SEARCH active_storage_attachments USING COVERING INDEX index_active_storage_attachments_uniqueness (record_type=? AND record_id>? AND record_id<?)"}, []string{"TEMP B-TREE"}},
	"boosted":      {[]string{"SEARCH boosts USING COVERING INDEX index_boosts_on_message_id (message_id>? AND message_id<?)"}, []string{"TEMP B-TREE"}},
	"files":        {[]string{"SEARCH a USING COVERING INDEX index_active_storage_attachments_uniqueness (record_type=? AND record_id=? AND name=?)", "SEARCH b USING INTEGER PRIMARY KEY (rowid=?)"}, []string{"SCAN", "TEMP B-TREE"}},
	"people":       {[]string{"SEARCH users USING INTEGER PRIMARY KEY (rowid=?)"}, []string{"SCAN"}},
	"search":       {[]string{"SCAN f VIRTUAL TABLE INDEX", "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)"}, []string{"TEMP B-TREE"}},
	"matches":      {[]string{"SCAN f VIRTUAL TABLE INDEX", "SEARCH m USING INTEGER PRIMARY KEY (rowid=?)"}, nil},
	"found":        {[]string{"SEARCH m USING INTEGER PRIMARY KEY (rowid=?)", "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)"}, []string{"SCAN"}},
	"visible":      {[]string{"SEARCH mine USING INDEX index_memberships_on_user_id (user_id=?)", "SEARCH m USING COVERING INDEX "}, []string{"TEMP B-TREE"}},
	"unread":       {[]string{"SEARCH memberships USING INDEX index_memberships_on_room_id"}, []string{"SCAN"}},
	"sidebar":      {[]string{"SEARCH m USING INDEX index_memberships_on_user_id (user_id=?)", "SEARCH r USING INTEGER PRIMARY KEY (rowid=?)"}, []string{"SCAN"}},
	"members":      {[]string{"SEARCH mine USING INDEX index_memberships_on_user_id (user_id=?)", "SEARCH m USING ", "SEARCH u USING INTEGER PRIMARY KEY (rowid=?)"}, []string{"SCAN"}},
	"placeholders": {[]string{"SEARCH mine USING INDEX index_memberships_on_user_id (user_id=?)"}, nil},
	"repeated":     {[]string{"SEARCH messages USING INDEX index_messages_on_creator_id (creator_id=?)"}, []string{"TEMP B-TREE"}},
	"order":        {[]string{"SEARCH messages USING INTEGER PRIMARY KEY (rowid>?)"}, []string{"TEMP B-TREE"}},
}

func checkPlans(t *testing.T, w *chattest.World, crowd chattest.Crowd) {
	t.Helper()
	for name, s := range chat.Statements(crowd.Archive.ID, w.ID("kevin"), `"salt"`) {
		promise, ok := promises[name]
		if !ok {
			t.Errorf("nothing is promised of %s", name)
		}
		plan := strings.Join(planOf(t, w, s), "\n")
		for _, step := range promise.has {
			if !strings.Contains(plan, step) {
				t.Errorf("%s does not %q:\n%s", name, step, plan)
			}
		}
		for _, step := range promise.hasNot {
			if strings.Contains(plan, step) {
				t.Errorf("%s does %q:\n%s", name, step, plan)
			}
		}
	}
}

func TestPlansHoldAfterAnalyze(t *testing.T) {
	n := 60_000
	if raceEnabled {
		n = 3_000 // the generator is what takes long under the race detector
	}
	w := chattest.New(t)
	crowd := w.Fill(t, n)
	if got := w.Int(`SELECT count(*) FROM sqlite_stat1 WHERE tbl = 'messages'`); got == 0 {
		t.Fatal("ANALYZE has left no statistics, so this test proves nothing")
	}
	checkPlans(t, w, crowd)
}

func TestAllWaysOfSearchingFindTheSame(t *testing.T) {
	w := chattest.New(t)
	w.Fill(t, 800)
	checkSearchWays(t, w)
}

// checkSearchWays checks that all ways of searching find the same.
func checkSearchWays(t *testing.T, w *chattest.World) {
	t.Helper()
	for _, word := range []string{chattest.FrequentWord, chattest.UnevenWord, "pepper lamp salt"} {
		for _, viewer := range []string{"kevin"} {
			read(t, w.Chat, func(r *chat.Reader) error {
				ordered, all, asked, err := r.SearchEachWay(w.ID(viewer), word)
				if !slices.Equal(ordered, all) || !slices.Equal(ordered, asked) {
					t.Errorf("%s searches %q: %d, %d and %d messages, or in another order", viewer, word, len(ordered), len(all), len(asked))
				}
				found, err2 := r.Search(w.ID(viewer), word)
				if err2 != nil || len(found) != len(ordered) {
					t.Errorf("%s finds %d of %q, want %d; error %v", viewer, len(found), word, len(ordered), err2)
				}
				return err
			})
		}
	}
	read(t, w.Chat, func(r *chat.Reader) error {
		for word, want := range map[string]int{chattest.FrequentWord: 100, chattest.RareWord: 3, chattest.ForbiddenWord: 0, chattest.UnevenWord: 3} {
			found, err := r.Search(w.ID("kevin"), word)
			if err != nil || len(found) != want {
				t.Errorf("%q finds %d, want %d; error %v", word, len(found), want, err)
			}
		}
		return nil
	})
}
