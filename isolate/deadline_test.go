package isolate

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"
)

func TestAHandlerThatOverrunsIsReportedAtItsDeadlineAndReplaced(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Deadline: time.Second})
		// A quick question before leaves the timer set to an earlier time.
		if _, err := p.Ask(t.Context(), answer(1)); err != nil {
			t.Fatal(err)
		}
		time.Sleep(700 * time.Millisecond)
		gate := make(chan struct{})
		began := time.Now()
		_, err := p.Ask(t.Context(), held(2, gate))
		late, ok := errors.AsType[*OverrunError](err)
		if !ok || late.Deadline != time.Second || !late.Timeout() {
			t.Errorf("got %v", err)
		}
		if got := time.Since(began); got != time.Second {
			t.Errorf("reported after %v, want 1s", got)
		}
		wantStats(t, p, Stats{Workers: 1, Abandoned: 1, Handled: 1, Restarts: 1, Overruns: 1})
		if n, err := p.Ask(t.Context(), answer(3)); n != 3 || err != nil {
			t.Errorf("the next question got %d, %v", n, err)
		}
		close(gate)
		wantStats(t, p, Stats{Workers: 1, Handled: 2, Restarts: 1, Overruns: 1})
		if built, closed := shop.counts(); built != 2 || closed != 1 {
			t.Errorf("built %d, closed %d, want 2 and 1: the late handler's state is closed", built, closed)
		}
	})
}

func TestADeadlineIsNotOverWhileHandlersReturnInTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Deadline: time.Second})
		for i := range 20 {
			if n, err := p.Ask(t.Context(), func(context.Context, *state) (int, error) {
				time.Sleep(time.Second - 1)
				return i, nil
			}); n != i || err != nil {
				t.Fatalf("got %d, %v", n, err)
			}
		}
		wantStats(t, p, Stats{Workers: 1, Handled: 20})
	})
}

func TestWaitingInTheQueueIsNotTheHandlersTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Deadline: time.Second})
		var results []<-chan outcome
		for i := range 10 {
			results = append(results, asking(p, t.Context(), func(context.Context, *state) (int, error) {
				time.Sleep(900 * time.Millisecond)
				return i, nil
			}))
		}
		for i, result := range results {
			if o := <-result; o.answer != i || o.err != nil {
				t.Errorf("question %d got %d, %v", i, o.answer, o.err)
			}
		}
	})
}

func TestAHandlersContextKnowsItsDeadline(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Deadline: time.Second})
		for range 3 {
			time.Sleep(time.Minute)
			_, err := p.Ask(t.Context(), func(ctx context.Context, _ *state) (int, error) {
				until, ok := ctx.Deadline()
				if want := time.Now().Add(time.Second); !ok || !until.Equal(want) {
					t.Errorf("the deadline is %v, %v, want %v", until, ok, want)
				}
				inner, cancel := context.WithTimeout(ctx, time.Hour)
				defer cancel()
				if innermost, _ := inner.Deadline(); !innermost.Equal(until) {
					t.Errorf("a derived context ends at %v, want %v", innermost, until)
				}
				<-inner.Done()
				return 0, context.Cause(inner)
			})
			if _, ok := errors.AsType[*OverrunError](err); !ok {
				t.Errorf("got %v", err)
			}
			wantStats(t, p, Stats{Workers: 1, Restarts: p.Stats().Overruns, Overruns: p.Stats().Overruns})
		}
	})
}

func TestALateCrashIsNotASecondRestart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Deadline: time.Second})
		for _, do := range []deed{panics("late"), exits} {
			if _, err := p.Ask(t.Context(), func(ctx context.Context, s *state) (int, error) {
				<-ctx.Done()
				return do(ctx, s)
			}); isCrash(err) || err == nil {
				t.Errorf("got %v", err)
			}
		}
		wantStats(t, p, Stats{Workers: 1, Restarts: 2, Overruns: 2})
	})
}

