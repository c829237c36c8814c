package chat

import (
	"math"
	"time"

	"hearth/sqlite"
)

// Statement is a query whose plan is promised.
type Statement struct {
	SQL  string
	Args []any
}

// Statements are the queries whose cost must not grow with the database.
func Statements(room RoomID, viewer UserID, match string) map[string]Statement {
	const moment = "2026-01-01 00:00:00"
	const unread = `2026-01-01 00:00:01`
	return map[string]Statement{
		"newest":       {newestSQL, []any{room, PageSize}},
		"before":       {beforeSQL, []any{room, moment, 7, PageSize}},
		"after":        {afterSQL, []any{room, moment, 7, PageSize}},
		"created":      {createdSinceSQL, []any{room, moment, PageSize}},
		"updated":      {updatedSinceSQL, []any{room, moment, refreshMax, PageSize}},
		"boosts":       {boostsByMessage.sql[2], nulls(16)},
		"attached":     {attachedSQL, []any{7, 1000, walkMax}},
		"boosted":      {boostedSQL, []any{7, 1000, walkMax}},
		"files":        {blobsByMessage.sql[2], nulls(16)},
		"people":       {authorsByID.sql[2], nulls(16)},
		"search":       {downIndexSQL, []any{match}},
		"matches":      {matchesSQL, []any{match, 7}},
		"found":        {anywhereByID.sql[2], nulls(16)},
		"visible":      {visibleSQL, []any{viewer, 200}},
		"unread":       {markUnreadSQL, []any{moment, room, viewer, unread}},
		"sidebar":      {sidebarRoomsSQL, []any{viewer}},
		"members":      {sidebarMembersSQL, []any{viewer}},
		"placeholders": {placeholdersSQL, []any{viewer, 20}},
		"order":        {orderSQL, []any{7}},
		"repeated":     {postedBeforeSQL, []any{viewer, retried, "client id", room, "body"}},
	}
}

func nulls(n int) []any { return make([]any, n) }

// SearchEachWay returns what each way of searching finds: down the index trusting
// that ids follow times as far as was seen, down all of it, and asking about every
// message.
func (r *Reader) SearchEachWay(viewer UserID, query string) (ordered, all, asked []int64, err error) {
	s := search{r: r, viewer: viewer, match: matchAll(query)}
	if err = s.prepare(); err != nil {
		return
	}
	if ordered, _, err = s.downIndex(math.MaxInt); err != nil {
		return
	}
	var visible []int64
	err = r.q.Query(visibleSQL, func(row sqlite.Row) error {
		visible = append(visible, row.Int(0))
		return nil
	}, viewer, math.MaxInt)
	if err != nil {
		return
	}
	if asked, err = s.ask(visible); err != nil {
		return
	}
	s.lag = 250 * 365 * 24 * time.Hour
	all, _, err = s.downIndex(math.MaxInt)
	return
}
