package cable

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"runtime/debug"
	"time"

	"github.com/gobwas/ws"
)

const (
	// payloadWait is how long a client may take to send a frame that it has begun.
	payloadWait = 10 * time.Second
	// lingerWait is how long a socket that we close stays open for the client to
	// read the last frames: closing with unread input would destroy them on their way.
	lingerWait = 2 * time.Second
	// unsubscribeWait bounds a channel's Unsubscribed, whose socket is gone.
	unsubscribeWait = 10 * time.Second
	// maxComplaints is how many lines one socket may cause in the log.
	maxComplaints = 20
)

// past is a deadline that wakes whoever waits for the network.
var past = time.Unix(1, 0)

// conn is one client's socket. The goroutine in run owns it.
type conn struct {
	hub  *Hub
	net  net.Conn
	src  io.Reader // net, behind what came together with the handshake
	user int64
	slot int // when it is pinged

	out     outbox        // filled by anybody
	drained chan struct{} // closed when the writer has gone

	subscriptions map[string]*Subscription // by identifier; run only
	complaints    int                      // run only
	tokens        float64                  // frames that the client may still send at once; run only
	refilled      time.Time                // when tokens was right; run only
}

// run serves the socket until it ends, and leaves nothing behind.
func (c *conn) run(ctx context.Context) {
	defer c.hub.leave(c)
	ctx, cancel := context.WithCancel(ctx)
	err := c.serve(ctx)
	cancel()
	c.logEnd(err)
	c.out.seal() // nothing more is sent, whoever ended it
	c.unsubscribeAll()
	<-c.drained
	c.hangUp()
}

