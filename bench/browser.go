package bench

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/compress/gzip"
)

// answerTime is how long one answer may take. It is far above what any cell
// should see; it keeps a server that hangs from hanging the run.
const answerTime = 30 * time.Second

// Bounds of what is read, so that a broken server can't fill the memory.
const (
	headerBytesMax = 64 << 10
	bodyBytesMax   = 64 << 20
)

// browser is one browser as a server sees it: a connection that is kept, one
// question at a time. It belongs to one goroutine.
//
// It is written over net.Conn since net/http's client costs several times what
// the cheapest answers cost the server, and would be what is measured.
type browser struct {
	addr string
	conn net.Conn
	in   *bufio.Reader

	answer answer
	unzip  *gzip.Reader
	raw    bytes.Reader
	page   bytes.Buffer // the last unpacked body
}

// answer is what came back. Body is as it was sent, maybe compressed; it is
// good until the browser asks again.
type answer struct {
	Status                   int
	Type, Encoding, Location string
	Cookies                  []string // values of Set-Cookie
	Body                     []byte
	length                   int64 // of the body; -1: not said
	chunked, closes          bool
}

func dial(ctx context.Context, addr string) (*browser, error) {
	b := &browser{addr: addr}
	return b, b.connect(ctx)
}

func (b *browser) connect(ctx context.Context) error {
	dialer := net.Dialer{Timeout: answerTime}
	conn, err := dialer.DialContext(ctx, "tcp", b.addr)
	if err != nil {
		return fmt.Errorf("connect to the server: %w", err)
	}
	b.conn = conn
	if b.in == nil {
		b.in = bufio.NewReaderSize(conn, 64<<10)
	} else {
		b.in.Reset(conn)
	}
	return nil
}

func (b *browser) close() {
	if b.conn != nil {
		b.conn.Close()
		b.conn = nil
	}
}

// ask sends one request, whole as it goes over the wire, and reads its answer.
// It connects first if the last answer closed the connection.
func (b *browser) ask(ctx context.Context, request []byte) (*answer, error) {
	if b.conn == nil {
		if err := b.connect(ctx); err != nil {
			return nil, err
		}
	}
	if err := b.conn.SetDeadline(time.Now().Add(answerTime)); err != nil {
		return nil, err
	}
	if _, err := b.conn.Write(request); err != nil {
		b.close()
		return nil, fmt.Errorf("send: %w", err)
	}
	if err := readAnswer(b.in, &b.answer); err != nil {
		b.close()
		return nil, fmt.Errorf("read the answer: %w", err)
	}
	if b.answer.closes {
		b.close()
	}
	return &b.answer, nil
}

// unpacked returns the body of a as the person would see it. It is good until
// the next call.
func (b *browser) unpacked(a *answer) ([]byte, error) {
	switch a.Encoding {
	case "", "identity":
		return a.Body, nil
	case "gzip":
	default:
		return nil, fmt.Errorf("content encoding %q was not asked for", a.Encoding)
	}
	b.raw.Reset(a.Body)
	var err error
	if b.unzip == nil {
		b.unzip, err = gzip.NewReader(&b.raw)
	} else {
		err = b.unzip.Reset(&b.raw)
	}
	if err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	b.page.Reset()
	if _, err := io.Copy(&b.page, io.LimitReader(b.unzip, bodyBytesMax)); err != nil {
		return nil, fmt.Errorf("unpack: %w", err)
	}
	return b.page.Bytes(), nil
}

var errAnswer = errors.New("not an HTTP/1.1 answer")

// readAnswer reads one HTTP/1.1 response (RFC 9112) into a, reusing its body.
func readAnswer(in *bufio.Reader, a *answer) error {
	*a = answer{Body: a.Body[:0], Cookies: a.Cookies[:0], Type: a.Type, length: -1}
	kind := a.Type // most answers repeat it, so its text is kept
	a.Type = ""
	line, err := readLine(in)
	if err != nil {
		return err
	}
	if len(line) < 12 || !bytes.HasPrefix(line, []byte("HTTP/1.1 ")) {
		return fmt.Errorf("%w: it begins %.40q", errAnswer, line)
	}
	if a.Status, err = strconv.Atoi(string(line[9:12])); err != nil || a.Status < 200 {
		return fmt.Errorf("%w: it begins %.40q", errAnswer, line)
	}
	for total := 0; ; {
		line, err := readLine(in)
		if err != nil {
			return err
		}
		if len(line) == 0 {
			break
		}
		if total += len(line); total > headerBytesMax {
			return fmt.Errorf("%w: headers of more than %d bytes", errAnswer, headerBytesMax)
		}
		if err := a.header(line, kind); err != nil {
			return err
		}
	}
	return a.readBody(in)
}

