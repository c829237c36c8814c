package cable

import (
	"fmt"
	"net"
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// What one broadcast of 1 KB costs to deliver over loopback, to clients in the same
// process; their reading is part of every figure, the floor's too.
//
//   - paced: the next broadcast begins when everybody has the one before
//   - burst: 100 broadcasts back to back, then everybody is waited for
//   - prepared: as in production; unprepared: every subscriber's frame is made anew
//   - floor: the same bytes by net.Conn.Write, one socket after the other, in one
//     goroutine, without hub, queue, or anybody who could be slow
func BenchmarkBroadcast(b *testing.B) {
	for _, sockets := range []int{100, 1000} {
		for _, burst := range []int{1, 100} {
			pace := map[int]string{1: "paced", 100: "burst"}[burst]
			for _, way := range []string{"prepared", "unprepared", "floor"} {
				b.Run(fmt.Sprintf("sockets=%d/%s/%s", sockets, pace, way), func(b *testing.B) {
					benchmarkBroadcast(b, sockets, burst, way)
				})
			}
		}
	}
}

func benchmarkBroadcast(b *testing.B, sockets, burst int, way string) {
	h := newHouse(b, func(opt *Options) {
		opt.NoPreparedFrames, opt.PingEvery = way == "unprepared", time.Hour
	})
	everybody := &audience{done: make(chan struct{}, 1)}
	for user := range sockets {
		go everybody.listen(h.join(user, 1))
	}
	message := []byte(quote(strings.Repeat("x", 1024)))
	frame := messageFrame(quote(room1), message)
	broadcast := func() { h.Broadcast("room:1", message) }
	if way == "floor" {
		conns := h.serverConns()
		broadcast = func() {
			for _, conn := range conns {
				if _, err := conn.Write(frame); err != nil {
					b.Fatal(err)
				}
			}
		}
	}
	b.SetBytes(int64(len(frame) * sockets * burst))
	b.ReportAllocs()
	cpu := cpuTime()
	var calling time.Duration
	for b.Loop() {
		everybody.expect(len(frame) * sockets * burst)
		began := time.Now()
		for range burst {
			broadcast()
		}
		calling += time.Since(began)
		<-everybody.done
	}
	deliveries := float64(b.N * sockets * burst)
	b.ReportMetric(deliveries/b.Elapsed().Seconds(), "deliveries/s")
	b.ReportMetric(float64(calling.Nanoseconds())/deliveries, "call-ns/delivery")
	b.ReportMetric(float64((cpuTime()-cpu).Nanoseconds())/deliveries, "cpu-ns/delivery")
	if dropped := h.Stats().Dropped; dropped != 0 {
		b.Fatalf("%d sockets were dropped", dropped)
	}
}

// audience counts what all clients together have read.
type audience struct {
	read, target atomic.Int64
	done         chan struct{}
}

func (a *audience) expect(more int) { a.target.Add(int64(more)) }

func (a *audience) listen(c *client) {
	c.conn.SetReadDeadline(time.Time{})
	buffer := make([]byte, 64<<10)
	for {
		n, err := c.in.Read(buffer)
		if a.read.Add(int64(n)) == a.target.Load() && n > 0 {
			a.done <- struct{}{}
		}
		if err != nil {
			return
		}
	}
}

func (h *house) serverConns() []net.Conn {
	h.roster.mu.Lock()
	defer h.roster.mu.Unlock()
	var conns []net.Conn
	for c := range h.roster.all {
		conns = append(conns, c.net)
	}
	return conns
}

func cpuTime() time.Duration {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// BenchmarkIdleSocket is what a socket with six subscriptions costs in memory while
// nothing happens, the kernel's part not counted, the Go client's connection counted.
func BenchmarkIdleSocket(b *testing.B) {
	const sockets = 2000
	for b.Loop() {
		h := newHouse(b, func(opt *Options) { opt.PingEvery = time.Hour })
		before := memoryInUse()
		for user := range sockets {
			c := h.join(user, 1)
			for room := range 5 {
				c.subscribe(roomParams(user*10 + room + 10))
			}
		}
		b.ReportMetric(float64(memoryInUse()-before)/sockets, "B/socket")
		h.close()
	}
}

func memoryInUse() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}

func BenchmarkMessageFrame(b *testing.B) {
	for _, size := range []int{100, 1 << 10, 16 << 10} {
		b.Run(fmt.Sprintf("bytes=%d", size), func(b *testing.B) {
			message, token := []byte(quote(strings.Repeat("x", size))), quote(room1)
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				messageFrame(token, message)
			}
		})
	}
}

func BenchmarkDecodeCommand(b *testing.B) {
	frame := []byte(messageFor(room1, `{"action":"refresh"}`))
	b.SetBytes(int64(len(frame)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := decodeCommand(frame); err != nil {
			b.Fatal(err)
		}
	}
}
