package isolate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestACrashReachesTheCallerWithItsStackAndCostsTheStateOnly(t *testing.T) {
	boom := errors.New("boom")
	for _, crash := range []struct {
		name  string
		do    deed
		stack string
		check func(*CrashError) bool
	}{
		{"panic", panics("boom"), "workshop_test.go", func(e *CrashError) bool { return e.Value == "boom" }},
		{"panic with an error", panics(boom), "workshop_test.go", func(e *CrashError) bool { return errors.Is(e, boom) }},
		{"panic with nil", panics(nil), "workshop_test.go", func(e *CrashError) bool {
			_, ok := errors.AsType[*runtime.PanicNilError](e)
			return ok
		}},
		{"nil pointer", func(_ context.Context, s *state) (int, error) { return s.shop.missing.number, nil }, "crash_test.go",
			func(e *CrashError) bool { _, ok := errors.AsType[runtime.Error](e); return ok }},
		{"goexit", exits, "workshop_test.go", func(e *CrashError) bool { return e.Value == nil }},
		{"goexit in a deferred call of a panic", func(context.Context, *state) (int, error) {
			defer runtime.Goexit()
			panic("swallowed")
		}, "crash_test.go", func(e *CrashError) bool { return e.Value == nil }},
	} {
		t.Run(crash.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shop := &workshop{}
				p := shop.open(t, Options{Workers: 2})
				_, err := p.Ask(t.Context(), crash.do)
				got, ok := errors.AsType[*CrashError](err)
				if !ok || !crash.check(got) {
					t.Fatalf("got %v", err)
				}
				if !strings.Contains(string(got.Stack), crash.stack) || !strings.Contains(err.Error(), string(got.Stack)) {
					t.Errorf("the stack doesn't show %s:\n%s", crash.stack, err)
				}
				wantStats(t, p, Stats{Workers: 2, Restarts: 1, Crashes: 1})
				if last := p.Stats().LastRestart; last != err {
					t.Errorf("the latest restart's reason is %v", last)
				}
				if built, closed := shop.counts(); built != 3 || closed != 1 {
					t.Errorf("built %d, closed %d, want 3 and 1", built, closed)
				}
				if n, err := p.Ask(t.Context(), answer(5)); n != 5 || err != nil {
					t.Errorf("the next question got %d, %v", n, err)
				}
			})
		})
	}
}

func TestAHandlerMaySayThatItsStateIsLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1})
		lost := fmt.Errorf("the child has gone: %w", &CrashError{Value: "killed"})
		n, err := p.Ask(t.Context(), func(context.Context, *state) (int, error) { return 7, lost })
		if n != 0 || err != lost {
			t.Errorf("got %d, %v, want the very error", n, err)
		}
		wantStats(t, p, Stats{Workers: 1, Restarts: 1, Crashes: 1})
		if built, closed := shop.counts(); built != 2 || closed != 1 {
			t.Errorf("built %d, closed %d, want 2 and 1", built, closed)
		}
	})
}

func TestACrashAfterTheCallerLeftIsCounted(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := p.Ask(ctx, func(context.Context, *state) (int, error) {
			time.Sleep(time.Minute)
			panic("late")
		}); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("got %v", err)
		}
		time.Sleep(time.Minute)
		wantStats(t, p, Stats{Workers: 1, Left: 1, Restarts: 1, Crashes: 1})
		if last := p.Stats().LastRestart; !strings.Contains(last.Error(), "late") {
			t.Errorf("the latest restart's reason is %v", last)
		}
	})
}

func TestAStateWhoseCloseCrashesIsReplacedAllTheSame(t *testing.T) {
	for name, closing := range map[string]func(*state) error{
		"panic":  func(*state) error { panic("in Close") },
		"goexit": func(*state) error { runtime.Goexit(); return nil },
		"error":  func(*state) error { return errors.New("in Close") },
	} {
		for how, do := range map[string]deed{"panic": panics(1), "goexit": exits} {
			t.Run(how+" then "+name, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					shop := &workshop{closing: closing}
					p := shop.open(t, Options{Workers: 1})
					if _, err := p.Ask(t.Context(), do); !isCrash(err) {
						t.Errorf("got %v", err)
					}
					if n, err := p.Ask(t.Context(), answer(2)); n != 2 || err != nil {
						t.Errorf("got %d, %v", n, err)
					}
					err := p.Close(t.Context())
					if err == nil || name != "goexit" && !strings.Contains(err.Error(), "in Close") {
						t.Errorf("Close returned %v", err)
					}
				})
			})
		}
	}
}

