// Package bench measures the whole system from a user's call to its return, and
// refuses to report figures of wrong answers.
//
//	err := bench.Chat(ctx, bench.Options{Messages: 1000}, os.Stdout)
//
// Chat makes a database, runs the server on it as a process of its own, and is
// itself the load: browsers that keep one connection each and ask one question
// at a time. Where there is more than one core, server and load don't share any.
//
// What makes the figures fair:
//
//   - Every answer is unpacked and compared with what the maker of the database
//     knows must be in it: which messages, in which order, with which text. An
//     answer with the right status and the wrong content ends the run.
//   - Every post that was acknowledged is looked for in the database after the
//     server has ended: message, rich text and search index, once each.
//   - Latency runs from the first byte written to the last byte read. Checking
//     comes after it, and costs the load, not the server, its time. How busy the
//     load was stands in every row: near 100 % it is the load that limits.
//   - CPU per request is the server process's own, as the kernel counts it.
//   - The floor is a bare net/http handler in the same binary that writes the
//     same bytes from memory: what is left when a server has nothing to do.
//   - Repetitions are interleaved, so that a machine that slows down slows all;
//     every figure is the median of the repetitions.
package bench
