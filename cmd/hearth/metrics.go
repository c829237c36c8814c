package main

import (
	"bytes"
	"fmt"
	"net/http"
	"net/http/pprof"
	"runtime"

	"hearth/internal/cable"
	"hearth/sqlite"
)

// metrics answers Prometheus' text format (version 0.0.4) at /metrics, and
// pprof below /debug/pprof/ when profiling is on.
func metrics(db *sqlite.DB, hub *cable.Hub, answered *requestCounter, profiling bool) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
		var page bytes.Buffer
		writeRequests(&page, answered)
		writeDatabase(&page, db.Stats())
		writeCable(&page, hub.Stats())
		writeRuntime(&page)
		w.Write(page.Bytes())
	})
	if profiling {
		mux.HandleFunc("/debug/pprof/", pprof.Index)
		mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
		mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
		mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	}
	return mux
}

func writeMetric[N int | int64 | uint64](page *bytes.Buffer, kind, name, help string, value N) {
	fmt.Fprintf(page, "# HELP hearth_%s %s\n# TYPE hearth_%s %s\nhearth_%s %d\n", name, help, name, kind, name, value)
}

func writeRequests(page *bytes.Buffer, answered *requestCounter) {
	fmt.Fprint(page, "# HELP hearth_requests_total Requests answered, by the first digit of their status.\n# TYPE hearth_requests_total counter\n")
	for class := 1; class <= 5; class++ {
		fmt.Fprintf(page, "hearth_requests_total{status=\"%dxx\"} %d\n", class, answered.classes[class].Load())
	}
}

func writeDatabase(page *bytes.Buffer, s sqlite.Stats) {
	writeMetric(page, "counter", "snapshots_total", "Read snapshots lent.", s.Reads)
	writeMetric(page, "counter", "writes_total", "Writes committed.", s.Writes)
	writeMetric(page, "counter", "commits_total", "Transactions that carried them.", s.Commits)
	writeMetric(page, "counter", "writes_failed_total", "Writes that ended in an error.", s.Failed)
	writeMetric(page, "counter", "writes_refused_total", "Writes that found the queue full.", s.Refused)
	writeMetric(page, "gauge", "writes_waiting", "Writes in the queue now.", s.Waiting)
	writeMetric(page, "counter", "checkpoints_total", "Passive checkpoints.", s.Checkpoints)
	writeMetric(page, "counter", "log_restarts_total", "Restarts of the write-ahead log.", s.Restarts)
	writeMetric(page, "gauge", "log_bytes", "Length of the write-ahead log at the latest checkpoint.", s.LogBytes)
	writeMetric(page, "counter", "foreign_commits_total", "Commits of other processes noticed.", s.ForeignCommits)
}

func writeCable(page *bytes.Buffer, s cable.Stats) {
	writeMetric(page, "gauge", "sockets", "Open sockets.", s.Connections)
	writeMetric(page, "gauge", "subscriptions", "Confirmed subscriptions.", s.Subscriptions)
	writeMetric(page, "counter", "broadcasts_total", "Messages broadcast.", s.Broadcasts)
	writeMetric(page, "counter", "deliveries_total", "Frames put into outboxes by broadcasts.", s.Deliveries)
	writeMetric(page, "counter", "sockets_dropped_total", "Sockets closed because their client was too slow.", s.Dropped)
}

func writeRuntime(page *bytes.Buffer) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	writeMetric(page, "gauge", "goroutines", "Goroutines.", runtime.NumGoroutine())
	writeMetric(page, "gauge", "heap_bytes", "Bytes of live and not yet collected objects.", memory.HeapAlloc)
	writeMetric(page, "counter", "allocated_bytes_total", "Bytes allocated since the start.", memory.TotalAlloc)
	writeMetric(page, "counter", "collections_total", "Runs of the garbage collector.", uint64(memory.NumGC))
}
