package view_test

import (
	"bytes"
	"fmt"
	"syscall"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/view"
)

// talk is a page of forty messages like those of a working day: lines, some
// lists, a quote, a mention, a boost here and there, one file.
func talk() []*chat.Message {
	bodies := []string{
		"<p>The tide clock is on the pier and it runs. It’s <em>almost</em> right.</p>",
		"<div>Two cakes.<br>Jonas is coming &amp; he brings the <strong>smith</strong>.</div>",
		"<p>Eleven minutes at low water. I think we treat the curve as a straight line.</p><p>Should be a cosine.</p>",
		"<blockquote>Two cakes. Jonas is coming.</blockquote><p>I feel seen.</p>",
		"<ul><li>panel one</li><li>panel two</li><li>the door</li></ul>",
		"<p>早上好, the translations are ready for review, all nine of them.</p>",
		`<p>see <a href="https://tides.example/harbours/north-sea">the constants</a></p>`,
	}
	authors := []chat.Author{ines, dana, olu, robot}
	messages := make([]*chat.Message, 40)
	for i := range messages {
		m := text()
		m.ID, m.ClientID, m.Author, m.Body = chat.MessageID(1000+i), fmt.Sprintf("%012x", i*7919), authors[i%len(authors)], bodies[i%len(bodies)]
		if i%8 == 0 {
			m.Boosts = []chat.Boost{{ID: chat.BoostID(i), MessageID: m.ID, Booster: olu, Content: "👏"}}
		}
		messages[i] = m
	}
	messages[20].HasBody, messages[20].Attachment = false, file().Attachment
	return messages
}

// reportCPU adds the processor time that one operation took to a benchmark's
// figures: unlike the time on the clock it doesn't grow with what else the
// machine does.
func reportCPU(b *testing.B) func() {
	cpu := func() time.Duration {
		var u syscall.Rusage
		if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
			b.Fatal(err)
		}
		return time.Duration(u.Utime.Nano() + u.Stime.Nano())
	}
	before := cpu()
	return func() { b.ReportMetric(float64(cpu()-before)/float64(b.N), "cpu-ns/op") }
}

// BenchmarkMessages renders a page's forty messages into a slice that is large
// enough, as a server does that keeps its buffers. The floor is a copy of the
// same bytes.
func BenchmarkMessages(b *testing.B) {
	messages := talk()
	html := site.AppendMessages(nil, messages, cast)
	dst := make([]byte, 0, 2*len(html))
	b.Run("render", func(b *testing.B) {
		b.SetBytes(int64(len(html)))
		b.ReportAllocs()
		defer reportCPU(b)()
		for b.Loop() {
			dst = site.AppendMessages(dst[:0], messages, cast)
		}
	})
	b.Run("floor", func(b *testing.B) {
		b.SetBytes(int64(len(html)))
		b.ReportAllocs()
		defer reportCPU(b)()
		for b.Loop() {
			dst = append(dst[:0], html...)
		}
	})
}

// BenchmarkRoomPage renders a whole page, layout and forty messages, without
// the query before it and the compression after it.
func BenchmarkRoomPage(b *testing.B) {
	l, d := layout(), roomShown(talk()...)
	for name, d := range map[string]*view.RoomShown{"messages=0": roomShown(), "messages=40": d} {
		b.Run(name, func(b *testing.B) {
			var w bytes.Buffer
			if err := site.RoomPage(&w, l, d); err != nil {
				b.Fatal(err)
			}
			b.SetBytes(int64(w.Len()))
			b.ReportAllocs()
			defer reportCPU(b)()
			for b.Loop() {
				w.Reset()
				if err := site.RoomPage(&w, l, d); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkSidebar renders the frame for twelve pings and thirty rooms.
func BenchmarkSidebar(b *testing.B) {
	d := &chat.Sidebar{}
	for i := range 30 {
		r := *harbour
		r.ID = chat.RoomID(i)
		d.Shared = append(d.Shared, chat.SidebarRoom{Room: r, Unread: i%5 == 0})
	}
	for i := range 12 {
		r := *ping
		r.ID = chat.RoomID(100 + i)
		d.Directs = append(d.Directs, chat.SidebarDirect{Room: r, Members: []chat.Author{dana}})
	}
	l := layout()
	l.Frame = "user_sidebar"
	var w bytes.Buffer
	b.ReportAllocs()
	defer reportCPU(b)()
	for b.Loop() {
		w.Reset()
		if err := site.SidebarPage(&w, l, d); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(int64(w.Len()))
}

func TestFragmentsAllocateNothing(t *testing.T) {
	m := boosted()
	m.Body = "<p>The tide clock runs.</p>"
	row := &chat.SidebarRoom{Room: *harbour}
	direct := &chat.SidebarDirect{Room: *ping, Members: []chat.Author{dana, olu}}
	dst := make([]byte, 0, 1<<16)
	for name, render := range map[string]func(){
		"message":      func() { dst = site.AppendMessage(dst[:0], m, cast) },
		"file":         func() { dst = site.AppendMessage(dst[:0], withFile, cast) },
		"presentation": func() { dst = site.AppendPresentation(dst[:0], m, cast) },
		"boost":        func() { dst = site.AppendBoost(dst[:0], &m.Boosts[0]) },
		"room row":     func() { dst = site.AppendSidebarRoom(dst[:0], row) },
		"direct row":   func() { dst = site.AppendSidebarDirect(dst[:0], direct) },
		"frame":        func() { dst = site.AppendMessagePosted(dst[:0], m, cast) },
	} {
		if n := testing.AllocsPerRun(100, render); n != 0 {
			t.Errorf("%s: %v allocations, want none", name, n)
		}
	}
}

var withFile = file()
