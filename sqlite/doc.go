// Package sqlite keeps one SQLite database file for one process: reads are
// snapshots, writes are served first come, first served, and an acknowledged
// write survives the loss of power.
//
//	db, err := sqlite.Open(ctx, "chat.db", sqlite.Options{})
//	if err != nil {
//		return err
//	}
//	defer db.Close()
//	err = db.Write(ctx, func(tx *sqlite.Tx) error {
//		return tx.Exec("INSERT INTO messages (room, body) VALUES (?, ?)", 7, "hello")
//	})
//	err = db.Read(ctx, func(s *sqlite.Snapshot) error {
//		return s.Query("SELECT body FROM messages WHERE room = ?", print, 7)
//	})
//
// Reads share a fixed set of connections, each lent for one snapshot around all
// the questions of a request. Writes run one after the other on one connection,
// in one goroutine that owns it; those that wait together share a transaction,
// so that the disk is asked to sync once for all of them. The log is copied
// into the database in the background, not by the request that happens to pass
// a limit. ForeignCommits tells when another process has written.
//
// Statements are prepared once for each connection and kept by their text, so
// keep values out of the text and pass them as arguments. Text between double
// quotes is a name, never a value.
package sqlite
