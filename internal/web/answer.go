package web

import (
	"hash/maphash"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"hearth/internal/rails"
)

// The ways a handler answers. Nothing is sent before send.

// head answers with a status and no body.
func (x *exchange) head(status int) error {
	x.status = status
	x.dropBody()
	return nil
}

// redirect answers 302 to a path of this site. A client of HTTP/1.0 may not say
// which host it means: it gets the path alone.
func (x *exchange) redirect(path string) error {
	location := path
	if hostOf(x.r) != "" {
		location = x.baseURL() + path
	}
	x.w.Header().Set("Location", location)
	x.contentType = typeHTML
	return x.head(http.StatusFound)
}

// write answers with a body that a function writes.
func (x *exchange) write(status int, contentType string, render func(io.Writer) error) error {
	x.start(status, contentType)
	return render(x.body)
}

// append answers with a body that a function appends to what it is given.
func (x *exchange) append(status int, contentType string, render func([]byte) []byte) error {
	x.start(status, contentType)
	x.body.bytes = render(x.body.bytes)
	return nil
}

func (x *exchange) start(status int, contentType string) {
	x.status, x.contentType = status, contentType
	if x.body == nil {
		x.body = takeBuffer(bodies)
	}
	x.body.bytes = x.body.bytes[:0]
}

func (x *exchange) dropBody() {
	if x.body != nil {
		x.body.giveBack()
		x.body = nil
	}
	if x.content != nil {
		x.content.Close()
		x.content = nil
	}
}

// buffer is a slice of bytes that can be written to, and is used again.
type buffer struct {
	bytes []byte
	home  *sync.Pool
}

func (b *buffer) Write(p []byte) (int, error) {
	b.bytes = append(b.bytes, p...)
	return len(p), nil
}

// Bodies and what they are compressed to differ tenfold in size, so each kind
// has a pool of its own: a buffer of the other kind would have to grow, or waste.
var (
	bodies = newBuffers(256 << 10)
	packs  = newBuffers(32 << 10)
)

func newBuffers(size int) *sync.Pool {
	pool := &sync.Pool{}
	pool.New = func() any { return &buffer{make([]byte, 0, size), pool} }
	return pool
}

// bufferMax keeps a rare giant page from staying in memory.
const bufferMax = 1 << 20

func takeBuffer(from *sync.Pool) *buffer {
	b := from.Get().(*buffer)
	b.bytes = b.bytes[:0]
	return b
}

func (b *buffer) giveBack() {
	if cap(b.bytes) <= bufferMax {
		b.home.Put(b)
	}
}

// send puts the answer on the wire: cookies, validators, compression, bytes.
func (x *exchange) send() error {
	defer x.dropBody()
	header := x.w.Header()
	if !strings.Contains(header.Get("Cache-Control"), "public") { // others may keep it: nothing personal
		x.writeCookies()
	}
	if x.content != nil {
		x.sendContent()
		return nil
	}
	if x.body != nil && compressible(x.contentType) {
		header.Set("Vary", "Accept, Accept-Encoding, Turbo-Frame")
	}
	x.validate(header)
	if x.contentType != "" && x.status != http.StatusNoContent && x.status != http.StatusNotModified {
		header.Set("Content-Type", x.contentType)
	}
	if x.status == http.StatusNotModified || x.status == http.StatusNoContent {
		x.w.WriteHeader(x.status)
		return nil
	}
	body, done, err := x.encode(header)
	if err != nil {
		return err
	}
	defer done()
	header.Set("Content-Length", strconv.Itoa(len(body)))
	x.w.WriteHeader(x.status)
	if x.r.Method == http.MethodHead {
		return nil
	}
	_, err = x.w.Write(body)
	return err
}

func (x *exchange) writeCookies() {
	switch {
	case x.signedOut:
		x.deleteCookie(rails.TokenCookie)
	case x.loginToken != "":
		x.setLogin(x.loginToken)
	}
	x.writeSession()
}

// validate sets ETag and Cache-Control and turns what the client has into 304.
//
// The ETag is made of the answer's own bytes, so an answer that would differ in
// one of them is never called unchanged. If-Modified-Since is not looked at: no
// page has a time that would be true after another process's write.
func (x *exchange) validate(header http.Header) {
	fresh := x.body != nil && len(x.body.bytes) > 0 && (x.status == http.StatusOK || x.status == http.StatusCreated)
	if fresh && header.Get("ETag") == "" {
		header.Set("ETag", x.tag())
	}
	if header.Get("Cache-Control") == "" {
		if fresh {
			header.Set("Cache-Control", "max-age=0, private, must-revalidate")
		} else {
			header.Set("Cache-Control", "no-cache")
		}
	}
	if fresh && x.status == http.StatusOK && x.safe() && x.has(header.Get("ETag")) {
		x.head(http.StatusNotModified)
	}
}

// tag names the body. One with a masked token differs from every other: its
// name need not be computed.
func (x *exchange) tag() string {
	if x.masked {
		return `W/"` + rails.NewUUID() + `"`
	}
	return `W/"` + strconv.FormatUint(maphash.Bytes(tagSeed, x.body.bytes), 16) + "-" + strconv.Itoa(len(x.body.bytes)) + `"`
}

// tagSeed makes tags that nobody can aim at. It ends with the process, after
// which everything is simply sent once more.
var tagSeed = maphash.MakeSeed()

// has reports whether the client already holds what this tag names.
func (x *exchange) has(tag string) bool {
	for _, header := range x.r.Header.Values("If-None-Match") {
		for one := range strings.SplitSeq(header, ",") {
			if one = strings.TrimSpace(one); one == "*" || opaque(one) == opaque(tag) {
				return true
			}
		}
	}
	return false
}

// opaque is a tag without the mark of weakness: they are compared weakly.
func opaque(tag string) string { return strings.TrimPrefix(tag, "W/") }

// encode compresses the body if the client wants that and it pays. done must be
// called when the bytes are no longer needed.
func (x *exchange) encode(header http.Header) (body []byte, done func(), err error) {
	done = func() {}
	if x.body == nil {
		return nil, done, nil
	}
	body = x.body.bytes
	if len(body) < compressFrom || !compressible(x.contentType) || !acceptsGzip(strings.Join(x.r.Header.Values("Accept-Encoding"), ",")) {
		return body, done, nil
	}
	packed := takeBuffer(packs)
	if err := appendGzip(packed, body); err != nil {
		return nil, done, err
	}
	header.Set("Content-Encoding", "gzip")
	return packed.bytes, packed.giveBack, nil
}
