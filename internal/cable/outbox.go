package cable

import "sync"

// outbox is what a socket has yet to send: bounded, filled by anybody, emptied by
// the socket's writer alone. Frames are shared and must not be changed.
type outbox struct {
	maxFrames, maxBytes int // set once

	wake chan struct{} // holds one token when the writer has something to look at

	mu        sync.Mutex // guards the fields below; held for a few instructions only
	frames    [][]byte
	bytes     int      // in frames
	held      [][]byte // for the one subscription that is being decided
	heldBytes int
	state     outboxState
}

type outboxState int

const (
	outboxOpen     outboxState = iota
	outboxSealed               // the last frames are in; no others follow
	outboxOverrun              // the client was too slow; nothing is sent any more
	outboxFinished             // the writer has gone
)

// pushed is what became of a frame.
type pushed int

const (
	queued  pushed = iota
	refused        // the socket is closing: there is nobody to send to
	overran        // this frame found the outbox full; the caller must drop the socket
)

// push adds a frame, or says why not. One frame larger than maxBytes is let in when
// the outbox is empty, so that no message is too large to be delivered at all.
func (o *outbox) push(frame []byte) pushed {
	o.mu.Lock()
	result := o.pushLocked(frame)
	o.mu.Unlock()
	return result
}

// pushTo adds a message for s, or holds it back while s is not confirmed yet.
func (o *outbox) pushTo(s *Subscription, frame []byte) pushed {
	o.mu.Lock()
	defer o.mu.Unlock()
	if s.confirmed || o.state != outboxOpen {
		return o.pushLocked(frame)
	}
	if o.full(frame) {
		o.overrun()
		return overran
	}
	o.held, o.heldBytes = append(o.held, frame), o.heldBytes+len(frame)
	return queued
}

// confirm sends the confirmation of s and then what was broadcast to it meanwhile.
func (o *outbox) confirm(s *Subscription, confirmation []byte) pushed {
	o.mu.Lock()
	defer o.mu.Unlock()
	s.confirmed = true
	result := o.pushLocked(confirmation)
	if result == queued {
		o.frames, o.bytes = append(o.frames, o.held...), o.bytes+o.heldBytes
	}
	o.held, o.heldBytes = nil, 0
	return result
}

// forget lets go of what was held for a subscription that is not going to be confirmed.
func (o *outbox) forget() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held, o.heldBytes = nil, 0
}

func (o *outbox) pushLocked(frame []byte) pushed {
	if o.state != outboxOpen {
		return refused
	}
	if o.full(frame) {
		o.overrun()
		return overran
	}
	o.frames = append(o.frames, frame)
	o.bytes += len(frame)
	o.wakeWriter()
	return queued
}

func (o *outbox) full(frame []byte) bool {
	waiting := o.bytes + o.heldBytes
	return len(o.frames)+len(o.held) >= o.maxFrames || (waiting > 0 && waiting+len(frame) > o.maxBytes)
}

func (o *outbox) overrun() {
	o.discard()
	o.state = outboxOverrun
	o.wakeWriter()
}

// seal adds the last frames, whatever the bound, and refuses all that follow. It
// reports whether this call sealed it.
func (o *outbox) seal(last ...[]byte) bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.state != outboxOpen {
		return false
	}
	o.frames, o.state = append(o.frames, last...), outboxSealed
	o.wakeWriter()
	return true
}

// take hands everything to the writer, which gives back the emptied slice it got
// the time before. When more is false, this was the last.
func (o *outbox) take(emptied [][]byte) (frames [][]byte, more bool) {
	o.mu.Lock()
	defer o.mu.Unlock()
	frames, o.frames, o.bytes = o.frames, emptied[:0], 0
	if o.state != outboxOpen {
		o.frames = nil
	}
	return frames, o.state == outboxOpen
}

// finish is called by the writer when it can't send any more.
func (o *outbox) finish() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.discard()
	if o.state != outboxOverrun {
		o.state = outboxFinished
	}
}

func (o *outbox) discard() {
	o.frames, o.bytes, o.held, o.heldBytes = nil, 0, nil, 0
}

func (o *outbox) open() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state == outboxOpen
}

func (o *outbox) overrunning() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state == outboxOverrun
}

func (o *outbox) wakeWriter() {
	select {
	case o.wake <- struct{}{}:
	default: // it has been woken already
	}
}

// failed reports whether something that was to be sent will never be.
func (o *outbox) failed() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.state == outboxOverrun || o.state == outboxFinished
}