// serve reads until the client or the hub ends the socket.
func (c *conn) serve(ctx context.Context) error {
	in := messageReader{src: c.src, limit: c.hub.opt.MaxFrame, started: c.expectPayload, arrived: c.expectNothing}
	for c.out.open() {
		op, payload, err := in.next()
		if err == nil {
			err = c.spend(time.Now())
		}
		if err == nil {
			err = c.handle(ctx, op, payload)
		}
		if hostile, ok := errors.AsType[*hostileError](err); ok {
			c.end(hostile.code, hostile.reason)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// spend takes the token of one frame. A client gets new ones as time passes (a token
// bucket); one that is out of them is not a page of ours.
func (c *conn) spend(now time.Time) error {
	rate, most := float64(c.hub.opt.MaxFramesSecond), float64(c.hub.opt.MaxFramesAtOnce)
	if c.refilled.IsZero() {
		c.tokens = most
	} else {
		c.tokens = min(most, c.tokens+rate*now.Sub(c.refilled).Seconds())
	}
	c.refilled = now
	if c.tokens--; c.tokens < 0 {
		return &hostileError{ws.StatusPolicyViolation, fmt.Sprintf("a socket may send %d frames a second", c.hub.opt.MaxFramesSecond)}
	}
	return nil
}

// expectPayload gives the client a while to finish a frame. The deadline may replace
// one that end has set to wake us, so look again.
func (c *conn) expectPayload() { c.setReadDeadline(time.Now().Add(payloadWait)) }
func (c *conn) expectNothing() { c.setReadDeadline(time.Time{}) }

func (c *conn) setReadDeadline(t time.Time) {
	c.net.SetReadDeadline(t)
	if !c.out.open() {
		c.net.SetReadDeadline(past)
	}
}

func (c *conn) handle(ctx context.Context, op ws.OpCode, payload []byte) error {
	switch op {
	case ws.OpPing:
		c.settle(c.out.push(ws.MustCompileFrame(ws.NewPongFrame(payload))))
	case ws.OpClose:
		code, err := closeCode(payload)
		if err != nil {
			return err
		}
		c.end(code, "")
	case ws.OpText:
		return c.obey(ctx, payload)
	}
	return nil
}

// obey does what a command asks for. Only a client that breaks a bound gets an error.
func (c *conn) obey(ctx context.Context, frame []byte) error {
	cmd, err := decodeCommand(frame)
	if err != nil {
		c.complain("frame ignored", "error", err)
		return nil
	}
	switch cmd.name {
	case "subscribe":
		return c.subscribe(ctx, cmd)
	case "unsubscribe":
		if s := c.subscribed(cmd); s != nil {
			c.unsubscribe(cmd.identifier, s)
		}
	case "message":
		if s := c.subscribed(cmd); s != nil {
			err := c.protect(func() error { return s.channel.Received(ctx, s, cmd.action, cmd.data) })
			if err != nil {
				c.complain("message ignored", "channel", clip(cmd.channel), "action", clip(cmd.action), "error", err)
			}
		}
	default:
		c.complain("unknown command ignored", "command", clip(cmd.name))
	}
	return nil
}

// subscribed finds what a command is for; nil, with a complaint, when there is none.
func (c *conn) subscribed(cmd command) *Subscription {
	s := c.subscriptions[cmd.identifier]
	if s == nil {
		c.complain("no such subscription", "command", cmd.name, "identifier", clip(cmd.identifier))
	}
	return s
}

func (c *conn) subscribe(ctx context.Context, cmd command) error {
	if c.subscriptions[cmd.identifier] != nil {
		return nil
	}
	open, known := c.hub.opt.Channels[cmd.channel]
	if !known {
		c.complain("unknown channel ignored", "channel", clip(cmd.channel))
		return nil
	}
	if most := c.hub.opt.MaxSubscriptions; len(c.subscriptions) >= most {
		return &hostileError{ws.StatusPolicyViolation, fmt.Sprintf("a socket may have %d subscriptions", most)}
	}
	s := &Subscription{conn: c, token: cmd.token}
	err := c.protect(func() error {
		s.channel = open([]byte(cmd.identifier))
		return s.channel.Subscribed(ctx, s)
	})
	if err != nil {
		s.detach()
		c.out.forget()
		if errors.Is(err, ErrReject) {
			c.settle(c.out.push(replyFrame(s.token, "reject_subscription")))
		} else {
			c.complain("subscribe", "channel", clip(cmd.channel), "error", err)
		}
		return nil
	}
	c.subscriptions[cmd.identifier] = s
	c.hub.stats.subscriptions.Add(1)
	c.settle(c.out.confirm(s, replyFrame(s.token, "confirm_subscription")))
	return nil
}

func (c *conn) unsubscribe(identifier string, s *Subscription) {
	delete(c.subscriptions, identifier)
	c.hub.stats.subscriptions.Add(-1)
	s.detach()
	ctx, cancel := context.WithTimeout(c.hub.life, unsubscribeWait)
	defer cancel()
	err := c.protect(func() error {
		s.channel.Unsubscribed(ctx, s)
		return nil
	})
	if err != nil {
		c.log().Error("cable: unsubscribe", "error", err)
	}
}

// unsubscribeAll detaches everything before it runs any channel's code, so that
// nothing is broadcast to a socket that has ended.
func (c *conn) unsubscribeAll() {
	for _, s := range c.subscriptions {
		s.detach()
	}
	for identifier, s := range c.subscriptions {
		c.unsubscribe(identifier, s)
	}
}

// protect keeps a mistake in a channel from ending the process: there is no HTTP
// server around this goroutine that would.
func (c *conn) protect(call func() error) (err error) {
	defer func() {
		if reason := recover(); reason != nil {
			err = fmt.Errorf("channel panicked: %v", reason)
			c.log().Error("cable: channel panicked", "panic", reason, "stack", string(debug.Stack()))
		}
	}()
	return call()
}

// end sends the last frames and wakes everybody who waits for this socket. Only the
// first call counts. Any goroutine may call it.
func (c *conn) end(code ws.StatusCode, reason string, last ...[]byte) {
	closing := ws.MustCompileFrame(ws.NewCloseFrame(ws.NewCloseFrameBody(code, reason)))
	if c.out.seal(append(last, closing)...) {
		c.net.SetReadDeadline(past)
	}
}

// settle drops the socket of a client that is too slow. It reports whether the frame
// is on its way. It never waits: setting a deadline doesn't, and logging is left to run.
func (c *conn) settle(result pushed) bool {
	if result == overran {
		c.hub.stats.dropped.Add(1)
		c.net.SetDeadline(past)
	}
	return result == queued
}

// hangUp closes the socket: at once when the client didn't take what we sent, else
// after it had time to read it.
func (c *conn) hangUp() {
	defer c.net.Close()
	if c.out.failed() {
		if tcp, ok := c.net.(*net.TCPConn); ok {
			tcp.SetLinger(0) // the kernel need not keep what nobody reads
		}
		return
	}
	if half, ok := c.net.(interface{ CloseWrite() error }); ok && half.CloseWrite() != nil {
		return
	}
	until := time.Now().Add(lingerWait)
	for {
		c.net.SetReadDeadline(until)
		_, err := io.Copy(io.Discard, c.net)
		// An end that was called a moment ago may still wake us too early.
		if !errors.Is(err, os.ErrDeadlineExceeded) || time.Now().After(until) {
			return
		}
	}
}

func (c *conn) log() *slog.Logger {
	return c.hub.opt.Log.With("user", c.user, "remote", c.net.RemoteAddr().String())
}

func (c *conn) logEnd(err error) {
	_, hostile := errors.AsType[*hostileError](err)
	switch {
	case c.out.overrunning():
		c.log().Warn("cable: client too slow, dropped")
	case hostile:
		c.log().Warn("cable: hostile client, closed", "error", err)
	}
}

func (c *conn) complain(what string, attrs ...any) {
	c.complaints++
	switch {
	case c.complaints < maxComplaints:
		c.log().Info("cable: "+what, attrs...)
	case c.complaints == maxComplaints:
		c.log().Info("cable: no more about this socket", "last", what)
	}
}

// clip keeps a client's text from filling the log.
func clip(text string) string {
	const most = 120
	if len(text) > most {
		return text[:most] + "…"
	}
	return text
}
