package isolate

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

func TestEightCallersOnTwoWorkersAreServedInArrivalOrderAndKeepBothBusy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 2})
		var mu sync.Mutex
		var served []int
		perState := map[int]int{}
		began := time.Now()
		var answers []<-chan outcome
		for i := range 8 {
			answers = append(answers, asking(p, t.Context(), func(_ context.Context, s *state) (int, error) {
				mu.Lock()
				served = append(served, i)
				perState[s.number]++
				mu.Unlock()
				time.Sleep(time.Second)
				return i, nil
			}))
		}
		wantStats(t, p, Stats{Workers: 2, Running: 2, Waiting: 6})
		for i, result := range answers {
			if o := <-result; o.answer != i || o.err != nil {
				t.Errorf("question %d was answered with %d, %v", i, o.answer, o.err)
			}
		}
		if got, want := time.Since(began), 4*time.Second; got != want {
			t.Errorf("took %v, want %v: both workers busy all the time", got, want)
		}
		// Pairs begin at the same instant, in either order.
		for i := 0; i < 8; i += 2 {
			slices.Sort(served[i : i+2])
		}
		if !slices.IsSorted(served) {
			t.Errorf("served in the order %v", served)
		}
		if perState[1] != 4 || perState[2] != 4 {
			t.Errorf("questions by state: %v, want 4 each", perState)
		}
		if got, want := p.Stats().Busy, 8*time.Second; got != want {
			t.Errorf("busy for %v, want %v", got, want)
		}
	})
}

func TestAHandlersErrorReachesTheCallerAsItIs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1})
		mine := errors.New("mine")
		got, err := p.Ask(t.Context(), func(context.Context, *state) (int, error) { return 3, mine })
		if got != 3 || err != mine {
			t.Errorf("got %d, %v, want 3 and the very error", got, err)
		}
		wantStats(t, p, Stats{Workers: 1, Handled: 1})
	})
}

func TestAFullQueueSendsCallersAway(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Queue: 2, Overload: Reject})
		gate := make(chan struct{})
		var taken []<-chan outcome
		for i := range 3 {
			taken = append(taken, asking(p, t.Context(), held(i, gate)))
		}
		if _, err := p.Ask(t.Context(), answer(3)); err != ErrOverloaded {
			t.Errorf("got %v, want ErrOverloaded", err)
		}
		wantStats(t, p, Stats{Workers: 1, Running: 1, Waiting: 2, Refused: 1})
		close(gate)
		for i, result := range taken {
			if o := arrived(t, result); o.answer != i || o.err != nil {
				t.Errorf("question %d was answered with %d, %v", i, o.answer, o.err)
			}
		}
		if got, err := p.Ask(t.Context(), answer(4)); got != 4 || err != nil {
			t.Errorf("afterwards got %d, %v", got, err)
		}
	})
}

func TestWithoutAQueueOnlyIdleWorkersTakeQuestions(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Queue: -1, Overload: Reject})
		gate := make(chan struct{})
		first := asking(p, t.Context(), held(1, gate))
		if _, err := p.Ask(t.Context(), answer(2)); err != ErrOverloaded {
			t.Errorf("got %v, want ErrOverloaded", err)
		}
		close(gate)
		if o := arrived(t, first); o.answer != 1 || o.err != nil {
			t.Errorf("got %d, %v", o.answer, o.err)
		}
	})
}

func TestAFullQueueLetsCallersWaitAtTheDoorInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Queue: 2})
		gate := make(chan struct{})
		var served []int
		var results []<-chan outcome
		for i := range 6 {
			results = append(results, asking(p, t.Context(), func(context.Context, *state) (int, error) {
				<-gate
				served = append(served, i) // one worker: one at a time
				return i, nil
			}))
		}
		wantStats(t, p, Stats{Workers: 1, Running: 1, Waiting: 2, AtDoor: 3})
		close(gate)
		for i, result := range results {
			if o := arrived(t, result); o.answer != i || o.err != nil {
				t.Errorf("question %d was answered with %d, %v", i, o.answer, o.err)
			}
		}
		if !slices.IsSorted(served) {
			t.Errorf("served in the order %v", served)
		}
	})
}

func TestACallerThatGivesUpWaitingTakesItsQuestionWithIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Queue: 1, Overload: Reject})
		gate := make(chan struct{})
		first := asking(p, t.Context(), held(1, gate))
		ctx, cancel := context.WithCancel(t.Context())
		second := asking(p, ctx, func(context.Context, *state) (int, error) {
			t.Error("the handler ran for a caller that had left")
			return 2, nil
		})
		cancel()
		if o := arrived(t, second); !errors.Is(o.err, context.Canceled) || !strings.Contains(o.err.Error(), "before a worker took") {
			t.Errorf("got %v", o.err)
		}
		third := asking(p, t.Context(), answer(3)) // its place in the queue is free
		close(gate)
		if o := arrived(t, first); o.answer != 1 || o.err != nil {
			t.Errorf("the first got %d, %v", o.answer, o.err)
		}
		if o := arrived(t, third); o.answer != 3 || o.err != nil {
			t.Errorf("the third got %d, %v", o.answer, o.err)
		}
		wantStats(t, p, Stats{Workers: 1, Handled: 2, Left: 1})
	})
}

