package isolate

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestOpenReturnsWhenEveryWorkerIsReady(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{building: func(_ context.Context, number int) error {
			time.Sleep(time.Duration(number) * time.Second)
			return nil
		}}
		began := time.Now()
		p := shop.open(t, Options{Workers: 5})
		if got, want := time.Since(began), 5*time.Second; got != want {
			t.Errorf("Open took %v, want %v: as long as the slowest of builders that run at once", got, want)
		}
		wantStats(t, p, Stats{Workers: 5})
	})
}

var errNoState = errors.New("no state today")

func TestABuilderThatFailsFailsOpenAndTheOthersAreClosed(t *testing.T) {
	for _, fail := range []struct {
		name string
		how  func() error
		want func(error) bool
	}{
		{"error", func() error { return errNoState }, func(err error) bool { return errors.Is(err, errNoState) }},
		{"panic", func() error { panic(errNoState) }, func(err error) bool { return errors.Is(err, errNoState) && isCrash(err) }},
		{"goexit", func() error { runtime.Goexit(); return nil }, isCrash},
	} {
		t.Run(fail.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				shop := &workshop{building: func(ctx context.Context, number int) error {
					switch number {
					case 3:
						time.Sleep(time.Second)
						return fail.how()
					case 4: // still builds, and obeys its context
						<-ctx.Done()
						return context.Cause(ctx)
					}
					return nil
				}}
				began := time.Now()
				_, err := Open(t.Context(), shop.build, shop.handle, Options{Workers: 4})
				if err == nil || !fail.want(err) || !strings.HasPrefix(err.Error(), "isolate: open: build: ") {
					t.Errorf("Open returned %v", err)
				}
				if got := time.Since(began); got != time.Second {
					t.Errorf("Open took %v, want 1s", got)
				}
				if built, closed := shop.counts(); built != 4 || closed != 2 {
					t.Errorf("built %d, closed %d, want 4 and 2", built, closed)
				}
			})
		})
	}
}

func TestOpenLeavesABuilderThatHangs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		gate := make(chan struct{})
		shop := &workshop{building: func(_ context.Context, number int) error {
			if number == 1 {
				<-gate
			}
			return nil
		}}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		began := time.Now()
		_, err := Open(ctx, shop.build, shop.handle, Options{Workers: 3})
		if !errors.Is(err, context.DeadlineExceeded) || !strings.Contains(err.Error(), "1 builders have not returned") {
			t.Errorf("Open returned %v", err)
		}
		if got, want := time.Since(began), time.Minute+time.Second; got != want {
			t.Errorf("Open took %v, want %v: its context and the grace", got, want)
		}
		close(gate)
		synctest.Wait()
		if built, closed := shop.counts(); built != 3 || closed != 3 {
			t.Errorf("built %d, closed %d, want 3 and 3", built, closed)
		}
	})
}

func TestABuilderGetsTheValuesOfOpensContext(t *testing.T) {
	type key struct{}
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(context.WithValue(t.Context(), key{}, "value"))
		p, err := Open(ctx, nothing, func(ctx context.Context, _ struct{}, _ int) (any, error) {
			return ctx.Value(key{}), ctx.Err()
		}, Options{Workers: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close(t.Context())
		cancel() // of no meaning any more
		if got, err := p.Ask(t.Context(), 0); got != "value" || err != nil {
			t.Errorf("got %v, %v", got, err)
		}
	})
}

func TestOptionsThatCantBeAreRefused(t *testing.T) {
	for _, bad := range []Options{
		{Workers: -1}, {Overload: 2}, {Deadline: -1}, {Period: -1},
	} {
		p, err := Open(t.Context(), nothing, echo, bad)
		if err == nil || p != nil || !strings.Contains(err.Error(), ": give ") {
			t.Errorf("Open with %+v returned %v, want an error that says what to give", bad, err)
		}
	}
}

func TestZeroOptionsHaveDefaults(t *testing.T) {
	n := runtime.GOMAXPROCS(0)
	got, err := Options{}.resolved()
	want := Options{Workers: n, Queue: 64 * n, Abandoned: n, Restarts: 8 * n, Period: 10 * time.Second, Grace: time.Second}
	if err != nil || got != want {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
	got, err = Options{Workers: 3, Queue: -1, Abandoned: -1, Restarts: -1, Grace: -1}.resolved()
	want = Options{Workers: 3, Restarts: -1, Period: 10 * time.Second}
	if err != nil || got != want {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestNilArgumentsPanicWithASentence(t *testing.T) {
	p := openEcho(t, Options{Workers: 1})
	var none context.Context
	for name, call := range map[string]func(){
		"Open with no context": func() { Open(none, nothing, echo, Options{}) },
		"Open with no builder": func() { Open[struct{}](t.Context(), nil, echo, Options{}) },
		"Open with no handler": func() { Open[struct{}, int, int](t.Context(), nothing, nil, Options{}) },
		"Ask with no context":  func() { p.Ask(none, 1) },
		"Close with none":      func() { p.Close(none) },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.HasPrefix(got, "isolate: ") {
					t.Errorf("panicked with %q, want a sentence of this package", got)
				}
			}()
			call()
		})
	}
	if got, err := p.Ask(t.Context(), 7); got != 7 || err != nil {
		t.Errorf("afterwards Ask returned %d, %v", got, err)
	}
}
