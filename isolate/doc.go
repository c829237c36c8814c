// Package isolate runs heavy work on a fixed number of workers that share
// nothing: each has a state of its own, made by a function and touched by one
// goroutine, and all take questions from one queue in the order they came.
//
//	build := func(ctx context.Context) (*Calendar, error) { return LoadCalendar(ctx) }
//	answer := func(ctx context.Context, c *Calendar, day Day) (Feasts, error) { return c.Feasts(day) }
//	pool, err := isolate.Open(ctx, build, answer, isolate.Options{Workers: 2})
//	if err != nil {
//		return err
//	}
//	defer pool.Close(ctx)
//	feasts, err := pool.Ask(ctx, Day{2026, time.December, 24})
//
// A handler that panics, or ends its goroutine, costs its caller one
// [*CrashError] and the worker its state, which is built anew; the other workers
// don't notice. Too many of these in a short time open a breaker, and Ask says
// why at once instead of trying on ([*BreakerError]). A handler that overruns
// [Options.Deadline] is reported ([*OverrunError]) and its place given to
// another. A full queue lets callers wait or sends them away, as
// [Options.Overload] says.
//
// What a worker holds must not be reachable from elsewhere: let questions and
// answers be values, or things that nobody changes any more. The compiler can't
// check that; package sharecheck does.
//
// An isolate is a goroutine: what ends the whole process ends it too. That is a
// panic in a goroutine that a handler started, concurrent map writes, a stack
// that overflows, no memory. Nor can a handler be stopped from outside: one that
// never returns keeps its goroutine, and its memory. For work that may do such
// things use package isolate/process, which keeps the same promises with child
// processes.
package isolate
