package sqlite

import (
	"context"
	"errors"
	"time"

	zombiezen "zombiezen.com/go/sqlite"
)

// This file is the only one that knows the driver. Another binding of SQLite
// replaces conn, stmt and copyDatabase below; everything else stays.

// sqliteVersion is the version of the SQLite that the driver contains.
const sqliteVersion = zombiezen.Version

// conn is one connection. One goroutine at a time may use it.
type conn struct {
	c     *zombiezen.Conn
	stmts map[string]*stmt // prepared once, by their text
}

// stmt is a prepared statement of one connection.
type stmt struct {
	s       *zombiezen.Stmt
	sql     string
	params  int
	cols    int
	reads   bool   // surely changes nothing
	control bool   // begins or ends a transaction
	busy    bool   // between start and reset
	cached  bool   // lives in conn.stmts; else finalized when it is reset
	row     uint64 // grows with every step and reset, so that a stale Row is noticed
}

// stmtsMax bounds the statements that one connection keeps prepared.
const stmtsMax = 512

// connect opens path, creating the file when create is set. The path is a
// plain file name, never a URI.
func connect(path string, create bool) (*conn, error) {
	flags := zombiezen.OpenReadWrite
	if create {
		flags |= zombiezen.OpenCreate
	}
	c, err := zombiezen.OpenConn(path, flags) // disables double-quoted string literals
	if err != nil {
		return nil, driverError("open", "", err)
	}
	return &conn{c: c, stmts: map[string]*stmt{}}, nil
}

func (c *conn) close() error {
	if err := c.c.Close(); err != nil {
		return driverError("close", "", err)
	}
	return nil
}

// busyTimeout is how long SQLite itself waits for a lock of another connection.
func (c *conn) busyTimeout(d time.Duration) { c.c.SetBusyTimeout(d) }

// inTransaction reports whether a transaction is open. SQLite ends one by
// itself after some errors, a full disk among them.
func (c *conn) inTransaction() bool { return !c.c.AutocommitEnabled() }

func (c *conn) lastInsertID() int64 { return c.c.LastInsertRowID() }
func (c *conn) changes() int64      { return int64(c.c.Changes()) }

// statement returns sql prepared, from the cache unless the cached one is in
// the middle of its rows. The caller must reset it.
func (c *conn) statement(sql string) (*stmt, error) {
	cached := c.stmts[sql]
	if cached != nil && !cached.busy {
		return cached, nil
	}
	return c.prepare(sql, cached == nil)
}

func (c *conn) prepare(sql string, cache bool) (*stmt, error) {
	verb := firstWord(sql)
	if verb == "" {
		return nil, &Error{Code: codeMisuse, ExtendedCode: codeMisuse, Op: "prepare", Message: "empty statement", SQL: sql}
	}
	var s *zombiezen.Stmt
	var err error
	if cache {
		c.evict()
		s, err = c.c.Prepare(sql)
	} else {
		var trailing int
		s, trailing, err = c.c.PrepareTransient(sql)
		if err == nil && trailing != 0 {
			s.Finalize()
			err = errors.New("more than one statement")
		}
	}
	if err != nil {
		return nil, driverError("prepare", sql, err)
	}
	st := &stmt{
		s: s, sql: sql, cached: cache,
		params: s.BindParamCount(), cols: s.ColumnCount(),
		reads:   verb == "SELECT" || verb == "VALUES" || verb == "EXPLAIN",
		control: controlsTransaction(verb),
	}
	if cache {
		c.stmts[sql] = st
	}
	return st, nil
}

// evict makes room for one more cached statement.
func (c *conn) evict() {
	if len(c.stmts) < stmtsMax {
		return
	}
	for sql, st := range c.stmts {
		if !st.busy {
			st.s.Finalize()
			delete(c.stmts, sql)
		}
	}
}

// reset ends the statement's run and gives it back.
func (st *stmt) reset() {
	st.row++
	st.busy = false
	if !st.cached {
		st.s.Finalize()
		return
	}
	st.s.Reset() // repeats the error of the last step, which the caller has
}

// step moves to the next row, and reports whether there is one.
func (st *stmt) step() (bool, error) {
	st.row++
	more, err := st.s.Step()
	if err != nil {
		return false, driverError("run", st.sql, err)
	}
	return more, nil
}

// Parameters count from 1.
func (st *stmt) bindNull(i int)             { st.s.BindNull(i) }
func (st *stmt) bindInt(i int, v int64)     { st.s.BindInt64(i, v) }
func (st *stmt) bindFloat(i int, v float64) { st.s.BindFloat(i, v) }
func (st *stmt) bindText(i int, v string)   { st.s.BindText(i, v) }
func (st *stmt) bindBlob(i int, v []byte)   { st.s.BindBytes(i, v) }

// Columns count from 0.
func (st *stmt) columnNull(i int) bool     { return st.s.ColumnIsNull(i) }
func (st *stmt) columnInt(i int) int64     { return st.s.ColumnInt64(i) }
func (st *stmt) columnFloat(i int) float64 { return st.s.ColumnFloat(i) }
func (st *stmt) columnText(i int) string   { return st.s.ColumnText(i) }
func (st *stmt) columnLen(i int) int       { return st.s.ColumnLen(i) }

// columnBytes copies the column's bytes into buf and returns how many.
func (st *stmt) columnBytes(i int, buf []byte) int { return st.s.ColumnBytes(i, buf) }

// copyDatabase copies all pages that source's open read transaction sees into
// target, a few at a time so that ctx is noticed.
func copyDatabase(ctx context.Context, target, source *conn) error {
	const pagesPerStep = 1024
	b, err := zombiezen.NewBackup(target.c, "main", source.c, "main")
	if err != nil {
		return driverError("backup", "", err)
	}
	defer b.Close()
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		more, err := b.Step(pagesPerStep)
		if err != nil {
			return driverError("backup", "", err)
		}
		if !more {
			return nil
		}
	}
}

// driverError makes an *Error of what the driver returned.
func driverError(op, sql string, err error) error {
	code := int(zombiezen.ErrCode(err))
	for inner := err; inner != nil; inner = errors.Unwrap(inner) {
		err = inner // the innermost has SQLite's own sentence
	}
	return &Error{Code: code & 0xff, ExtendedCode: code, Op: op, Message: err.Error(), SQL: sql}
}
