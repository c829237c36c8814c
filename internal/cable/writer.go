package cable

import (
	"net"
	"time"
)

// keepFrames is the capacity of the slices that an idle socket keeps for its next burst.
const keepFrames = 32

// drain is the writer of a socket: it sends what is in the outbox, everything that
// has gathered in one system call, until the outbox is sealed or the client fails.
func (c *conn) drain() {
	defer close(c.drained)
	var emptied [][]byte
	for range c.out.wake {
		frames, more := c.out.take(emptied)
		if len(frames) > 0 {
			if err := c.write(frames); err != nil {
				c.out.finish()
				c.net.SetReadDeadline(past) // wake the reader
				return
			}
		}
		if !more {
			return
		}
		clear(frames)
		if emptied = frames; cap(emptied) > keepFrames {
			emptied = nil
		}
	}
}

// write sends the frames with one writev. Over TLS, which has none, they are joined,
// so that they become one record and one system call as well.
func (c *conn) write(frames [][]byte) error {
	c.net.SetWriteDeadline(time.Now().Add(c.hub.opt.WriteTimeout))
	if c.out.overrunning() {
		c.net.SetWriteDeadline(past) // ours has just replaced the one of settle
	}
	if len(frames) == 1 {
		_, err := c.net.Write(frames[0])
		return err
	}
	if _, vectored := c.net.(*net.TCPConn); !vectored {
		_, err := c.net.Write(join(frames))
		return err
	}
	rest := net.Buffers(frames)
	_, err := rest.WriteTo(c.net)
	return err
}

func join(frames [][]byte) []byte {
	size := 0
	for _, frame := range frames {
		size += len(frame)
	}
	joined := make([]byte, 0, size)
	for _, frame := range frames {
		joined = append(joined, frame...)
	}
	return joined
}
