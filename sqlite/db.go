package sqlite

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// Synchronous says what is on the disk when Write returns.
type Synchronous int

const (
	// Full: an acknowledged write survives the loss of power. Group commit
	// shares its cost among all who wait, so it is the default.
	Full Synchronous = iota
	// Normal: the file stays sound after the loss of power, but the latest
	// writes may be gone. A killed process loses nothing.
	Normal
	// Off: the file may be ruined by the loss of power. For measurement.
	Off
)

func (s Synchronous) String() string {
	switch s {
	case Full:
		return "FULL"
	case Normal:
		return "NORMAL"
	case Off:
		return "OFF"
	}
	return fmt.Sprintf("Synchronous(%d)", int(s))
}

// Options are read once, by Open. The zero value is ready for production; a
// negative number or duration counts as 0.
type Options struct {
	Readers     int           // connections for Read; 0: twice the cores, at least 4
	Synchronous Synchronous   // what an acknowledged write survives
	QueueLen    int           // writes that may wait; more are ErrBusy; 0: 1024
	BusyTimeout time.Duration // how long to wait for other processes; 0: 5s

	// Each switches a mechanism off, to measure what it brings.
	NoGroupCommit  bool // every write commits alone
	NoCheckpointer bool // SQLite's own checkpoint, on the write that passes 1000 pages
	NoSnapshot     bool // every query of a Read is a transaction of its own

	groupTime       time.Duration // age at which a group takes no more members; 0: 5ms
	checkpointEvery time.Duration // 0: 250ms
	restartBytes    int64         // length of the log that asks for a restart; 0: 32 MB
}

func (o Options) resolved() Options {
	if o.Readers <= 0 {
		o.Readers = max(4, 2*runtime.GOMAXPROCS(0))
	}
	if o.QueueLen <= 0 {
		o.QueueLen = 1024
	}
	if o.BusyTimeout <= 0 {
		o.BusyTimeout = 5 * time.Second
	}
	if o.groupTime <= 0 {
		o.groupTime = 5 * time.Millisecond
	}
	if o.checkpointEvery <= 0 {
		o.checkpointEvery = 250 * time.Millisecond
	}
	if o.restartBytes <= 0 {
		o.restartBytes = 32 << 20
	}
	return o
}

// DB is one database file. All methods may be called from any goroutine.
//
// While a DB is open nothing else in its process may open the file or its
// -wal and -shm neighbours, not even to read: closing them would drop the
// locks that SQLite holds (POSIX locks belong to the process).
type DB struct {
	path    string
	options Options

	readers      *readers
	writer       *writer
	checkpointer *checkpointer // nil with NoCheckpointer
	foreign      *foreign
	counts       counts

	stop       context.CancelFunc // ends the checkpointer
	background sync.WaitGroup     // waits for it
	closed     atomic.Bool
}

// Open opens the database at path, a file name, and creates it when it is
// missing. It switches the file to a write-ahead log, which stays its mode.
// Open starts one goroutine that writes and one that checkpoints; Close ends
// and awaits both.
func Open(ctx context.Context, path string, opt Options) (*DB, error) {
	if err := ctx.Err(); err != nil {
		return nil, fmt.Errorf("sqlite: open: %w", err)
	}
	db := &DB{path: path, options: opt.resolved()}
	if err := db.connectAll(); err != nil {
		db.disconnectAll()
		return nil, err
	}
	go db.writer.run()
	running, stop := context.WithCancel(context.Background())
	db.stop = stop
	if db.checkpointer != nil {
		db.background.Go(func() { db.checkpointer.run(running) })
	}
	return db, nil
}

// connectAll opens every connection. The writer's is first: it creates the
// file and switches it to a log.
func (db *DB) connectAll() error {
	if err := db.mustBeWritable(); err != nil {
		return err
	}
	w, err := db.connect(true)
	if err != nil {
		return err
	}
	db.writer = newWriter(db, w)
	w.busyTimeout(0) // the writer does its own waiting
	if db.options.NoCheckpointer {
		if err := w.run("PRAGMA wal_autocheckpoint = 1000"); err != nil {
			return err
		}
	} else if err := db.connectCheckpointer(); err != nil {
		return err
	}
	watch, err := db.connectReader()
	if err != nil {
		return err
	}
	if db.foreign, err = newForeign(watch, w); err != nil {
		watch.close()
		return err
	}
	db.readers = newReaders(db.options.Readers)
	for range db.options.Readers {
		c, err := db.connectReader()
		if err != nil {
			return err
		}
		db.readers.add(c)
	}
	return nil
}

