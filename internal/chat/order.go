package chat

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"hearth/internal/rails"
	"hearth/sqlite"
)

// order knows how well the ids of messages follow their times: by how much a
// message can be older than one with a lower id. Messages posted here follow
// strictly: an id is one more than the last, and no turn at writing has an
// earlier time than the one before. The old server, which takes the time before
// it waits for its turn, is off by milliseconds; a database that was put together
// otherwise by years. Search uses it: the index gives matches by id, and people
// want the newest.
//
// What has been looked at is stored, so that each message is looked at once in
// its life. Whoever changes an old message's created_at by hand is not noticed.
type order struct {
	mu    sync.Mutex // guards the field below
	known progress
}

// progress is how far the look at all messages has come.
type progress struct {
	last   MessageID     // looked at
	newest string        // created_at of the newest up to last, as stored
	lag    time.Duration // the most that a message is older than one before it
}

// lag returns by how much a message that q sees can be older than one with a
// lower id.
func (o *order) lag(q *sqlite.Queries) (time.Duration, error) {
	o.mu.Lock()
	known := o.known
	o.mu.Unlock()
	if known.last == 0 {
		stored, err := loadProgress(q)
		if err != nil {
			return 0, err
		}
		known = stored
	}
	if err := known.extend(q); err != nil {
		return 0, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if known.last > o.known.last {
		o.known = known
	}
	return known.lag, nil
}

const orderSQL = `SELECT id, created_at FROM messages WHERE id > ?1 ORDER BY id`

// extend looks at the messages behind the last.
func (p *progress) extend(q *sqlite.Queries) error {
	newest := []byte(p.newest)
	var moment []byte
	err := q.Query(orderSQL, func(row sqlite.Row) error {
		p.last = MessageID(row.Int(0))
		moment = row.AppendText(moment[:0], 1)
		at, err := rails.ParseTime(string(moment))
		if err != nil {
			return nil // another program's; a moment that nobody can read has no order
		}
		if string(moment) >= string(newest) {
			moment, newest = newest, moment
			return nil
		}
		before, err := rails.ParseTime(string(newest))
		p.lag = max(p.lag, before.Sub(at))
		return err
	}, p.last)
	p.newest = string(newest)
	return err
}

// factOrder is the name of the stored progress: last id, lag in nanoseconds, and
// newest moment.
const factOrder = "messages in order of time"

func loadProgress(q *sqlite.Queries) (progress, error) {
	var stored string
	_, err := q.One(`SELECT value FROM hearth_facts WHERE name = ?1`, func(row sqlite.Row) error {
		stored = row.Text(0)
		return nil
	}, factOrder)
	if err != nil {
		return progress{}, err
	}
	id, rest, _ := strings.Cut(stored, " ")
	lag, newest, _ := strings.Cut(rest, " ")
	last, err := strconv.ParseInt(id, 10, 64)
	nanoseconds, err2 := strconv.ParseInt(lag, 10, 64)
	_, err3 := rails.ParseTime(newest)
	if err != nil || err2 != nil || err3 != nil {
		return progress{}, nil // what can't be read is looked at again
	}
	return progress{MessageID(last), newest, time.Duration(nanoseconds)}, nil
}

func (p *progress) stored() string {
	return fmt.Sprintf("%d %d %s", p.last, int64(p.lag), p.newest)
}

// checkOrder looks at the messages that came since the last start, and stores
// how far it came.
func checkOrder(ctx context.Context, db *sqlite.DB) error {
	var was, is progress
	err := db.Read(ctx, func(s *sqlite.Snapshot) (err error) {
		if was, err = loadProgress(s.Queries); err != nil {
			return err
		}
		is = was
		return is.extend(s.Queries)
	})
	if err != nil {
		return fmt.Errorf("check order of messages: %w", err)
	}
	if is == was {
		return nil
	}
	return db.Write(ctx, func(tx *sqlite.Tx) error {
		return tx.Exec(`INSERT OR REPLACE INTO hearth_facts (name, value) VALUES (?1, ?2)`, factOrder, is.stored())
	})
}
