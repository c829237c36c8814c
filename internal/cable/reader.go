package cable

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/gobwas/ws"
)

// maxFragments is how many frames one message may come in. Browsers send one;
// without a bound, empty fragments would keep a socket busy for ever.
const maxFragments = 64

// hostileError is what a client did that ends its socket, and the close code that says so.
type hostileError struct {
	code   ws.StatusCode
	reason string
}

func (e *hostileError) Error() string { return fmt.Sprintf("%s (close code %d)", e.reason, e.code) }

// messageReader turns the bytes of one client into messages (RFC 6455, sections 5 and 8.1).
// Only one goroutine may use it.
type messageReader struct {
	src     io.Reader
	limit   int    // bytes that one message may have, all fragments together
	started func() // called when a payload is on its way, before it is waited for; may be nil
	arrived func() // called when it is there; may be nil

	header    [ws.MaxHeaderSize]byte
	message   []byte // fragments so far
	fragments int    // how many; 0 outside a fragmented message
}

// next returns the next whole text message (ws.OpText), ping, pong or close frame.
// The payload belongs to the caller. Anything a client may not send is a *hostileError;
// every other error comes from the source.
func (r *messageReader) next() (ws.OpCode, []byte, error) {
	for {
		h, err := r.nextHeader()
		if err != nil {
			return 0, nil, err
		}
		payload, err := r.payload(h)
		if err != nil {
			return 0, nil, err
		}
		if h.OpCode.IsControl() {
			return h.OpCode, payload, nil
		}
		if whole, err := r.add(h.Fin, payload); err != nil || whole != nil {
			return ws.OpText, whole, err
		}
	}
}

func (r *messageReader) nextHeader() (ws.Header, error) {
	h, err := ws.ReadHeaderBuffer(r.src, r.header[:])
	if errors.Is(err, ws.ErrHeaderLengthMSB) || errors.Is(err, ws.ErrHeaderLengthUnexpected) {
		return h, &hostileError{ws.StatusProtocolError, "impossible frame length"}
	}
	if err != nil {
		return h, err
	}
	state := ws.StateServerSide
	if r.fragments > 0 {
		state = state.Set(ws.StateFragmented)
	}
	if err := ws.CheckHeader(h, state); err != nil {
		return h, &hostileError{ws.StatusProtocolError, err.Error()}
	}
	switch {
	case h.OpCode == ws.OpBinary:
		return h, &hostileError{ws.StatusUnsupportedData, "only text is understood here"}
	case !h.OpCode.IsControl() && h.Length > int64(r.limit-len(r.message)):
		return h, &hostileError{ws.StatusMessageTooBig, fmt.Sprintf("messages may have %d bytes", r.limit)}
	case !h.OpCode.IsControl() && r.fragments == maxFragments:
		return h, &hostileError{ws.StatusPolicyViolation, fmt.Sprintf("messages may come in %d fragments", maxFragments)}
	}
	return h, nil
}

func (r *messageReader) payload(h ws.Header) ([]byte, error) {
	if h.Length == 0 {
		return []byte{}, nil
	}
	if r.started != nil {
		r.started()
	}
	payload := make([]byte, h.Length)
	if _, err := io.ReadFull(r.src, payload); err != nil {
		return nil, err
	}
	if r.arrived != nil {
		r.arrived()
	}
	ws.Cipher(payload, h.Mask, 0)
	return payload, nil
}

// add returns the whole message when this fragment is its last, else nil.
func (r *messageReader) add(final bool, payload []byte) ([]byte, error) {
	whole := payload
	if r.fragments > 0 {
		whole = append(r.message, payload...)
	}
	if !final {
		r.message, r.fragments = whole, r.fragments+1
		return nil, nil
	}
	r.message, r.fragments = nil, 0
	if !utf8.Valid(whole) {
		return nil, &hostileError{ws.StatusInvalidFramePayloadData, "text must be UTF-8"}
	}
	return whole, nil
}

// closeCode is the code with which to answer a client's close frame.
func closeCode(payload []byte) (ws.StatusCode, error) {
	switch len(payload) {
	case 0:
		return ws.StatusNormalClosure, nil
	case 1:
		return 0, &hostileError{ws.StatusProtocolError, "a close frame of one byte"}
	}
	code := ws.StatusCode(binary.BigEndian.Uint16(payload))
	err := ws.CheckCloseFrameData(code, string(payload[2:]))
	switch {
	case errors.Is(err, ws.ErrProtocolInvalidUTF8):
		return 0, &hostileError{ws.StatusInvalidFramePayloadData, err.Error()}
	case err != nil:
		return 0, &hostileError{ws.StatusProtocolError, err.Error()}
	case code > ws.StatusRangePrivate.Max:
		return 0, &hostileError{ws.StatusProtocolError, "a close code that nobody defines"}
	}
	return code, nil
}