func TestTooManyRestartsOpenTheBreakerWhichSaysWhy(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 2, Restarts: 2, Period: time.Minute})
		gate := make(chan struct{})
		good := asking(p, t.Context(), held(1, gate))
		for i := range 2 {
			if _, err := p.Ask(t.Context(), panics(i)); !isCrash(err) {
				t.Fatalf("got %v", err)
			}
		}
		trip := make(chan struct{})
		last := asking(p, t.Context(), func(context.Context, *state) (int, error) { <-trip; panic("the third") })
		queued := asking(p, t.Context(), answer(2))
		close(trip)
		if o := arrived(t, last); !isCrash(o.err) {
			t.Errorf("the third crash reached its caller as %v", o.err)
		}
		if _, ok := errors.AsType[*BreakerError](arrived(t, queued).err); !ok {
			t.Error("the question that waited was not sent away")
		}
		_, err := p.Ask(t.Context(), answer(3))
		open, ok := errors.AsType[*BreakerError](err)
		if !ok || open.Restarts != 3 || open.Period != time.Minute || !open.Until.Equal(time.Now().Add(time.Minute)) {
			t.Fatalf("got %v", err)
		}
		if text := err.Error(); !strings.Contains(text, "3 restarts within 1m0s") || !strings.Contains(text, "the third") || strings.Contains(text, "goroutine ") {
			t.Errorf("the breaker says: %s", text)
		}
		if p.Stats().Breaker != err {
			t.Error("the statistics don't show the breaker's error")
		}
		close(gate) // what runs is answered
		if o := arrived(t, good); o.answer != 1 || o.err != nil {
			t.Errorf("the healthy handler's caller got %d, %v", o.answer, o.err)
		}
		wantStats(t, p, Stats{Workers: 1, Handled: 1, Refused: 2, Restarts: 3, Crashes: 3})
	})
}

func TestTheBreakerClosesAfterAPeriodAndIsOnTrialForAnother(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Restarts: 2, Period: time.Minute})
		crash := func(times int) {
			t.Helper()
			for range times {
				if _, err := p.Ask(t.Context(), panics(1)); !isCrash(err) || asBreaker(err) {
					t.Fatalf("got %v, want a crash", err)
				}
			}
		}
		refused := func() {
			t.Helper()
			if _, err := p.Ask(t.Context(), answer(1)); !asBreaker(err) {
				t.Fatalf("got %v, want the breaker's error", err)
			}
		}
		crash(3)
		time.Sleep(time.Minute - 1)
		refused()
		time.Sleep(2 * time.Nanosecond)
		if n, err := p.Ask(t.Context(), answer(1)); n != 1 || err != nil {
			t.Fatalf("after a period: %d, %v", n, err)
		}
		crash(1) // on trial one is too many
		refused()
		time.Sleep(2*time.Minute + 1)
		crash(2) // the trial is over
		time.Sleep(time.Minute + time.Second)
		crash(2) // those before are out of the period
		crash(1)
		refused()
	})
}

func asBreaker(err error) bool {
	_, ok := errors.AsType[*BreakerError](err)
	return ok
}

func TestWithoutALimitTheBreakerNeverOpens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Restarts: -1})
		for range 1000 {
			if _, err := p.Ask(t.Context(), panics(1)); !isCrash(err) || asBreaker(err) {
				t.Fatalf("got %v", err)
			}
		}
		wantStats(t, p, Stats{Workers: 1, Restarts: 1000, Crashes: 1000})
	})
}

func TestABuilderThatFailsLaterIsTriedAgainMoreAndMoreSlowly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var tries []time.Duration
		began := time.Now()
		shop := &workshop{building: func(_ context.Context, number int) error {
			if number > 1 {
				tries = append(tries, time.Since(began))
			}
			switch number {
			case 2:
				return errNoState
			case 3:
				panic(errNoState)
			case 4:
				runtime.Goexit()
			}
			return nil
		}}
		p := shop.open(t, Options{Workers: 1, Restarts: 10})
		if _, err := p.Ask(t.Context(), panics(1)); !isCrash(err) {
			t.Fatalf("got %v", err)
		}
		if n, err := p.Ask(t.Context(), answer(2)); n != 2 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
		want := []time.Duration{0, 10 * time.Millisecond, 30 * time.Millisecond, 70 * time.Millisecond}
		if fmt.Sprint(tries) != fmt.Sprint(want) {
			t.Errorf("tries at %v, want %v", tries, want)
		}
		wantStats(t, p, Stats{Workers: 1, Handled: 1, Restarts: 4, Crashes: 1, BuildFailures: 3})
	})
}

func TestABuilderThatKeepsFailingOpensTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var healthy atomic.Bool
		healthy.Store(true)
		shop := &workshop{building: func(context.Context, int) error {
			if !healthy.Load() {
				return errNoState
			}
			return nil
		}}
		p := shop.open(t, Options{Workers: 1, Restarts: 3, Period: time.Minute})
		healthy.Store(false)
		p.Ask(t.Context(), panics(1))
		_, err := p.Ask(t.Context(), answer(1))
		if !asBreaker(err) || !errors.Is(err, errNoState) {
			t.Fatalf("got %v, want the breaker's error with the builder's inside", err)
		}
		time.Sleep(time.Minute + time.Second) // tried once, on trial
		if _, err := p.Ask(t.Context(), answer(1)); !asBreaker(err) {
			t.Fatalf("got %v", err)
		}
		healthy.Store(true)
		time.Sleep(time.Minute + time.Second)
		if n, err := p.Ask(t.Context(), answer(1)); n != 1 || err != nil {
			t.Errorf("got %d, %v", n, err)
		}
	})
}
