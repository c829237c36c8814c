package sqlite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// A child that posts with many writers and reports on a file descriptor what it
// begins and what was acknowledged, each with one write of one record, so that
// the order of reports is the order of events.

type record struct {
	kind byte // 'b' begun, 'a' acknowledged
	id   int64
}

const recordLen = 9

func (r record) send(w io.Writer) error {
	b := append(make([]byte, 0, recordLen), r.kind)
	_, err := w.Write(binary.LittleEndian.AppendUint64(b, uint64(r.id)))
	return err
}

func parseRecord(b []byte) record {
	return record{b[0], int64(binary.LittleEndian.Uint64(b[1:]))}
}

// receive calls each for every record until the sender's end is closed.
func receive(r io.Reader, each func(record)) error {
	var b [recordLen]byte
	for {
		switch _, err := io.ReadFull(r, b[:]); {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		each(parseRecord(b[:]))
	}
}

func init() { children["post"] = postChild }

// postChild posts from id HEARTH_SQLITE_FROM on with HEARTH_SQLITE_WRITERS
// writers, HEARTH_SQLITE_POSTS times (0: until it is killed), and ends without
// closing the database. Checkpoints and restarts are frequent.
func postChild() error {
	number := func(name string) int64 {
		n, err := strconv.ParseInt(os.Getenv("HEARTH_SQLITE_"+name), 10, 64)
		if err != nil {
			panic(err)
		}
		return n
	}
	posts, from := number("POSTS"), number("FROM")
	db, err := Open(context.Background(), os.Getenv("HEARTH_SQLITE_PATH"), Options{
		Synchronous:     Synchronous(number("SYNCHRONOUS")),
		checkpointEvery: 15 * time.Millisecond,
		restartBytes:    256 << 10,
	})
	if err != nil {
		return err
	}
	reports := os.NewFile(3, "reports")
	var taken atomic.Int64
	var failed atomic.Pointer[error]
	var wg sync.WaitGroup
	for range number("WRITERS") {
		wg.Go(func() {
			for {
				n := taken.Add(1)
				if posts > 0 && n > posts || failed.Load() != nil {
					return
				}
				err := postAndReport(db, from+n, reports)
				if err != nil {
					failed.Store(&err)
				}
			}
		})
	}
	wg.Wait()
	if err := failed.Load(); err != nil {
		return *err
	}
	return nil
}

func postAndReport(db *DB, id int64, reports io.Writer) error {
	if err := (record{'b', id}).send(reports); err != nil {
		return err
	}
	if err := db.Write(context.Background(), func(tx *Tx) error { return post(tx, id) }); err != nil {
		return err
	}
	return record{'a', id}.send(reports)
}

// postEnv is the environment of a postChild.
func postEnv(path string, mode Synchronous, writers, posts int, from int64) []string {
	return []string{
		"HEARTH_SQLITE_PATH=" + path,
		fmt.Sprintf("HEARTH_SQLITE_SYNCHRONOUS=%d", mode),
		fmt.Sprintf("HEARTH_SQLITE_WRITERS=%d", writers),
		fmt.Sprintf("HEARTH_SQLITE_POSTS=%d", posts),
		fmt.Sprintf("HEARTH_SQLITE_FROM=%d", from),
	}
}
