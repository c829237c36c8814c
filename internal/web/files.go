package web

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"

	"hearth/internal/chat"
	"hearth/internal/rails"
)

// Stored files. Links to them are signed and need no signing in, as always: old
// messages hold such links, and so do browsers' caches.

// diskLinkLasts is how long the link to a file's bytes is good for.
const diskLinkLasts = 5 * time.Minute

// shownInline are the types that a browser may show by itself; everything else
// is only ever downloaded.
var shownInline = map[string]bool{
	"image/webp": true, "image/avif": true, "image/png": true, "image/gif": true, "image/jpeg": true, "image/tiff": true,
	"image/bmp": true, "image/vnd.adobe.photoshop": true, "image/vnd.microsoft.icon": true, "application/pdf": true,
}

// servedAsBytes are the types that could run in a browser; they are served as
// something that can't.
var servedAsBytes = map[string]bool{
	"text/html": true, "image/svg+xml": true, "application/postscript": true, "application/x-shockwave-flash": true,
	"text/xml": true, "application/xml": true, "application/xhtml+xml": true, "application/mathml+xml": true, "text/cache-manifest": true,
}

// blob loads the file that a signed id names.
func (x *exchange) blob(in *chat.Reader) (chat.Blob, error) {
	id, err := x.server.keys.VerifyBlobID(x.value("signed_id"))
	if err != nil {
		return chat.Blob{}, chat.ErrNotFound
	}
	return in.Blob(chat.BlobID(id))
}

func (x *exchange) redirectToBlob(in *chat.Reader) error {
	blob, err := x.blob(in)
	if err != nil {
		return err
	}
	token := x.server.keys.DiskKey(rails.DiskFile{
		Key: blob.Key, Disposition: disposition(blob, x.text("disposition")), ContentType: servedType(blob), ServiceName: "local",
	}, x.now.Add(diskLinkLasts))
	x.w.Header().Set("Cache-Control", "max-age=300, private")
	return x.redirect("/rails/active_storage/disk/" + escapeSegment(token) + "/" + escapeSegment(safeFilename(blob.Filename)))
}

func (x *exchange) proxyBlob(in *chat.Reader) error {
	blob, err := x.blob(in)
	if err != nil {
		return err
	}
	return x.serveFile(blob.Key, servedType(blob), disposition(blob, x.text("disposition")), "max-age=3155695200, public, immutable")
}

func (x *exchange) showDiskFile() error {
	file, err := x.server.keys.VerifyDiskKey(x.value("encoded_key"), x.now)
	if err != nil {
		return chat.ErrNotFound
	}
	return x.serveFile(file.Key, file.ContentType, file.Disposition, "max-age=3600, public")
}

// serveFile sends a stored file, or the parts of it that are asked for.
func (x *exchange) serveFile(key, contentType, disposition, cache string) error {
	file, info, err := x.openFile(key)
	if err != nil {
		return err
	}
	header := x.w.Header()
	header.Set("Content-Type", contentType)
	header.Set("Content-Disposition", disposition)
	header.Set("Cache-Control", cache)
	return x.stream(content{file, info.ModTime()})
}

// content is an answer that is read while it is sent, instead of being gathered
// in memory.
type content struct {
	io.ReadSeekCloser
	modified time.Time // zero: nothing is said about it
}

// stream answers with a content, which is closed in the end.
func (x *exchange) stream(c content) error {
	x.content = &c
	x.status = http.StatusOK
	return nil
}

// inMemory is a content of bytes.
func inMemory(picture []byte) content {
	return content{ReadSeekCloser: struct {
		io.ReadSeeker
		io.Closer
	}{bytes.NewReader(picture), io.NopCloser(nil)}}
}

// sendContent hands the answer over to the standard library, which knows ranges
// and conditions. It runs after the snapshot has ended.
func (x *exchange) sendContent() {
	w := &statusWriter{ResponseWriter: x.w, status: http.StatusOK}
	http.ServeContent(w, x.r, "", x.content.modified, x.content)
	x.status = w.status
}

// statusWriter notes the status for the log.
type statusWriter struct {
	http.ResponseWriter
	status int
}

func (w *statusWriter) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

// ReadFrom lets the system copy files without a detour.
func (w *statusWriter) ReadFrom(r io.Reader) (int64, error) { return io.Copy(w.ResponseWriter, r) }

// openFile opens the bytes of a blob; chat.ErrNotFound when they are gone.
func (x *exchange) openFile(key string) (*os.File, fs.FileInfo, error) {
	path := x.server.filePath(key)
	if path == "" { // a key that could lead out of the folder
		return nil, nil, chat.ErrNotFound
	}
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, chat.ErrNotFound
	}
	if err != nil {
		return nil, nil, fmt.Errorf("open file: %w", err)
	}
	info, err := file.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = chat.ErrNotFound
	}
	if err != nil {
		file.Close()
		return nil, nil, fmt.Errorf("open file: %w", err)
	}
	return file, info, nil
}

func servedType(blob chat.Blob) string {
	if blob.ContentType == "" || servedAsBytes[blob.ContentType] {
		return "application/octet-stream"
	}
	return blob.ContentType
}

// disposition is the header that names a file and says whether it may be shown.
func disposition(blob chat.Blob, wanted string) string {
	kind := "inline"
	if wanted == "attachment" || !shownInline[blob.ContentType] {
		kind = "attachment"
	}
	name := safeFilename(blob.Filename)
	ascii := strings.Map(func(c rune) rune {
		if c > 126 {
			return '?'
		}
		return c
	}, name)
	return kind + `; filename="` + escapeExcept(ascii, " !#$+.^_`|~-") + `"; filename*=UTF-8''` + escapeExcept(name, "!#$&+.^_`|~-")
}

// safeFilename replaces what means something in a path, a header or a terminal.
func safeFilename(name string) string {
	name = strings.ToValidUTF8(strings.TrimSpace(name), "\uFFFD")
	return strings.Map(func(c rune) rune {
		if strings.ContainsRune("\u202E%$|:;/<>?*\"\\\t\r\n", c) || c < ' ' {
			return '-'
		}
		return c
	}, name)
}

// escapeExcept percent-encodes all bytes but letters, digits and some others.
func escapeExcept(text, others string) string {
	const hex = "0123456789ABCDEF"
	var escaped strings.Builder
	for i := 0; i < len(text); i++ {
		c := text[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte(others, c) >= 0 {
			escaped.WriteByte(c)
			continue
		}
		escaped.WriteByte('%')
		escaped.WriteByte(hex[c>>4])
		escaped.WriteByte(hex[c&15])
	}
	return escaped.String()
}

// escapeSegment encodes text so that it is one segment of a path.
func escapeSegment(text string) string { return escapeExcept(text, "-_.~=+") }
