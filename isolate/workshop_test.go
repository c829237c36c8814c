package isolate

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
)

// deed is a question that says what the handler does.
type deed func(ctx context.Context, s *state) (int, error)

// state notices when another goroutine than its builder's touches it.
type state struct {
	number int // 1 for the first that was built
	shop   *workshop
	owner  string
	served int // not guarded: the race detector watches it
}

func (s *state) Close() error {
	s.shop.mu.Lock()
	defer s.shop.mu.Unlock()
	s.shop.closed = append(s.shop.closed, s.number)
	if s.owner != goroutine() {
		s.shop.strangers++
	}
	if s.shop.closing != nil {
		return s.shop.closing(s)
	}
	return nil
}

// workshop builds states and remembers them.
type workshop struct {
	building func(ctx context.Context, number int) error // may be nil
	closing  func(*state) error                          // may be nil

	missing *state // nil, to be followed

	mu        sync.Mutex
	built     int
	closed    []int
	strangers int // calls that came from another goroutine than the builder's
}

func (s *workshop) build(ctx context.Context) (*state, error) {
	s.mu.Lock()
	s.built++
	made := &state{number: s.built, shop: s, owner: goroutine()}
	s.mu.Unlock()
	if s.building != nil {
		if err := s.building(ctx, made.number); err != nil {
			return nil, err
		}
	}
	return made, nil
}

func (s *workshop) handle(ctx context.Context, made *state, do deed) (int, error) {
	made.served++
	if made.owner != goroutine() {
		s.mu.Lock()
		s.strangers++
		s.mu.Unlock()
	}
	return do(ctx, made)
}

// open opens a pool that the test closes itself or that its end closes.
func (s *workshop) open(t *testing.T, opts Options) *Pool[deed, int] {
	t.Helper()
	p, err := Open(t.Context(), s.build, s.handle, opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Close(context.Background())
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.strangers > 0 {
			t.Errorf("%d times a state was touched by another goroutine than its builder's", s.strangers)
		}
		if s.building == nil && len(s.closed) != s.built {
			t.Errorf("%d states were built and %d closed", s.built, len(s.closed))
		}
	})
	return p
}

// counts are the states that were built and closed so far.
func (s *workshop) counts() (built, closed int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.built, len(s.closed)
}

func goroutine() string {
	buf := make([]byte, 64)
	name, _, _ := strings.Cut(string(buf[:runtime.Stack(buf, false)]), " [")
	return name
}

// outcome is what Ask returned.
type outcome struct {
	answer int
	err    error
}

// asking asks in a goroutine of its own and comes back when the question is
// where it belongs: at a worker, in the queue, at the door, or answered.
func asking(p *Pool[deed, int], ctx context.Context, do deed) <-chan outcome {
	result := make(chan outcome, 1)
	go func() {
		answer, err := p.Ask(ctx, do)
		result <- outcome{answer, err}
	}()
	synctest.Wait()
	return result
}

// arrived returns what came of a question, which must be answered by now.
func arrived(t *testing.T, result <-chan outcome) outcome {
	t.Helper()
	synctest.Wait()
	select {
	case o := <-result:
		return o
	default:
		t.Fatal("the question has not been answered")
		return outcome{}
	}
}

// open questions have no answer yet.
func unanswered(t *testing.T, result <-chan outcome) {
	t.Helper()
	synctest.Wait()
	select {
	case o := <-result:
		t.Fatalf("the question has been answered with %d, %v", o.answer, o.err)
	default:
	}
}

// answer returns n at once.
func answer(n int) deed {
	return func(context.Context, *state) (int, error) { return n, nil }
}

// held returns n when the gate is closed, whatever the context says.
func held(n int, gate <-chan struct{}) deed {
	return func(context.Context, *state) (int, error) { <-gate; return n, nil }
}

// patient waits until its context ends, and returns the cause.
func patient(ctx context.Context, _ *state) (int, error) {
	<-ctx.Done()
	return 0, context.Cause(ctx)
}

func panics(value any) deed {
	return func(context.Context, *state) (int, error) { panic(value) }
}

func exits(context.Context, *state) (int, error) { runtime.Goexit(); return 0, nil }

// wantStats compares what a test cares about.
func wantStats(t *testing.T, p *Pool[deed, int], want Stats) {
	t.Helper()
	synctest.Wait()
	got := p.Stats()
	got.Busy, got.QueueWait, got.LastRestart, got.Breaker = 0, Histogram{}, nil, nil
	if got != want {
		t.Errorf("statistics\n got %+v\nwant %+v", got, want)
	}
}
