package isolate

import (
	"context"
	"sync"
	"testing"
	"time"
)

// These benchmarks measure what a pool adds to the work: the handler returns its
// question. The floor is the same exchange over bare channels with a goroutine
// that lives as long, in the same run: no queue, no context, no statistics.

type number = int64

func echo(_ context.Context, _ struct{}, q number) (number, error) { return q, nil }

func nothing(context.Context) (struct{}, error) { return struct{}{}, nil }

func openEcho(tb testing.TB, opts Options) *Pool[number, number] {
	tb.Helper()
	p, err := Open(tb.Context(), nothing, echo, opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := p.Close(context.Background()); err != nil {
			tb.Error(err)
		}
	})
	return p
}

// roundTrip is one question and its answer over two bare channels.
func benchmarkFloor(b *testing.B, capacity int) {
	questions, answers := make(chan number, capacity), make(chan number, capacity)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for q := range questions {
			answers <- q
		}
	}()
	b.ReportAllocs()
	var n number
	for b.Loop() {
		n++
		questions <- n
		if got := <-answers; got != n {
			b.Fatalf("got %d, want %d", got, n)
		}
	}
	close(questions)
	<-ended
}

func benchmarkAsk(b *testing.B, ctx context.Context, opts Options) {
	p := openEcho(b, opts)
	b.ReportAllocs()
	var n number
	for b.Loop() {
		n++
		if got, err := p.Ask(ctx, n); err != nil || got != n {
			b.Fatalf("got %d, %v, want %d", got, err, n)
		}
	}
}

func BenchmarkIdle(b *testing.B) {
	cancellable, cancel := context.WithCancel(context.Background())
	defer cancel()
	timed, cancel := context.WithTimeout(context.Background(), time.Hour)
	defer cancel()
	b.Run("floor/unbuffered", func(b *testing.B) { benchmarkFloor(b, 0) })
	b.Run("floor/buffered", func(b *testing.B) { benchmarkFloor(b, 1) })
	b.Run("ask", func(b *testing.B) { benchmarkAsk(b, context.Background(), Options{Workers: 1}) })
	b.Run("ask/cancellable", func(b *testing.B) { benchmarkAsk(b, cancellable, Options{Workers: 1}) })
	b.Run("ask/timed", func(b *testing.B) { benchmarkAsk(b, timed, Options{Workers: 1}) })
	b.Run("ask/deadline", func(b *testing.B) {
		benchmarkAsk(b, context.Background(), Options{Workers: 1, Deadline: time.Second})
	})
	b.Run("ask/4-workers", func(b *testing.B) { benchmarkAsk(b, cancellable, Options{Workers: 4}) })
}

func BenchmarkEightCallers(b *testing.B) {
	b.Run("floor", func(b *testing.B) {
		type call struct {
			q      number
			answer chan number
		}
		calls := make(chan call)
		var workers sync.WaitGroup
		for range 2 {
			workers.Go(func() {
				for c := range calls {
					c.answer <- c.q
				}
			})
		}
		callers(b, func() func(number) (number, error) {
			answer := make(chan number, 1)
			return func(n number) (number, error) {
				calls <- call{n, answer}
				return <-answer, nil
			}
		})
		close(calls)
		workers.Wait()
	})
	b.Run("ask", func(b *testing.B) {
		p := openEcho(b, Options{Workers: 2})
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		callers(b, func() func(number) (number, error) {
			return func(n number) (number, error) { return p.Ask(ctx, n) }
		})
	})
}

// callers shares b.N questions among eight goroutines.
func callers(b *testing.B, caller func() func(number) (number, error)) {
	b.ReportAllocs()
	var all sync.WaitGroup
	for i := range 8 {
		n := b.N / 8
		if i < b.N%8 {
			n++
		}
		ask := caller()
		all.Go(func() {
			for k := range number(n) {
				if got, err := ask(k); err != nil || got != k {
					b.Errorf("got %d, %v, want %d", got, err, k)
				}
			}
		})
	}
	all.Wait()
}
