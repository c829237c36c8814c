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

// cableSample is what one cable cell measured in one repetition.
type cableSample struct {
	perSecond  float64       // messages that reached everybody
	deliveries float64       // per second
	p50, p99   time.Duration // from the first byte of the post to the frame, over all deliveries
	cpu        time.Duration // of the server, per delivery
	busy       float64       // of the load's cores
	messages   int
}

// fanout is one cable cell: sockets that listen, and posters that wait, after
// each post, until everybody has it.
type fanout struct {
	t       target
	sockets []*socket
	closing atomic.Bool
	phase   atomic.Int32
	fail    context.CancelCauseFunc

	whole atomic.Int64 // messages that everybody has
	heard atomic.Int64 // deliveries

	mu        sync.Mutex // guards the fields below
	waiting   map[int]*flight
	latencies []time.Duration
}

// flight is a post on its way to everybody.
type flight struct {
	sent    time.Time
	left    int
	counts  bool
	arrived chan struct{}
}

// measureCable connects so many sockets and posts through so many posters.
func (t target) measureCable(ctx context.Context, sockets, posters int, d timing) (cableSample, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	f := &fanout{t: t, fail: cancel, waiting: map[int]*flight{}}
	defer f.close()
	if err := f.connect(ctx, sockets); err != nil {
		return cableSample{}, err
	}
	var reading, posting sync.WaitGroup
	for _, k := range f.sockets {
		reading.Go(func() {
			if err := k.follow(&f.closing, f.hear); err != nil {
				cancel(fmt.Errorf("cable with %d clients: %w", sockets, err))
			}
		})
	}
	for i := range posters {
		posting.Go(func() {
			if err := f.post(ctx, int64(1+i)); err != nil {
				cancel(fmt.Errorf("cable with %d clients: %w", sockets, err))
			}
		})
	}
	s, err := f.watch(ctx, d)
	f.phase.Store(over)
	posting.Wait()
	f.close()
	reading.Wait()
	if cause := context.Cause(ctx); cause != nil {
		return cableSample{}, cause
	}
	if err != nil {
		return cableSample{}, err
	}
	slices.Sort(f.latencies)
	s.p50, s.p99 = measure.Percentile(f.latencies, 50), measure.Percentile(f.latencies, 99)
	return s, nil
}

// connectAtOnce bounds how many sockets are being opened at a time.
const connectAtOnce = 16

func (f *fanout) connect(ctx context.Context, sockets int) error {
	turns := make(chan struct{}, connectAtOnce)
	errs := make(chan error, sockets)
	var opening sync.WaitGroup
	for i := range sockets {
		turns <- struct{}{}
		opening.Go(func() {
			defer func() { <-turns }()
			k, err := f.t.site.listen(ctx, int64(1+i%peopleCount))
			if err != nil {
				errs <- err
				return
			}
			f.mu.Lock()
			defer f.mu.Unlock()
			f.sockets = append(f.sockets, k)
		})
	}
	opening.Wait()
	select {
	case err := <-errs:
		return err
	default:
		return nil
	}
}

func (f *fanout) close() {
	f.closing.Store(true)
	for _, k := range f.sockets {
		k.conn.Close()
	}
}

// hear notes that one socket has a message.
func (f *fanout) hear(number int) {
	now := time.Now()
	f.heard.Add(1)
	f.mu.Lock()
	defer f.mu.Unlock()
	flight := f.waiting[number]
	if flight == nil {
		return // of a round before this one
	}
	if flight.counts {
		f.latencies = append(f.latencies, now.Sub(flight.sent))
	}
	flight.left--
	if flight.left == 0 {
		delete(f.waiting, number)
		f.whole.Add(1)
		close(flight.arrived)
	}
}

// post posts one message after the other, each when the last has reached all.
func (f *fanout) post(ctx context.Context, person int64) error {
	b, err := dial(ctx, f.t.site.addr)
	if err != nil {
		return err
	}
	defer b.close()
	for f.phase.Load() != over && ctx.Err() == nil {
		p := f.t.site.ledger.write(cableRoom, person)
		way := &flight{sent: time.Now(), left: len(f.sockets), counts: f.phase.Load() == measuring, arrived: make(chan struct{})}
		f.mu.Lock()
		f.waiting[p.number] = way
		f.mu.Unlock()
		if _, err := f.t.site.send(b, p); err != nil {
			return fmt.Errorf("post: %w", err)
		}
		select {
		case <-way.arrived:
		case <-ctx.Done():
		case <-time.After(answerTime):
			f.mu.Lock()
			defer f.mu.Unlock()
			return fmt.Errorf("message %d was posted %v ago and %d of %d sockets don't have it", p.number, answerTime, way.left, len(f.sockets))
		}
	}
	return nil
}

func (f *fanout) watch(ctx context.Context, d timing) (cableSample, error) {
	if err := wait(ctx, d.warm); err != nil {
		return cableSample{}, err
	}
	f.phase.Store(measuring)
	before, err := f.read()
	if err != nil {
		return cableSample{}, err
	}
	if err := wait(ctx, d.measure); err != nil {
		return cableSample{}, err
	}
	after, err := f.read()
	if err != nil {
		return cableSample{}, err
	}
	elapsed := after.at.Sub(before.at)
	s := cableSample{messages: int(after.whole - before.whole)}
	s.perSecond = float64(s.messages) / elapsed.Seconds()
	delivered := after.heard - before.heard
	s.deliveries = float64(delivered) / elapsed.Seconds()
	s.busy = (after.own - before.own).Seconds() / elapsed.Seconds() / float64(max(f.t.loadCores, 1))
	if delivered > 0 {
		s.cpu = (after.server - before.server) / time.Duration(delivered)
	}
	return s, nil
}

type cableReading struct {
	at           time.Time
	whole, heard int64
	server, own  time.Duration
}

func (f *fanout) read() (cableReading, error) {
	server, err := measure.CPUOf(f.t.pid)
	return cableReading{time.Now(), f.whole.Load(), f.heard.Load(), server, measure.OwnCPU()}, err
}
