package sqlite

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestWritesRunInTheOrderTheyCame(t *testing.T) {
	db := notes(t, patient)
	release := block(t, db)
	var answers []<-chan error
	var want []string
	for i := range 64 {
		body := fmt.Sprint(i)
		want = append(want, body)
		answers = append(answers, write(db, t.Context(), insert(body)))
		awaitWaiting(t, db, i+1)
	}
	release()
	for i, answer := range answers {
		if err := <-answer; err != nil {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if got := texts(t, db, "SELECT body FROM notes ORDER BY id"); !slices.Equal(got, want) {
		t.Errorf("order %q, want %q", got, want)
	}
	if got := db.Stats().LargestGroup; got != groupMax {
		t.Errorf("largest group %d, want all %d in one", got, groupMax)
	}
}

// Here 64 goroutines write as fast as they can. A lock around queue.add notes
// who came when; every eighth write fails, so that groups are run again.
func TestArrivalOrderHoldsUnder64Writers(t *testing.T) {
	db := notes(t, Options{})
	var mu sync.Mutex // guards came, and is held while joining the queue
	var came []string
	var wg sync.WaitGroup
	for w := range 64 {
		wg.Go(func() {
			for i := range 12 {
				body := fmt.Sprintf("%d.%d", w, i)
				fails := (w+i)%8 == 0
				c := &call{since: time.Now(), done: make(chan struct{}), fn: func(tx *Tx) error {
					if err := insert(body)(tx); err != nil || !fails {
						return err
					}
					return errRefused
				}}
				mu.Lock()
				err := db.writer.queue.add(c)
				if !fails {
					came = append(came, body)
				}
				mu.Unlock()
				if err != nil {
					t.Error(err)
					return
				}
				<-c.done
				if (c.err != nil) != fails {
					t.Errorf("%s: %v", body, c.err)
				}
			}
		})
	}
	wg.Wait()
	if got := texts(t, db, "SELECT body FROM notes ORDER BY id"); !slices.Equal(got, came) {
		t.Errorf("served %q\ncame   %q", got, came)
	}
	if db.Stats().Redone == 0 {
		t.Error("no group was run again: the test proves less than it says")
	}
}

func TestAFailingWriteUndoesOnlyItself(t *testing.T) {
	db := notes(t, patient)
	release := block(t, db)
	var answers []<-chan error
	for i := range 10 {
		fn := insert(fmt.Sprint(i))
		if i == 4 {
			fn = func(tx *Tx) error { return errors.Join(insert("4")(tx), errRefused) }
		}
		answers = append(answers, write(db, t.Context(), fn))
		awaitWaiting(t, db, i+1)
	}
	release()
	for i, answer := range answers {
		if err := <-answer; errors.Is(err, errRefused) != (i == 4) || err != nil && i != 4 {
			t.Errorf("write %d: %v", i, err)
		}
	}
	if got, want := strings.Join(texts(t, db, "SELECT body FROM notes ORDER BY id"), ""), "012356789"; got != want {
		t.Errorf("notes %s, want %s", got, want)
	}
	if got := db.Stats().Redone; got == 0 {
		t.Error("nothing was run again: the failing write was not in a group")
	}
}

func TestAWriteThatFailsBeforeChangingAnythingLeavesItsGroupAlone(t *testing.T) {
	db := notes(t, patient)
	before := db.Stats()
	release := block(t, db)
	first := write(db, t.Context(), insert("first"))
	awaitWaiting(t, db, 1)
	refused := write(db, t.Context(), func(tx *Tx) error {
		if got, err := textsIn(tx.Queries, "SELECT body FROM notes"); err != nil || len(got) != 1 {
			t.Errorf("a later member sees %q, %v; want the first one's note", got, err)
		}
		return errRefused
	})
	awaitWaiting(t, db, 2)
	last := write(db, t.Context(), insert("last"))
	awaitWaiting(t, db, 3)
	release()
	if err := errors.Join(<-first, <-last); err != nil {
		t.Error(err)
	}
	if err := <-refused; err != errRefused {
		t.Errorf("got %v, want the callback's own error", err)
	}
	after := db.Stats()
	if after.Redone != before.Redone || after.Commits != before.Commits+1 {
		t.Errorf("redone %d, commits %d; want 0 and 1", after.Redone-before.Redone, after.Commits-before.Commits)
	}
}

func TestWithoutGroupCommitEveryWriteCommitsAlone(t *testing.T) {
	opt := patient
	opt.NoGroupCommit = true
	db := notes(t, opt)
	release := block(t, db)
	var answers []<-chan error
	for i := range 5 {
		answers = append(answers, write(db, t.Context(), insert(fmt.Sprint(i))))
	}
	awaitWaiting(t, db, 5)
	release()
	for _, answer := range answers {
		if err := <-answer; err != nil {
			t.Error(err)
		}
	}
	if got := db.Stats(); got.LargestGroup != 1 || got.Commits != 6 {
		t.Errorf("largest group %d, %d commits; want 1 and 6", got.LargestGroup, got.Commits)
	}
}

func TestACancelledWaitNeverRuns(t *testing.T) {
	db := notes(t, patient)
	release := block(t, db)
	ctx, cancel := context.WithCancel(t.Context())
	gone := write(db, ctx, insert("gone"))
	awaitWaiting(t, db, 1)
	stays := write(db, t.Context(), insert("stays"))
	awaitWaiting(t, db, 2)
	cancel()
	if err := <-gone; !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
	awaitWaiting(t, db, 1)
	release()
	if err := <-stays; err != nil {
		t.Error(err)
	}
	if got := texts(t, db, "SELECT body FROM notes"); !slices.Equal(got, []string{"stays"}) {
		t.Errorf("notes %q, want only the one that stayed", got)
	}
}

func TestCancellingAWriteThatRunsChangesNothing(t *testing.T) {
	db := notes(t, Options{})
	ctx, cancel := context.WithCancel(t.Context())
	err := db.Write(ctx, func(tx *Tx) error {
		err := insert("one")(tx)
		cancel()
		return errors.Join(err, insert("two")(tx))
	})
	if err != nil {
		t.Errorf("got %v, want nil: the commit went through", err)
	}
	if got := number(t, db, "SELECT count(*) FROM notes"); got != 2 {
		t.Errorf("%d notes, want 2", got)
	}
}

func TestCancellationNeverLeavesHalfATransaction(t *testing.T) {
	db := open(t, Options{})
	mustExec(t, db, "CREATE TABLE halves (pair INTEGER, half INTEGER)")
	const pairs = 600
	errs := make([]error, pairs)
	var wg sync.WaitGroup
	for w := range 20 {
		wg.Go(func() {
			for pair := w; pair < pairs; pair += 20 {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(3000))*time.Microsecond)
				errs[pair] = db.Write(ctx, func(tx *Tx) error {
					return errors.Join(
						tx.Exec("INSERT INTO halves VALUES (?, 1)", pair),
						tx.Exec("INSERT INTO halves VALUES (?, 2)", pair))
				})
				cancel()
			}
		})
	}
	wg.Wait()
	cancelled := 0
	for pair, err := range errs {
		want := int64(2)
		if err != nil {
			want = 0
			cancelled++
			if !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("pair %d: %v", pair, err)
			}
		}
		if got := number(t, db, "SELECT count(*) FROM halves WHERE pair = ?", pair); got != want {
			t.Errorf("pair %d: %d halves after %v, want %d", pair, got, err, want)
		}
	}
	if cancelled == 0 || cancelled == pairs {
		t.Errorf("%d of %d were cancelled: the test needs both kinds", cancelled, pairs)
	}
}

func TestAFullQueueIsBusy(t *testing.T) {
	opt := patient
	opt.QueueLen = 2
	db := notes(t, opt)
	release := block(t, db)
	one, two := write(db, t.Context(), insert("1")), write(db, t.Context(), insert("2"))
	awaitWaiting(t, db, 2)
	if err := db.Write(t.Context(), insert("3")); !errors.Is(err, ErrBusy) {
		t.Errorf("got %v, want ErrBusy", err)
	}
	release()
	if err := errors.Join(<-one, <-two); err != nil {
		t.Error(err)
	}
	if got := db.Stats(); got.Refused != 1 || got.Waiting != 0 {
		t.Errorf("refused %d, waiting %d; want 1 and 0", got.Refused, got.Waiting)
	}
}
