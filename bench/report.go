package bench

import (
	"fmt"
	"io"
	"runtime"
	"strings"
	"time"

	"hearth/bench/measure"
)

// report writes everything that was measured as Markdown.
func (r *run) report(out io.Writer) error {
	var b strings.Builder
	r.head(&b)
	for _, m := range []mode{on, postsHere, postsElsewhere, off, floor} {
		r.modeTable(&b, m)
	}
	r.cableTable(&b)
	r.processTable(&b)
	_, err := io.WriteString(out, b.String())
	return err
}

func (r *run) head(b *strings.Builder) {
	h := r.site.history
	fmt.Fprintf(b, "Command: `%s`  \n", r.Command)
	fmt.Fprintf(b, "Commit: %s  \n", r.Commit)
	fmt.Fprintf(b, "Server: `%s`  \n", strings.ReplaceAll(r.startLine, r.folder, "…"))
	fmt.Fprintf(b, "Machine: %s; %s; %s; %s  \n", machineOf(r.folder), runtime.Version(), r.cores.why, &r.others)
	fmt.Fprintf(b, "Database: %d messages in the busy room, %d in all %d rooms, %d people, seed %d; made in %.1f s  \n",
		h.Messages, h.total, len(h.rooms), len(h.people), h.Seed, r.seeding.Seconds())
	fmt.Fprintf(b, "Date: %s; %d interleaved repetitions, %.2g s measured in each cell; medians, with the range of requests/s\n\n",
		r.began.UTC().Format("2006-01-02 15:04 UTC"), r.Repetitions, r.PerCell.Seconds())
	fmt.Fprintf(b, "Every answer's content was checked; %d posts were acknowledged, and each was found in the database.\n",
		len(r.site.ledger.posts))
	room := r.recorded["room page"]
	fmt.Fprintf(b, "The room page has %d messages in %.0f KB, sent as %.0f KB.\n", pageSize, float64(room.Unpacked)/1024, float64(len(room.Body))/1024)
	if r.Quick {
		b.WriteString("\n**A smoke run: these figures mean nothing.**\n")
	}
}

var modeTitles = map[mode]string{
	on:             "All mechanisms on",
	postsHere:      "All on, while somebody posts 10 times a second in that room",
	postsElsewhere: "All on, while somebody posts 10 times a second in another room",
	off:            "All mechanisms off",
	floor:          "The floor: the same bytes from a bare net/http handler",
}

func (r *run) modeTable(b *strings.Builder, m mode) {
	rows := r.rows(m)
	if len(rows) == 0 {
		return
	}
	fmt.Fprintf(b, "\n### %s\n\n", modeTitles[m])
	if m == off {
		fmt.Fprintf(b, "`--bench-off %s`\n\n", strings.Join(r.Mechanisms, ","))
	}
	b.WriteString("| question | clients | requests/s (range) | p50 ms | p99 ms | server CPU µs/request | of the floor's requests/s | times the floor's CPU | load busy | KB sent |\n")
	b.WriteString("| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |\n")
	for _, c := range rows {
		r.row(b, c)
	}
}

func (r *run) rows(m mode) []cell {
	var rows []cell
	for _, q := range questions() {
		for _, clients := range r.Clients {
			if c := (cell{m, q.name, clients}); len(r.results.cells[c]) > 0 {
				rows = append(rows, c)
			}
		}
	}
	return rows
}