func (db *DB) connectCheckpointer() error {
	c, err := db.connect(false)
	if err != nil {
		return err
	}
	if db.checkpointer, err = newCheckpointer(db, c); err != nil {
		c.close()
		db.checkpointer = nil
	}
	return err
}

// connect opens a connection with the settings that all have. mmap_size,
// cache_size (in pages) and journal_size_limit are those of the server whose
// files we share.
func (db *DB) connect(create bool) (*conn, error) {
	c, err := connect(db.path, create)
	if err != nil {
		return nil, db.openError(err)
	}
	c.busyTimeout(db.options.BusyTimeout)
	if err := useLog(c); err != nil {
		c.close()
		return nil, db.openError(err)
	}
	err = setUp(c,
		"PRAGMA synchronous = "+db.options.Synchronous.String(),
		"PRAGMA fullfsync = ON", // macOS: through the drive's own cache too
		"PRAGMA checkpoint_fullfsync = ON",
		"PRAGMA foreign_keys = ON",
		"PRAGMA mmap_size = 134217728",
		"PRAGMA cache_size = 2000",
		"PRAGMA journal_size_limit = 67108864",
		"PRAGMA wal_autocheckpoint = 0",
	)
	if err != nil {
		c.close()
		return nil, db.openError(err)
	}
	return c, nil
}

// openError makes one of opening from what went wrong in between.
func (db *DB) openError(err error) error {
	if e, ok := errors.AsType[*Error](err); ok {
		e.Op, e.SQL = "open", ""
	}
	return fmt.Errorf("%w: %s", err, db.path)
}

// mustBeWritable refuses a file that SQLite would open for reading only, without
// a word until the first write. It must not open the file: closing it again
// would drop the locks that another DB of this process may have on it.
func (db *DB) mustBeWritable() error {
	const forWriting = 2 // W_OK
	switch err := syscall.Access(db.path, forWriting); {
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return db.openError(&Error{Code: codeReadOnly, ExtendedCode: codeReadOnly, Op: "open", Message: "can't be written: " + err.Error()})
	}
	return nil // missing files and odd paths are SQLite's to judge
}

func (db *DB) connectReader() (*conn, error) {
	c, err := db.connect(false)
	if err != nil {
		return nil, err
	}
	if err := setUp(c, "PRAGMA query_only = ON"); err != nil {
		c.close()
		return nil, err
	}
	return c, nil
}

// useLog makes sure that the file has a write-ahead log: a file system without
// shared memory answers with another mode.
func useLog(c *conn) error {
	var mode string
	q := Queries{conn: c}
	_, err := q.One("PRAGMA journal_mode = WAL", func(r Row) error {
		mode = r.Text(0)
		return nil
	})
	if err != nil {
		return err
	}
	if mode != "wal" {
		return &Error{Code: codeError, ExtendedCode: codeError, Op: "open", Message: "the file system can't hold a write-ahead log; journal mode is " + mode}
	}
	return nil
}

func setUp(c *conn, statements ...string) error {
	for _, sql := range statements {
		if err := c.run(sql); err != nil {
			return err
		}
	}
	return nil
}

// run runs a statement of this package's own.
func (c *conn) run(sql string) error {
	st, err := c.statement(sql)
	if err != nil {
		return err
	}
	st.busy = true
	defer st.reset()
	for {
		more, err := st.step()
		if err != nil || !more {
			return err
		}
	}
}

// Close refuses new calls with ErrClosed, runs the writes that wait, waits for
// reads to end, copies the log into the database and closes every connection.
// It must not be called from inside Read or Write. A second call returns
// ErrClosed.
func (db *DB) Close() error {
	if db.closed.Swap(true) {
		return ErrClosed
	}
	db.stop()
	db.background.Wait()
	db.writer.drain()
	db.readers.close()
	return db.disconnectAll()
}

// disconnectAll closes the connections, the writer's last: SQLite's final
// checkpoint runs with its settings.
func (db *DB) disconnectAll() error {
	var errs []error
	if db.readers != nil {
		for _, c := range db.readers.all {
			errs = append(errs, c.close())
		}
	}
	if db.foreign != nil {
		errs = append(errs, db.foreign.close())
	}
	if db.checkpointer != nil {
		errs = append(errs, db.checkpointer.conn.close())
	}
	if db.writer != nil {
		errs = append(errs, db.writer.conn.close())
	}
	return errors.Join(errs...)
}
