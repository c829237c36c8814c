package main

import (
	"net/http"
	"sync/atomic"
)

// requestCounter counts answers by the first digit of their status.
type requestCounter struct {
	next    http.Handler
	classes [6]atomic.Uint64
}

func (c *requestCounter) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/cable" { // answered once, then a socket that is counted as one
		c.classes[1].Add(1)
		c.next.ServeHTTP(w, r)
		return
	}
	watched := &statusWatcher{ResponseWriter: w, status: http.StatusOK}
	c.next.ServeHTTP(watched, r)
	if class := watched.status / 100; class >= 1 && class <= 5 {
		c.classes[class].Add(1)
	}
}

// statusWatcher remembers the status that goes through it.
type statusWatcher struct {
	http.ResponseWriter
	status int
}

func (w *statusWatcher) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *statusWatcher) Unwrap() http.ResponseWriter { return w.ResponseWriter }
