package chat

import (
	"fmt"
	"strings"
	"time"
	"unsafe"

	"hearth/internal/rails"
	"hearth/sqlite"
)

// texts holds the texts of many rows in few allocations: each is copied out of
// SQLite once, behind the others. What was handed out stays as it is, since bytes
// are only ever added behind it; it also keeps its neighbours in memory, so this
// is for rows that are used and dropped together.
type texts struct{ buf []byte }

// copy returns the text of a column.
func (t *texts) copy(row sqlite.Row, column int) string {
	start := len(t.buf)
	t.buf = row.AppendText(t.buf, column)
	if len(t.buf) == start {
		return ""
	}
	return unsafe.String(&t.buf[start], len(t.buf)-start)
}

// time returns the time in a column; NULL is the zero time.
func (t *texts) time(row sqlite.Row, column int) (time.Time, error) {
	start := len(t.buf)
	text := t.copy(row, column)
	if text == "" {
		return time.Time{}, nil
	}
	at, err := rails.ParseTime(text)
	if err != nil {
		return time.Time{}, fmt.Errorf("time %q: %w", strings.Clone(text), err)
	}
	t.buf = t.buf[:start]
	return at, nil
}

// timeOf returns the time in a column of a row that comes alone.
func timeOf(row sqlite.Row, column int) (time.Time, error) {
	var t texts
	return t.time(row, column)
}

// inQuery is a query about the rows whose key is in a list of ids. It is prepared
// for a few lengths of the list; shorter lists are filled up with NULL. The + 0
// keeps SQLite from planning anew for each list (see page.go).
type inQuery struct{ sql [len(inSizes)]string }

var inSizes = [...]int{1, 4, 16}

// newInQuery makes the query before + "(?, …)" + after.
func newInQuery(before, after string) *inQuery {
	q := &inQuery{}
	for i, n := range inSizes {
		q.sql[i] = before + "(? + 0" + strings.Repeat(", ? + 0", n-1) + ")" + after
	}
	return q
}

// query calls each for the rows of all ids, in the query's order among those of
// the same 16 ids. Longer lists would be fewer statements, but tempt SQLite to
// read all of a table that it takes for small.
func (in *inQuery) query(q *sqlite.Queries, ids []int64, each func(sqlite.Row) error) error {
	const most = 16
	args := make([]any, 0, min(len(ids)*4, most))
	for len(ids) > 0 {
		some := ids[:min(len(ids), most)]
		ids = ids[len(some):]
		size := 0
		for inSizes[size] < len(some) {
			size++
		}
		args = args[:0]
		for _, id := range some {
			args = append(args, id)
		}
		for len(args) < inSizes[size] {
			args = append(args, nil)
		}
		if err := q.Query(in.sql[size], each, args...); err != nil {
			return err
		}
	}
	return nil
}

// exists reports whether a query has a row.
func exists(q *sqlite.Queries, sql string, args ...any) (bool, error) {
	return q.One(sql, func(sqlite.Row) error { return nil }, args...)
}

// int64s returns ids as plain numbers.
func int64s[T ~int64](ids []T) []int64 {
	out := make([]int64, len(ids))
	for i, id := range ids {
		out[i] = int64(id)
	}
	return out
}

// rowTime is a time as it is stored.
func rowTime(t time.Time) string { return rails.FormatTime(t) }
