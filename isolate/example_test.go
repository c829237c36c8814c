package isolate_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"hearth/isolate"
)

// Each worker has a list of primes of its own, which grows with the questions
// that it gets. Nothing is locked, since nobody else can reach it.
type primes struct{ known []int }

func (p *primes) nth(n int) int {
	for candidate := 2; len(p.known) < n; candidate++ {
		if len(p.known) > 0 && candidate <= p.known[len(p.known)-1] {
			candidate = p.known[len(p.known)-1] + 1
		}
		if p.prime(candidate) {
			p.known = append(p.known, candidate)
		}
	}
	return p.known[n-1]
}

func (p *primes) prime(n int) bool {
	for _, q := range p.known {
		if n%q == 0 {
			return false
		}
	}
	return true
}

func Example() {
	ctx := context.Background()
	build := func(context.Context) (*primes, error) { return &primes{}, nil }
	answer := func(_ context.Context, p *primes, n int) (int, error) { return p.nth(n), nil }

	pool, err := isolate.Open(ctx, build, answer, isolate.Options{Workers: 2})
	if err != nil {
		log.Fatal(err)
	}
	defer pool.Close(ctx)

	for _, n := range []int{1, 10, 100} {
		p, err := pool.Ask(ctx, n)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(n, p)
	}

	_, err = pool.Ask(ctx, -1) // known[-2]
	if crash, ok := errors.AsType[*isolate.CrashError](err); ok {
		fmt.Println(crash.Value)
	}
	// Output:
	// 1 2
	// 10 29
	// 100 541
	// runtime error: index out of range [-2]
}
