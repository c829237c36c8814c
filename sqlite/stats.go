package sqlite

import "sync/atomic"

// Stats counts what happened since Open.
type Stats struct {
	Version          string // of SQLite
	Synchronous      Synchronous
	Reads            uint64 // snapshots lent
	Writes           uint64 // Write calls that committed
	Commits          uint64 // transactions that carried them
	Failed           uint64 // Write calls that began, or waited for another process, and returned an error
	Redone           uint64 // calls that ran again because one of their group failed
	Refused          uint64 // Write calls that found the queue full
	LargestGroup     int
	Waiting          int    // Write calls in the queue now
	Checkpoints      uint64 // passive ones
	Restarts         uint64 // of the log, with the writer's turn
	CheckpointErrors uint64
	LogBytes         int64 // length of the log at the latest checkpoint
	ForeignCommits   uint64
}

// counts are kept by whoever does the work.
type counts struct {
	reads, writes, commits, failed, redone, refused atomic.Uint64
	checkpoints, restarts, checkpointErrors         atomic.Uint64
	logBytes                                        atomic.Int64
	largestGroup                                    atomic.Int64
}

// largest is called by the writer only.
func (c *counts) largest(group int) {
	if n := int64(group); n > c.largestGroup.Load() {
		c.largestGroup.Store(n)
	}
}

// Stats returns the counts as they are now. They are read one by one, so they
// may disagree by a call that is just being answered.
func (db *DB) Stats() Stats {
	c := &db.counts
	waiting, _ := db.writer.queue.waiting()
	return Stats{
		Version:          sqliteVersion,
		Synchronous:      db.options.Synchronous,
		Reads:            c.reads.Load(),
		Writes:           c.writes.Load(),
		Commits:          c.commits.Load(),
		Failed:           c.failed.Load(),
		Redone:           c.redone.Load(),
		Refused:          c.refused.Load(),
		LargestGroup:     int(c.largestGroup.Load()),
		Waiting:          waiting,
		Checkpoints:      c.checkpoints.Load(),
		Restarts:         c.restarts.Load(),
		CheckpointErrors: c.checkpointErrors.Load(),
		LogBytes:         c.logBytes.Load(),
		ForeignCommits:   db.foreign.commits.Load(),
	}
}
