package sqlite

import (
	"errors"
	"fmt"
)

// Queries asks questions inside one transaction. Snapshot and Tx both have
// one, so a function that takes *Queries serves reads and writes. It belongs
// to the goroutine that runs the function it was given to, and ends with it.
type Queries struct {
	conn  *conn
	whole bool  // around it is one transaction, which must still be open
	wrote bool  // something that may change the database was run
	ended bool  // the function has returned
	dead  error // what ended the transaction early
	uses  int   // bumped by every call, so that the race detector sees misuse
}

// Snapshot is the database as it was at the first question asked of it.
type Snapshot struct{ *Queries }

// Tx is a turn at writing.
type Tx struct{ *Queries }

// Query runs sql and calls each for every row. An error of each stops the rows
// and is returned as it is, except ErrStop, which stops them without an error.
// A Row is good until each returns. Inside each, other statements may run.
//
// Arguments are nil, bool (0 or 1), integers, floats, string, []byte (nil is
// NULL) and types based on these; the first is ?1. There must be as many as
// the statement has parameters.
func (q *Queries) Query(sql string, each func(Row) error, args ...any) error {
	st, err := q.start(sql, args)
	if err != nil {
		return err
	}
	defer st.reset()
	for {
		more, err := st.step()
		if err != nil {
			return q.check(err)
		}
		if !more {
			return nil
		}
		if err := each(Row{st, st.row}); err != nil {
			if errors.Is(err, ErrStop) {
				return nil
			}
			return err
		}
	}
}

// One is Query for at most one row: scan is called with the first, and found
// says whether there was one.
func (q *Queries) One(sql string, scan func(Row) error, args ...any) (found bool, err error) {
	st, err := q.start(sql, args)
	if err != nil {
		return false, err
	}
	defer st.reset()
	more, err := st.step()
	if err != nil {
		return false, q.check(err)
	}
	if !more {
		return false, nil
	}
	if err := scan(Row{st, st.row}); err != nil {
		if errors.Is(err, ErrStop) {
			return true, nil
		}
		return true, err
	}
	if st.reads {
		return true, nil
	}
	return true, q.finish(st)
}

// Exec runs sql to its end; rows it returns are dropped. What it changed counts
// only when the whole Write returns nil.
func (tx *Tx) Exec(sql string, args ...any) error {
	st, err := tx.start(sql, args)
	if err != nil {
		return err
	}
	defer st.reset()
	return tx.finish(st)
}

// LastInsertID returns the rowid of the latest row that this turn inserted.
func (tx *Tx) LastInsertID() int64 {
	tx.uses++
	if tx.ended {
		return 0
	}
	return tx.conn.lastInsertID()
}

// Changes returns how many rows the latest INSERT, UPDATE or DELETE changed by
// itself; triggers and foreign keys don't count.
func (tx *Tx) Changes() int64 {
	tx.uses++
	if tx.ended {
		return 0
	}
	return tx.conn.changes()
}

// start prepares sql, binds args, and marks the statement as running. The
// caller must reset it.
func (q *Queries) start(sql string, args []any) (*stmt, error) {
	q.uses++
	if q.ended {
		return nil, ErrEnded
	}
	if q.dead != nil {
		return nil, fmt.Errorf("transaction is over: %w", q.dead)
	}
	st, err := q.conn.statement(sql)
	if err != nil {
		return nil, q.check(err)
	}
	st.busy = true
	if st.control {
		st.reset()
		return nil, &Error{Code: codeMisuse, ExtendedCode: codeMisuse, Op: "prepare", Message: "transactions begin and end with Read and Write", SQL: sql}
	}
	if err := st.bind(args); err != nil {
		st.reset()
		return nil, err
	}
	q.wrote = q.wrote || !st.reads
	return st, nil
}

// finish steps st to its end, where an INSERT … RETURNING checks what it did.
func (q *Queries) finish(st *stmt) error {
	for {
		more, err := st.step()
		if err != nil {
			return q.check(err)
		}
		if !more {
			return nil
		}
	}
}

// check notices when err made SQLite end the transaction: what follows would
// otherwise run, and commit, on its own.
func (q *Queries) check(err error) error {
	if q.whole && q.dead == nil && !q.conn.inTransaction() {
		q.dead = err
	}
	return err
}

// end makes later use an error.
func (q *Queries) end() {
	q.uses++
	q.ended = true
}
