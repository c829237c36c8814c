package chat

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"hearth/sqlite"
)

// order knows whether the ids of messages follow their times. They do where
// every message was posted here: an id is one more than the last, and no turn at
// writing has an earlier time than the one before. They need not in a database
// that was put together otherwise. Search uses it: the index gives matches by id,
// and people want the newest.
//
// What has been looked at is stored, so that each message is looked at once in
// its life. Whoever changes an old message's created_at by hand is not noticed.
type order struct {
	mu    sync.Mutex // guards the field below
	known progress
}

// progress is how far the check has come.
type progress struct {
	broken bool      // a later id had an earlier time
	last   MessageID // looked at
	moment string    // its created_at, as stored
}

// follows reports whether ids follow times among the messages that q sees.
func (o *order) follows(q *sqlite.Queries) (bool, error) {
	o.mu.Lock()
	known := o.known
	o.mu.Unlock()
	if known.last == 0 {
		stored, err := loadProgress(q)
		if err != nil {
			return false, err
		}
		known = stored
	}
	if err := known.extend(q); err != nil {
		return false, err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if known.broken || known.last > o.known.last {
		o.known = known
	}
	return !known.broken, nil
}

// extend looks at the messages behind the last.
func (p *progress) extend(q *sqlite.Queries) error {
	if p.broken {
		return nil
	}
	var t texts
	return q.Query(`SELECT id, created_at FROM messages WHERE id > ?1 ORDER BY id`, func(row sqlite.Row) error {
		t.buf = t.buf[:0:0]
		moment := t.copy(row, 1)
		if moment < p.moment {
			p.broken = true
			return sqlite.ErrStop
		}
		p.last, p.moment = MessageID(row.Int(0)), moment
		return nil
	}, p.last)
}

// factOrder is the name of the stored progress: "broken", or last id and moment.
const factOrder = "messages in order of time"

func loadProgress(q *sqlite.Queries) (progress, error) {
	var p progress
	_, err := q.One(`SELECT value FROM hearth_facts WHERE name = ?1`, func(row sqlite.Row) error {
		value := row.Text(0)
		if value == "broken" {
			p.broken = true
			return nil
		}
		id, moment, _ := strings.Cut(value, " ")
		n, err := strconv.ParseInt(id, 10, 64)
		if err == nil {
			p.last, p.moment = MessageID(n), moment
		}
		return nil // what can't be read is looked at again
	}, factOrder)
	return p, err
}

func (p *progress) stored() string {
	if p.broken {
		return "broken"
	}
	return strconv.FormatInt(int64(p.last), 10) + " " + p.moment
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