// header notes one header line.
func (a *answer) header(line []byte, kind string) error {
	name, value, found := bytes.Cut(line, []byte(":"))
	if !found {
		return fmt.Errorf("%w: header line %.40q", errAnswer, line)
	}
	value = bytes.TrimSpace(value)
	switch {
	case is(name, "content-length"):
		n, err := strconv.ParseInt(string(value), 10, 64)
		if err != nil || n < 0 || n > bodyBytesMax {
			return fmt.Errorf("%w: Content-Length %.40q", errAnswer, value)
		}
		a.length = n
	case is(name, "transfer-encoding"):
		a.chunked = is(value, "chunked")
	case is(name, "content-type"):
		if a.Type = kind; string(value) != kind {
			a.Type = string(value)
		}
	case is(name, "content-encoding"):
		if a.Encoding = "gzip"; string(value) != a.Encoding {
			a.Encoding = string(value)
		}
	case is(name, "location"):
		a.Location = string(value)
	case is(name, "set-cookie"):
		a.Cookies = append(a.Cookies, string(value))
	case is(name, "connection"):
		a.closes = is(value, "close")
	}
	return nil
}

func is(name []byte, lower string) bool {
	return len(name) == len(lower) && strings.EqualFold(string(name), lower)
}

func (a *answer) readBody(in *bufio.Reader) error {
	switch {
	case a.Status == 204 || a.Status == 304:
		return nil
	case a.chunked:
		return a.readChunks(in)
	case a.length >= 0:
		return a.readMore(in, int(a.length))
	}
	return fmt.Errorf("%w: neither length nor chunks", errAnswer)
}

func (a *answer) readChunks(in *bufio.Reader) error {
	for {
		line, err := readLine(in)
		if err != nil {
			return err
		}
		digits, _, _ := bytes.Cut(line, []byte(";"))
		size, err := strconv.ParseUint(string(bytes.TrimSpace(digits)), 16, 31)
		if err != nil {
			return fmt.Errorf("%w: chunk of size %.40q", errAnswer, line)
		}
		if size == 0 {
			return skipTrailer(in)
		}
		if err := a.readMore(in, int(size)); err != nil {
			return err
		}
		if line, err := readLine(in); err != nil || len(line) != 0 {
			return cmpError(err, fmt.Errorf("%w: no line end after a chunk", errAnswer))
		}
	}
}

func skipTrailer(in *bufio.Reader) error {
	for total := 0; ; {
		line, err := readLine(in)
		if err != nil || len(line) == 0 {
			return err
		}
		if total += len(line); total > headerBytesMax {
			return fmt.Errorf("%w: trailer of more than %d bytes", errAnswer, headerBytesMax)
		}
	}
}

func cmpError(first, second error) error {
	if first != nil {
		return first
	}
	return second
}

func (a *answer) readMore(in *bufio.Reader, n int) error {
	have := len(a.Body)
	if have+n > bodyBytesMax {
		return fmt.Errorf("%w: a body of more than %d bytes", errAnswer, bodyBytesMax)
	}
	for len(a.Body) < have+n { // grown as it arrives: the length is only a claim
		at := len(a.Body)
		piece := min(have+n-at, 256<<10)
		a.Body = append(a.Body, make([]byte, piece)...)
		if _, err := io.ReadFull(in, a.Body[at:]); err != nil {
			return err
		}
	}
	return nil
}

// readLine returns the next line without its end. It is good until the next read.
func readLine(in *bufio.Reader) ([]byte, error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return nil, err
	}
	return bytes.TrimRight(line, "\r\n"), nil
}
