package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"hearth/bench/measure"
	"hearth/internal/chat"
	"hearth/sqlite"
)

// Options of Chat. The zero value measures this binary on a small database in
// about six minutes.
type Options struct {
	Binary      string        // the program that serves; empty: this one
	Messages    int           // in the busy room; 0: 1000; at least 120
	Seed        uint64        // of the database's content; 0: 1
	PerCell     time.Duration // how long one cell is measured; 0: 1.5s
	Repetitions int           // 0: 3
	Clients     []int         // nil: 1, 16, 64
	Sockets     []int         // cable clients; nil: 100, 1000
	ServerCores int           // 0: half of them
	Full        bool          // every question in every mode with every number of clients
	Quick       bool          // a smoke run of seconds; its figures mean nothing
	Folder      string        // where the temporary database is made; empty: os.TempDir
	Mechanisms  []string      // what --bench-off can switch off
	Command     string        // how this run was started, for the result
	Commit      string        // of the build, for the result
	Progress    io.Writer     // hears what is going on; nil: nobody
}

func (o Options) resolved() (Options, error) {
	if o.Quick {
		o.Messages, o.PerCell, o.Repetitions = 300, 100*time.Millisecond, 1
		o.Clients, o.Sockets = []int{1, 16}, []int{20}
	}
	if o.Binary == "" {
		binary, err := os.Executable()
		if err != nil {
			return o, fmt.Errorf("find this program: %w", err)
		}
		o.Binary = binary
	}
	o.Messages = max(orDefault(o.Messages, 1000), messagesMin)
	o.Seed = orDefault(o.Seed, 1)
	o.PerCell = orDefault(o.PerCell, 1500*time.Millisecond)
	o.Repetitions = orDefault(o.Repetitions, 3)
	if o.Clients == nil {
		o.Clients = []int{1, 16, 64}
	}
	if o.Sockets == nil {
		o.Sockets = []int{100, 1000}
	}
	if o.Progress == nil {
		o.Progress = io.Discard
	}
	return o, o.bounded()
}

func orDefault[T comparable](value, otherwise T) T {
	var none T
	if value == none {
		return otherwise
	}
	return value
}

// bounded refuses loads that could hurt the machine.
func (o Options) bounded() error {
	for _, bound := range []struct {
		what      string
		value     int
		low, high int
	}{
		{"messages", o.Messages, messagesMin, 10_000_000},
		{"clients", slices.Max(o.Clients), 1, 1024},
		{"clients", slices.Min(o.Clients), 1, 1024},
		{"sockets", slices.Max(o.Sockets), 1, 5000},
		{"sockets", slices.Min(o.Sockets), 1, 5000},
		{"repetitions", o.Repetitions, 1, 20},
		{"seconds in a cell", int(o.PerCell.Seconds() + 1), 1, 60},
	} {
		if bound.value < bound.low || bound.value > bound.high {
			return fmt.Errorf("%d %s: it can be %d to %d", bound.value, bound.what, bound.low, bound.high)
		}
	}
	return nil
}

// timing gives every cell a fifth of its time to warm up.
func (o Options) timing() timing { return timing{o.PerCell / 5, o.PerCell} }

// run is one run of Chat.
type run struct {
	Options
	began   time.Time
	folder  string // holds the storage folder, logs and the floor's answers
	cores   cores
	site    *site
	seeding time.Duration

	recorded  map[string]floorAnswer
	startLine string
	results   results
	others    measure.Others
}

