package chat

import (
	"context"
	"errors"
	"time"

	"hearth/sqlite"
)

// writer is one turn at writing: what it asks, it asks as a Reader inside the
// same transaction. A turn that fails leaves nothing, and it may run twice, so
// everything that it causes outside waits in it until the commit.
type writer struct {
	Reader
	tx  *sqlite.Tx
	at  time.Time // of everything this turn writes
	now string    // at, as it is stored

	events []Event
	files  []string // keys of files that nothing refers to any more
}

// write runs fn in one write, then announces events and removes files. fn finds
// out what it may not do before it changes anything: that costs nothing, while a
// refusal after a change makes everybody run again who shares the transaction.
func (c *Chat) write(ctx context.Context, fn func(*writer) error) error {
	w, err := c.commit(ctx, fn)
	if err != nil {
		return err
	}
	for _, key := range w.files {
		c.removeFile(key)
	}
	return nil
}

// commit runs fn in one write and announces what it caused.
func (c *Chat) commit(ctx context.Context, fn func(*writer) error) (w *writer, err error) {
	var turns []uint64 // the last is the one that counts, if any does
	var events []Event
	defer func() { // also when fn panics
		for len(turns) > 1 { // ran and was undone
			c.announcements.end(ctx, turns[0], nil)
			turns = turns[1:]
		}
		if len(turns) == 1 {
			c.announcements.end(context.WithoutCancel(ctx), turns[0], events)
		}
	}()
	err = c.db.Write(ctx, func(tx *sqlite.Tx) error {
		turns = append(turns, c.announcements.begin())
		at, err := c.clock.next(tx.Queries, c.opt.Now())
		if err != nil {
			return err
		}
		w = &writer{Reader: Reader{q: tx.Queries, ctx: ctx, order: &c.order}, tx: tx, at: at, now: rowTime(at)}
		return fn(w)
	})
	if err == nil {
		events = w.events
	}
	return w, err
}

// standBack is how long long work waits when it finds too many writes waiting.
const standBack = 50 * time.Millisecond

// inTurns does long work in turns at writing, between which others have theirs,
// until turn reports that nothing is left or ctx ends.
func (c *Chat) inTurns(ctx context.Context, turn func(*writer) (finished bool, err error)) error {
	for {
		finished := false
		err := c.write(ctx, func(w *writer) (err error) {
			finished, err = turn(w)
			return err
		})
		switch {
		case errors.Is(err, ErrBusy): // nobody waits for us: let the others go first
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(standBack):
			}
		case err != nil || finished:
			return err
		}
	}
}

// removeFile removes a file that no row refers to any more. One that can't be
// removed wastes space and does no other harm; doctor finds it.
func (c *Chat) removeFile(key string) {
	if c.opt.Files == nil {
		return
	}
	if err := c.opt.Files.RemoveBlob(key); err != nil {
		c.opt.Log.Warn("remove file of deleted attachment", "key", key, "error", err)
	}
}

// exec changes something.
func (w *writer) exec(sql string, args ...any) error { return w.tx.Exec(sql, args...) }

// announce remembers what to tell after the commit.
func (w *writer) announce(e Event) { w.events = append(w.events, e) }

// later returns the time to store where was stands: this turn's, or a moment
// after was if the clock was ahead when that was written.
func (w *writer) later(was time.Time) time.Time {
	if w.at.After(was) {
		return w.at
	}
	return was.Add(time.Microsecond)
}

// clock gives every turn its own time, later than those before it, also when the
// machine's clock is set back. It belongs to the goroutine that writes.
type clock struct{ last time.Time }

// clockTrust is how far ahead of the clock the newest message may be and still
// count: a moment after a correction, but not a date of next year.
const clockTrust = time.Hour

func (k *clock) next(q *sqlite.Queries, now time.Time) (time.Time, error) {
	now = now.UTC().Truncate(time.Microsecond)
	if k.last.IsZero() {
		_, err := q.One(`SELECT created_at FROM messages ORDER BY id DESC LIMIT 1`, func(row sqlite.Row) error {
			if last, err := timeOf(row, 0); err == nil { // else another program's, and it counts for nothing
				k.last = last
			}
			return nil
		})
		if err != nil {
			return now, err
		}
	}
	if k.last.Sub(now) > clockTrust {
		k.last = now.Add(-time.Microsecond)
	}
	if !now.After(k.last) {
		now = k.last.Add(time.Microsecond)
	}
	k.last = now
	return now, nil
}