func (r *run) row(b *strings.Builder, c cell) {
	samples := r.results.cells[c]
	perSecond := measure.MedianOf(samples, func(s sample) float64 { return s.perSecond })
	low, high := measure.RangeOf(samples, func(s sample) float64 { return s.perSecond })
	cpu := measure.MedianOf(samples, cpuMicros)
	share, times := "–", "–"
	if under := r.results.cells[cell{floor, c.question, c.clients}]; c.mode != floor && len(under) > 0 {
		share = fmt.Sprintf("%.0f %%", 100*perSecond/measure.MedianOf(under, func(s sample) float64 { return s.perSecond }))
		times = measure.Ratio(cpu, measure.MedianOf(under, cpuMicros))
	}
	fmt.Fprintf(b, "| %s | %d | %s (%s–%s) | %.2f | %.2f | %s | %s | %s | %s | %.1f |\n",
		c.question, c.clients, measure.Thousands(perSecond), measure.Thousands(low), measure.Thousands(high),
		measure.MedianOf(samples, func(s sample) float64 { return measure.Milliseconds(s.p50) }),
		measure.MedianOf(samples, func(s sample) float64 { return measure.Milliseconds(s.p99) }),
		measure.OrDash(cpu, "%.0f"), share, times,
		busyness(measure.MedianOf(samples, func(s sample) float64 { return s.busy })),
		measure.MedianOf(samples, func(s sample) float64 { return float64(s.size) / 1024 }))
}

func cpuMicros(s sample) float64 { return float64(s.cpu) / float64(time.Microsecond) }

func (r *run) cableTable(b *strings.Builder) {
	b.WriteString("\n### Cable: posts until every client has them\n\n")
	b.WriteString("| mechanisms | clients | posts at a time | messages that reach all /s | deliveries/s | p50 ms | p99 ms | server CPU µs/delivery | load busy |\n")
	b.WriteString("| --- | --: | --: | --: | --: | --: | --: | --: | --: |\n")
	for _, m := range []mode{on, off} {
		for _, sockets := range r.Sockets {
			for _, posters := range cablePosters {
				if samples := r.results.cable[cableCell{m, sockets, posters}]; len(samples) > 0 {
					cableRow(b, cableCell{m, sockets, posters}, samples)
				}
			}
		}
	}
}

func cableRow(b *strings.Builder, c cableCell, samples []cableSample) {
	of := func(figure func(cableSample) float64) float64 { return measure.MedianOf(samples, figure) }
	fmt.Fprintf(b, "| %s | %d | %d | %.0f | %s | %.2f | %.2f | %s | %s |\n",
		c.mode, c.sockets, c.posters,
		of(func(s cableSample) float64 { return s.perSecond }),
		measure.Thousands(of(func(s cableSample) float64 { return s.deliveries })),
		of(func(s cableSample) float64 { return measure.Milliseconds(s.p50) }),
		of(func(s cableSample) float64 { return measure.Milliseconds(s.p99) }),
		measure.OrDash(of(func(s cableSample) float64 { return float64(s.cpu) / float64(time.Microsecond) }), "%.1f"),
		busyness(of(func(s cableSample) float64 { return s.busy })))
}

func (r *run) processTable(b *strings.Builder) {
	b.WriteString("\n### The process\n\n| mechanisms | cold start ms | memory idle MB | memory peak MB |\n| --- | --: | --: | --: |\n")
	for _, m := range []mode{on, off} {
		samples := r.results.processes[m == off]
		if len(samples) == 0 {
			continue
		}
		fmt.Fprintf(b, "| %s | %.0f | %s | %s |\n", m,
			measure.MedianOf(samples, func(s processSample) float64 { return measure.Milliseconds(s.coldStart) }),
			measure.OrDash(measure.MedianOf(samples, func(s processSample) float64 { return measure.Megabytes(s.idle) }), "%.0f"),
			measure.OrDash(measure.MedianOf(samples, func(s processSample) float64 { return measure.Megabytes(s.peak) }), "%.0f"))
	}
	b.WriteString("\nCold start: from exec to the first 200 of /up, on this database. Idle: right after it. Peak: the most of the whole repetition, cable included.\n")
}

// machineOf describes where a result comes from; in memory a sync costs nothing.
func machineOf(folder string) string {
	if system := measure.FileSystem(folder); system != "" {
		return measure.Machine() + ", database on " + system
	}
	return measure.Machine()
}

// busyness says how busy the load was, and when it is the load that limits.
func busyness(share float64) string {
	if share >= 0.9 {
		return fmt.Sprintf("%.0f %%: limits", 100*share)
	}
	return fmt.Sprintf("%.0f %%", 100*share)
}