// The bound: two workers, and two more goroutines that were abandoned.
func TestAbandonedGoroutinesAreBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 2, Abandoned: 2, Restarts: -1, Deadline: time.Second})
		var gates []chan struct{}
		loop := func() {
			t.Helper()
			gate := make(chan struct{})
			gates = append(gates, gate)
			if _, err := p.Ask(t.Context(), held(0, gate)); err == nil || isCrash(err) {
				t.Fatalf("got %v", err)
			}
		}
		loop()
		loop()
		wantStats(t, p, Stats{Workers: 2, Abandoned: 2, Restarts: 2, Overruns: 2})
		loop() // keeps its place
		wantStats(t, p, Stats{Workers: 1, Abandoned: 3, Restarts: 3, Overruns: 3})
		waits := make(chan (<-chan outcome), 1)
		time.AfterFunc(time.Second/2, func() { waits <- asking(p, t.Context(), answer(1)) })
		loop() // now no place is left
		if o := arrived(t, <-waits); !asBreaker(o.err) {
			t.Errorf("the question that waited got %d, %v, want the breaker's error", o.answer, o.err)
		}
		_, err := p.Ask(t.Context(), answer(1))
		if open, ok := errors.AsType[*BreakerError](err); !ok || !open.Stuck || !open.Until.IsZero() {
			t.Errorf("got %v", err)
		}
		wantStats(t, p, Stats{Abandoned: 4, Refused: 2, Restarts: 4, Overruns: 4})

		close(gates[0]) // one returns: one place is free
		wantStats(t, p, Stats{Workers: 1, Abandoned: 3, Refused: 2, Restarts: 4, Overruns: 4})
		if n, err := p.Ask(t.Context(), answer(1)); n != 1 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
		close(gates[3]) // one that kept its place
		wantStats(t, p, Stats{Workers: 2, Abandoned: 2, Handled: 1, Refused: 2, Restarts: 4, Overruns: 4})
		close(gates[1])
		close(gates[2])
		wantStats(t, p, Stats{Workers: 2, Handled: 1, Refused: 2, Restarts: 4, Overruns: 4})
	})
}

func TestWithNoAbandonedAHandlerThatOverrunsKeepsItsPlace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Abandoned: -1, Deadline: time.Second})
		gate := make(chan struct{})
		if _, err := p.Ask(t.Context(), held(0, gate)); err == nil {
			t.Fatal("no error at the deadline")
		}
		if _, err := p.Ask(t.Context(), answer(1)); !asBreaker(err) {
			t.Fatalf("got %v", err)
		}
		close(gate)
		synctest.Wait()
		if n, err := p.Ask(t.Context(), answer(1)); n != 1 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
	})
}

func TestAbandonedHandlersOfAPoolWhoseBreakerOpensComeBack(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 2, Abandoned: -1, Restarts: 1, Period: time.Minute, Deadline: time.Second})
		gate := make(chan struct{})
		first, second := asking(p, t.Context(), held(0, gate)), asking(p, t.Context(), held(0, gate))
		time.Sleep(time.Second)
		for _, result := range []<-chan outcome{first, second} {
			if _, ok := errors.AsType[*OverrunError](arrived(t, result).err); !ok {
				t.Error("no report at the deadline")
			}
		}
		_, err := p.Ask(t.Context(), answer(1))
		if open, ok := errors.AsType[*BreakerError](err); !ok || open.Stuck || open.Restarts != 2 {
			t.Errorf("got %v", err)
		}
		time.Sleep(time.Minute + time.Second)
		_, err = p.Ask(t.Context(), answer(1)) // the period is over, yet nobody is there
		if open, ok := errors.AsType[*BreakerError](err); !ok || !open.Stuck {
			t.Errorf("got %v", err)
		}
		close(gate)
		synctest.Wait()
		if n, err := p.Ask(t.Context(), answer(1)); n != 1 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
	})
}
