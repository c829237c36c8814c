package bench

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"hearth/bench/measure"
)

// sample is what one cell measured in one repetition.
type sample struct {
	perSecond float64
	p50, p99  time.Duration
	cpu       time.Duration // of the server, per request; 0: not measured
	busy      float64       // how much of its cores the load used, 0 to 1
	requests  int
	size      int // bytes of the last body, as sent
}

// timing says how long a cell runs.
type timing struct {
	warm, measure time.Duration
}

// target is a server process that is being measured.
type target struct {
	site      *site
	pid       int
	loadCores int
}

// round is one cell while it runs.
type round struct {
	question question
	phase    atomic.Int32
	done     atomic.Int64 // requests answered and found right
	size     atomic.Int64

	mu        sync.Mutex // guards the fields below
	latencies []time.Duration
}

const (
	warming int32 = iota
	measuring
	over
)

// measure asks q with so many clients at once and judges every answer. The first
// wrong one ends it.
func (t target) measure(ctx context.Context, q question, clients int, d timing) (sample, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	r := &round{question: q}
	workers, err := t.connect(ctx, clients)
	defer func() {
		for _, w := range workers {
			w.close()
		}
	}()
	if err != nil {
		return sample{}, err
	}
	var running sync.WaitGroup
	for _, w := range workers {
		running.Go(func() {
			if err := r.run(ctx, w); err != nil {
				cancel(fmt.Errorf("wrong answer: %s, question %d of %d clients: %w", q.name, w.asked, clients, err))
			}
		})
	}
	s, err := t.watch(ctx, r, d)
	r.phase.Store(over)
	running.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return sample{}, cause
	}
	if err != nil {
		return sample{}, err
	}
	slices.Sort(r.latencies)
	s.p50, s.p99 = measure.Percentile(r.latencies, 50), measure.Percentile(r.latencies, 99)
	s.size = int(r.size.Load())
	return s, nil
}

func (t target) connect(ctx context.Context, clients int) ([]*worker, error) {
	var workers []*worker
	for i := range clients {
		b, err := dial(ctx, t.site.addr)
		if err != nil {
			return workers, err
		}
		person := int64(firstReader + i%(lastReader-firstReader+1))
		workers = append(workers, &worker{browser: b, site: t.site, person: person, asked: i * 7, right: map[string][]byte{}})
	}
	return workers, nil
}

// run asks until the round is over.
func (r *round) run(ctx context.Context, w *worker) error {
	var latencies []time.Duration
	for r.phase.Load() != over && ctx.Err() == nil {
		request, judge := r.question.ask(w)
		w.asked++
		counts := r.phase.Load() == measuring
		began := time.Now()
		a, err := w.browser.ask(ctx, request)
		took := time.Since(began)
		if err != nil {
			return err
		}
		if err := judge(a); err != nil {
			return err
		}
		r.done.Add(1)
		if counts {
			latencies = append(latencies, took)
		}
		r.size.Store(int64(len(a.Body)))
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.latencies = append(r.latencies, latencies...)
	return nil
}

// watch lets the round warm up, then reads clocks and counters at both ends of
// the time that counts.
func (t target) watch(ctx context.Context, r *round, d timing) (sample, error) {
	if err := wait(ctx, d.warm); err != nil {
		return sample{}, err
	}
	r.phase.Store(measuring)
	before, err := t.read(r)
	if err != nil {
		return sample{}, err
	}
	if err := wait(ctx, d.measure); err != nil {
		return sample{}, err
	}
	after, err := t.read(r)
	if err != nil {
		return sample{}, err
	}
	return after.since(before, t.loadCores), nil
}

// reading is a moment of a round.
type reading struct {
	at          time.Time
	done        int64
	server, own time.Duration
}

func (t target) read(r *round) (reading, error) {
	server, err := measure.CPUOf(t.pid)
	return reading{time.Now(), r.done.Load(), server, measure.OwnCPU()}, err
}

func (after reading) since(before reading, loadCores int) sample {
	elapsed := after.at.Sub(before.at)
	s := sample{requests: int(after.done - before.done)}
	s.perSecond = float64(s.requests) / elapsed.Seconds()
	s.busy = (after.own - before.own).Seconds() / elapsed.Seconds() / float64(max(loadCores, 1))
	if s.requests > 0 {
		s.cpu = (after.server - before.server) / time.Duration(s.requests)
	}
	return s
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-timer.C:
		return nil
	}
}
