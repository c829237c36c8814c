package isolate

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// closing closes in a goroutine of its own.
func closing(p *Pool[deed, int], ctx context.Context) <-chan error {
	result := make(chan error, 1)
	go func() { result <- p.Close(ctx) }()
	synctest.Wait()
	return result
}

func TestCloseStopsAdmissionAndAnswersTheQueue(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 2, Queue: 2})
		gate := make(chan struct{})
		var results []<-chan outcome
		for i := range 4 {
			results = append(results, asking(p, t.Context(), held(i, gate)))
		}
		door := asking(p, t.Context(), answer(9))
		closed := closing(p, t.Context())
		if o := arrived(t, door); o.err != ErrClosed {
			t.Errorf("the caller at the door got %d, %v, want ErrClosed", o.answer, o.err)
		}
		if _, err := p.Ask(t.Context(), answer(9)); err != ErrClosed {
			t.Errorf("Ask after Close returned %v", err)
		}
		select {
		case err := <-closed:
			t.Errorf("Close returned %v while handlers ran", err)
		default:
		}
		close(gate)
		for i, result := range results {
			if o := arrived(t, result); o.answer != i || o.err != nil {
				t.Errorf("question %d got %d, %v", i, o.answer, o.err)
			}
		}
		if err := <-closed; err != nil {
			t.Errorf("Close returned %v", err)
		}
		wantStats(t, p, Stats{Handled: 4, Refused: 2})
		if built, closed := shop.counts(); built != 2 || closed != 2 {
			t.Errorf("built %d, closed %d, want 2 and 2", built, closed)
		}
	})
}

func TestCloseOfAnIdlePoolIsQuietEvenWithAnEndedContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 3})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		for range 2 {
			if err := p.Close(ctx); err != nil {
				t.Errorf("Close returned %v", err)
			}
		}
	})
}

func TestCloseCancelsWhenItsContextEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1})
		running := asking(p, t.Context(), patient)
		queued := asking(p, t.Context(), answer(2))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		err := p.Close(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "2 questions were cut short") {
			t.Errorf("Close returned %v", err)
		}
		if got := time.Since(began); got != time.Minute {
			t.Errorf("Close took %v, want a minute", got)
		}
		if o := arrived(t, running); o.err != ErrClosed {
			t.Errorf("the handler saw its context end because of %v, want ErrClosed", o.err)
		}
		if o := arrived(t, queued); o.err != ErrClosed {
			t.Errorf("the question that waited got %d, %v", o.answer, o.err)
		}
		if again := p.Close(t.Context()); again == nil || again.Error() != err.Error() {
			t.Errorf("Close again returned %v, want the same", again)
		}
	})
}

func TestCloseLeavesAHandlerThatNeverReturns(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 2, Grace: 3 * time.Second})
		gate := make(chan struct{})
		deaf := asking(p, t.Context(), held(1, gate))
		obedient := asking(p, t.Context(), patient)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		err := p.Close(ctx)
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "1 goroutines have not returned within 3s") {
			t.Errorf("Close returned %v", err)
		}
		if got := time.Since(began); got != time.Minute+3*time.Second {
			t.Errorf("Close took %v, want 1m3s", got)
		}
		if o := arrived(t, deaf); !errors.Is(o.err, ErrClosed) || !strings.Contains(o.err.Error(), "handler still ran") {
			t.Errorf("the deaf handler's caller got %d, %v", o.answer, o.err)
		}
		if o := arrived(t, obedient); o.err != ErrClosed {
			t.Errorf("the obedient handler's caller got %d, %v", o.answer, o.err)
		}
		wantStats(t, p, Stats{Abandoned: 1, Handled: 1})
		close(gate)
		wantStats(t, p, Stats{Handled: 1})
		if built, closed := shop.counts(); built != 2 || closed != 2 {
			t.Errorf("built %d, closed %d, want 2 and 2", built, closed)
		}
	})
}

func TestCloseWaitsForAbandonedHandlersForTheGrace(t *testing.T) {
	for _, returns := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			shop := &workshop{}
			p := shop.open(t, Options{Workers: 1, Deadline: time.Second, Grace: 5 * time.Second})
			gate := make(chan struct{})
			p.Ask(t.Context(), held(1, gate))
			if returns {
				time.AfterFunc(4*time.Second, func() { close(gate) })
			}
			began := time.Now()
			err := p.Close(t.Context())
			took := time.Since(began)
			if returns && (err != nil || took != 4*time.Second) || !returns && (err == nil || took != 5*time.Second) {
				t.Errorf("returns %v: Close took %v and returned %v", returns, took, err)
			}
			if !returns {
				close(gate)
			}
		})
	}
}