func TestACallerThatGivesUpOnAHandlerLeavesWhileItGoesOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1})
		gate := make(chan struct{})
		ended := false
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := p.Ask(ctx, func(ctx context.Context, _ *state) (int, error) {
			<-gate
			ended = ctx.Err() == nil // the handler's context knows nothing of the caller's
			return 1, nil
		})
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "while the handler ran") {
			t.Errorf("got %v", err)
		}
		next := asking(p, t.Context(), answer(2))
		unanswered(t, next)
		close(gate)
		if o := arrived(t, next); o.answer != 2 || o.err != nil {
			t.Errorf("the next caller got %d, %v, want its own answer", o.answer, o.err)
		}
		if !ended {
			t.Error("the handler did not go on")
		}
		wantStats(t, p, Stats{Workers: 1, Handled: 2, Left: 1})
	})
}

// A late answer must never reach whoever uses the pool's memory next: questions
// are left behind again and again while others are asked.
func TestALateAnswerReachesNobody(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 2})
		for round := range 200 {
			ctx, cancel := context.WithCancel(t.Context())
			gate := make(chan struct{})
			late := asking(p, ctx, held(-1, gate))
			cancel()
			if o := arrived(t, late); o.err == nil {
				t.Fatalf("round %d: a caller that left got %d", round, o.answer)
			}
			slow := make(chan struct{})
			open := asking(p, t.Context(), held(round, slow))
			close(gate) // the late answer comes while open waits
			unanswered(t, open)
			close(slow)
			if o := arrived(t, open); o.answer != round || o.err != nil {
				t.Fatalf("round %d: got %d, %v", round, o.answer, o.err)
			}
		}
	})
}

func TestAnEndedContextAsksNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err := p.Ask(ctx, panics("never"))
		if !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
		wantStats(t, p, Stats{Workers: 1})
	})
}

// Where processors are busy a caller whose time is over may not have noticed
// yet. With a false clock everybody notices at once, so this looks at the queue.
func TestAQuestionWhoseTimeIsOverIsSkipped(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1})
		gate := make(chan struct{})
		first := asking(p, t.Context(), held(1, gate))
		ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
		defer cancel()
		second := asking(p, ctx, panics("the handler ran for a caller without time"))
		third := asking(p, t.Context(), answer(3))
		time.Sleep(time.Second)
		p.mu.Lock()
		p.queue.first.until = p.now() // as if the hour were over
		p.mu.Unlock()
		close(gate)
		if o := arrived(t, first); o.answer != 1 || o.err != nil {
			t.Errorf("the first got %d, %v", o.answer, o.err)
		}
		if o := arrived(t, second); !errors.Is(o.err, context.DeadlineExceeded) {
			t.Errorf("the second got %d, %v", o.answer, o.err)
		}
		if o := arrived(t, third); o.answer != 3 || o.err != nil {
			t.Errorf("the third got %d, %v", o.answer, o.err)
		}
		wantStats(t, p, Stats{Workers: 1, Handled: 2, Left: 1})
	})
}

func TestAHandlerCantAskItsOwnPool(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop, other := &workshop{}, &workshop{}
		p, q := shop.open(t, Options{Workers: 2}), other.open(t, Options{Workers: 1})
		_, err := p.Ask(t.Context(), func(ctx context.Context, _ *state) (int, error) {
			if got, err := q.Ask(ctx, answer(1)); got != 1 || err != nil {
				t.Errorf("another pool answered %d, %v", got, err)
			}
			if err := p.Close(ctx); err != ErrNested {
				t.Errorf("Close returned %v, want ErrNested", err)
			}
			inner, cancel := context.WithTimeout(ctx, time.Second)
			defer cancel()
			return p.Ask(inner, answer(2))
		})
		if err != ErrNested {
			t.Errorf("got %v, want ErrNested", err)
		}
	})
}

func TestAskAllocatesNothing(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector makes sync.Pool forget at random")
	}
	p := openEcho(t, Options{Workers: 2, Deadline: time.Second})
	ctx, cancel := context.WithTimeout(t.Context(), time.Hour)
	defer cancel()
	if n := testing.AllocsPerRun(1000, func() { p.Ask(ctx, 1) }); n != 0 {
		t.Errorf("%v allocations for a question, want none", n)
	}
}
