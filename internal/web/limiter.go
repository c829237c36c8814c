package web

import (
	"sync"
	"time"
)

// limiter counts attempts by key in windows that begin with the first attempt.
// It holds at most size keys: when it is full, windows that have ended go
// first, then whichever began earliest.
type limiter struct {
	limit  int
	window time.Duration
	size   int

	mu      sync.Mutex // guards the fields below
	windows map[string]*attempts
}

type attempts struct {
	began time.Time
	count int
}

func newLimiter(limit int, window time.Duration, size int) *limiter {
	return &limiter{limit: limit, window: window, size: size, windows: map[string]*attempts{}}
}

// allow counts one attempt and reports whether it is within the limit.
func (l *limiter) allow(key string, now time.Time) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	current, known := l.windows[key]
	if !known || now.Sub(current.began) >= l.window {
		if !known && len(l.windows) >= l.size {
			l.makeRoom(now)
		}
		current = &attempts{began: now}
		l.windows[key] = current
	}
	current.count++
	return current.count <= l.limit
}

func (l *limiter) makeRoom(now time.Time) {
	oldest, began := "", now
	for key, one := range l.windows {
		if now.Sub(one.began) >= l.window {
			delete(l.windows, key)
		} else if !one.began.After(began) {
			oldest, began = key, one.began
		}
	}
	if len(l.windows) >= l.size {
		delete(l.windows, oldest)
	}
}