// Chat measures the chat and writes the result to out, as Markdown. It reports
// nothing, and returns an error that says what was wrong, when any answer is
// wrong or any acknowledged post is not in the database. Whatever it started has
// ended, and its folder is gone, when it returns.
func Chat(ctx context.Context, o Options, out io.Writer) (err error) {
	o, err = o.resolved()
	if err != nil {
		return err
	}
	r := &run{Options: o, began: time.Now(), cores: shareOut(o.ServerCores), results: newResults()}
	if r.folder, err = os.MkdirTemp(o.Folder, "hearth-bench-"); err != nil {
		return fmt.Errorf("make a temporary folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(r.folder)) }()
	if err := r.makeDatabase(ctx); err != nil {
		return err
	}
	undo, err := pinSelf(r.cores.load)
	if err != nil {
		return err
	}
	defer undo()
	defer debug.SetGCPercent(debug.SetGCPercent(400)) // the load's own collector should not show
	if err := r.others.Begin(); err != nil {
		return err
	}
	for repetition := range o.Repetitions {
		if err := r.repeat(ctx, repetition+1); err != nil {
			return err
		}
	}
	if err := r.others.End(); err != nil {
		return err
	}
	return r.report(out)
}

func (r *run) storage() string { return filepath.Join(r.folder, "storage") }

// makeDatabase creates the storage folder that all servers of this run serve.
func (r *run) makeDatabase(ctx context.Context) error {
	began := time.Now()
	for _, name := range []string{"db", "files", "backups"} {
		if err := os.MkdirAll(filepath.Join(r.storage(), name), 0o700); err != nil {
			return fmt.Errorf("make the storage folder: %w", err)
		}
	}
	h := newHistory(dataset{Messages: r.Messages, Seed: r.Seed, Secret: benchSecret, End: time.Now().Truncate(time.Second)})
	db, err := sqlite.Open(ctx, databasePath(r.storage()), sqlite.Options{Readers: 1, Synchronous: sqlite.Off})
	if err != nil {
		return fmt.Errorf("make the database: %w", err)
	}
	err = chat.Prepare(ctx, db, "production", nil)
	if err == nil {
		err = h.fill(ctx, db, func(done int) { r.say("made %d of %d messages", done, h.total) })
	}
	if err := errors.Join(err, db.Close()); err != nil {
		return fmt.Errorf("make the database: %w", err)
	}
	r.site = newSite(h)
	r.seeding = time.Since(began)
	return nil
}

// benchSecret signs the cookies of people who don't exist.
const benchSecret = "a secret that protects nobody: it belongs to a benchmark's own people"

func (r *run) say(format string, args ...any) {
	fmt.Fprintf(r.Progress, "%6.1fs  %s\n", time.Since(r.began).Seconds(), fmt.Sprintf(format, args...))
}

// repeat runs every cell once: the server with everything on, the floor, and
// the server with everything off, one after the other on the same database.
func (r *run) repeat(ctx context.Context, repetition int) error {
	r.say("repetition %d of %d", repetition, r.Repetitions)
	if err := r.onServer(ctx, nil, r.measureOn); err != nil {
		return err
	}
	if err := r.onFloor(ctx); err != nil {
		return err
	}
	if len(r.Mechanisms) == 0 {
		return nil
	}
	return r.onServer(ctx, r.Mechanisms, r.measureOff)
}

// onServer starts the server, measures, ends it, and then looks for every post.
func (r *run) onServer(ctx context.Context, off []string, load func(context.Context, target) error) error {
	s, err := start(ctx, r.cores, r.Binary, r.folder, childEnv(benchSecret), func(addr string) []string {
		args := []string{"serve", "--storage", r.storage(), "--addr", addr}
		if len(off) > 0 {
			args = append(args, "--bench-off", strings.Join(off, ","))
		}
		return args
	})
	if err != nil {
		return err
	}
	if err := errors.Join(r.useServer(ctx, s, off, load), s.stop()); err != nil {
		return err
	}
	r.others.Exclude(s.used())
	return r.site.ledger.verify(ctx, databasePath(r.storage()), r.site.history.total)
}

func (r *run) useServer(ctx context.Context, s *server, off []string, load func(context.Context, target) error) error {
	idle, _, err := measure.MemoryOf(s.pid)
	if err != nil {
		return err
	}
	if line := s.startLine(); len(off) == 0 && line != "" {
		r.startLine = line
	}
	if err := r.site.arrive(ctx, s.addr); err != nil {
		return fmt.Errorf("wrong answer: %w", err)
	}
	if err := load(ctx, target{r.site, s.pid, r.cores.loadCount()}); err != nil {
		return err
	}
	_, peak, err := measure.MemoryOf(s.pid)
	r.results.addProcess(len(off) > 0, processSample{s.coldStart, idle, peak})
	return err
}

func (r *run) measureOn(ctx context.Context, t target) error {
	recorded, err := r.site.record(ctx)
	if err != nil {
		return err
	}
	if r.recorded == nil {
		r.recorded = recorded
	}
	for _, m := range []mode{on, postsHere, postsElsewhere} {
		if err := r.measureMode(ctx, t, m); err != nil {
			return err
		}
	}
	return r.measureSockets(ctx, t, on)
}

func (r *run) measureOff(ctx context.Context, t target) error {
	if err := r.measureMode(ctx, t, off); err != nil {
		return err
	}
	return r.measureSockets(ctx, t, off)
}

func (r *run) measureMode(ctx context.Context, t target, m mode) error {
	for _, q := range questions() {
		for _, clients := range r.Clients {
			if !r.asks(m, q.name, clients) {
				continue
			}
			s, err := r.measureCell(ctx, t, m, q, clients)
			if err != nil {
				return err
			}
			r.results.add(cell{m, q.name, clients}, s)
			r.say("%-22s %-14s %3d clients  %9.0f/s  p50 %7.2f ms  p99 %7.2f ms", m, q.name, clients, s.perSecond, measure.Milliseconds(s.p50), measure.Milliseconds(s.p99))
		}
	}
	return nil
}

// measureCell measures one cell, with somebody posting beside it where the mode
// wants it.
func (r *run) measureCell(ctx context.Context, t target, m mode, q question, clients int) (sample, error) {
	var tail *tail
	switch m {
	case postsHere:
		tail = t.site.busy
	case postsElsewhere:
		tail = t.site.elsewhere
	default:
		return t.measure(ctx, q, clients, r.timing())
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	posting, stop := context.WithCancel(ctx)
	ended := make(chan error, 1)
	go func() {
		err := t.site.postSteadily(posting, tail)
		if err != nil {
			cancel(err)
		}
		ended <- err
	}()
	s, err := t.measure(ctx, q, clients, r.timing())
	stop()
	return s, errors.Join(err, <-ended)
}

func (r *run) measureSockets(ctx context.Context, t target, m mode) error {
	for _, sockets := range r.Sockets {
		for _, posters := range cablePosters {
			s, err := t.measureCable(ctx, sockets, posters, r.timing())
			if err != nil {
				return err
			}
			r.results.addCable(cableCell{m, sockets, posters}, s)
			r.say("%-22s cable %4d clients, %d at a time  %7.0f messages/s  p50 %7.2f ms  p99 %7.2f ms", m, sockets, posters, s.perSecond, measure.Milliseconds(s.p50), measure.Milliseconds(s.p99))
		}
	}
	return nil
}

// cablePosters: one post at a time shows latency, eight what the server can do.
var cablePosters = []int{1, 8}

// onFloor measures the bare handler with the answers of the first repetition.
func (r *run) onFloor(ctx context.Context) error {
	file := filepath.Join(r.folder, "floor.json")
	if err := writeFloor(file, r.recorded); err != nil {
		return err
	}
	s, err := start(ctx, r.cores, r.Binary, r.folder, childEnv(benchSecret), func(addr string) []string {
		return []string{"bench", "floor", "--addr", addr, "--answers", file}
	})
	if err != nil {
		return fmt.Errorf("floor: %w", err)
	}
	err = errors.Join(r.useFloor(ctx, s), s.stop())
	r.others.Exclude(s.used())
	return err
}

func (r *run) useFloor(ctx context.Context, s *server) error {
	r.site.addr = s.addr
	t := target{r.site, s.pid, r.cores.loadCount()}
	for _, q := range questions() {
		for _, clients := range r.Clients {
			if !r.asks(floor, q.name, clients) {
				continue
			}
			sample, err := t.measure(ctx, onFloor(q, r.recorded[q.name]), clients, r.timing())
			if err != nil {
				return err
			}
			r.results.add(cell{floor, q.name, clients}, sample)
			r.say("%-22s %-14s %3d clients  %9.0f/s", floor, q.name, clients, sample.perSecond)
		}
	}
	return nil
}