func TestCloseDrainsThroughCrashes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Restarts: 10})
		gate := make(chan struct{})
		first := asking(p, t.Context(), func(context.Context, *state) (int, error) { <-gate; panic(1) })
		second, third := asking(p, t.Context(), exits), asking(p, t.Context(), answer(3))
		last := asking(p, t.Context(), panics(4))
		closed := closing(p, t.Context())
		close(gate)
		for _, result := range []<-chan outcome{first, second, last} {
			if o := arrived(t, result); !isCrash(o.err) {
				t.Errorf("got %d, %v, want a crash", o.answer, o.err)
			}
		}
		if o := arrived(t, third); o.answer != 3 || o.err != nil {
			t.Errorf("got %d, %v", o.answer, o.err)
		}
		if err := <-closed; err != nil {
			t.Errorf("Close returned %v", err)
		}
		if built, closed := shop.counts(); built != 3 || closed != 3 {
			t.Errorf("built %d, closed %d, want 3 and 3: nothing is built for nobody", built, closed)
		}
	})
}

func TestCloseDrainsUntilTheBreakerOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Restarts: 1})
		gate := make(chan struct{})
		first := asking(p, t.Context(), func(context.Context, *state) (int, error) { <-gate; panic(1) })
		second, third := asking(p, t.Context(), panics(2)), asking(p, t.Context(), answer(3))
		closed := closing(p, t.Context())
		close(gate)
		if !isCrash(arrived(t, first).err) || !isCrash(arrived(t, second).err) || !asBreaker(arrived(t, third).err) {
			t.Error("want two crashes, then the breaker's error")
		}
		if err := <-closed; err != nil {
			t.Errorf("Close returned %v", err)
		}
	})
}

func TestCloseEndsBuildersThatWorkForNobody(t *testing.T) {
	for name, delay := range map[string]time.Duration{"at work": 0, "waiting for another try": time.Hour} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shop := &workshop{building: func(ctx context.Context, number int) error {
					switch {
					case number == 1:
						return nil
					case number < 9 && delay > 0:
						return errNoState
					}
					<-ctx.Done()
					return ctx.Err()
				}}
				p := shop.open(t, Options{Workers: 1, Restarts: -1})
				p.Ask(t.Context(), panics(1))
				if delay > 0 {
					time.Sleep(200 * time.Millisecond)
				}
				waits := asking(p, t.Context(), answer(1))
				ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
				defer cancel()
				err := p.Close(ctx)
				if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "1 questions were cut short") {
					t.Errorf("Close returned %v", err)
				}
				if o := arrived(t, waits); o.err != ErrClosed {
					t.Errorf("got %v", o.err)
				}
			})
		})
	}
}

func TestCloseIsDoneWhenTheLastThatWaitedLeaves(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{building: func(ctx context.Context, number int) error {
			if number > 1 {
				<-ctx.Done() // never ready
				return ctx.Err()
			}
			return nil
		}}
		p := shop.open(t, Options{Workers: 1})
		p.Ask(t.Context(), panics(1))
		ctx, cancel := context.WithCancel(t.Context())
		waits := asking(p, ctx, answer(1))
		closed := closing(p, t.Context())
		cancel()
		if o := arrived(t, waits); !errors.Is(o.err, context.Canceled) {
			t.Errorf("got %v", o.err)
		}
		if err := <-closed; err != nil {
			t.Errorf("Close returned %v", err)
		}
		wantStats(t, p, Stats{Left: 1, Restarts: 1, Crashes: 1})
	})
}

func TestTwoClosesAtOnceBothWaitAndTheFirstToLosePatienceCancels(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1})
		running := asking(p, t.Context(), patient)
		patientClose := closing(p, t.Context())
		ctx, cancel := context.WithCancel(t.Context())
		hasty := closing(p, ctx)
		unanswered(t, running)
		cancel()
		if o := arrived(t, running); o.err != ErrClosed {
			t.Errorf("got %v", o.err)
		}
		if one, two := <-patientClose, <-hasty; !errors.Is(one, context.Canceled) || !errors.Is(two, context.Canceled) {
			t.Errorf("the two returned %v and %v", one, two)
		}
	})
}

func TestCloseCarriesWhatStatesSay(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		unsaved := errors.New("unsaved")
		shop := &workshop{closing: func(*state) error { return unsaved }}
		p := shop.open(t, Options{Workers: 2})
		if err := p.Close(t.Context()); !errors.Is(err, unsaved) {
			t.Errorf("Close returned %v", err)
		}
	})
}

func TestAStateThatNeverClosesDoesntHoldCloseForEver(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		shop := &workshop{}
		stuck := func(*state) error { shop.mu.Unlock(); <-gate; shop.mu.Lock(); return nil }
		shop.closing = stuck
		p := shop.open(t, Options{Workers: 1})
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		err := p.Close(ctx)
		if err == nil || time.Since(began) != time.Minute+time.Second {
			t.Errorf("Close took %v and returned %v", time.Since(began), err)
		}
		close(gate)
	})
}
