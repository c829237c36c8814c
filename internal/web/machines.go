package web

import (
	"io"
	"net/http"
	"time"
)

// up says that the server answers. It asks nothing of the database.
func (x *exchange) up() error {
	if f, _ := pick(x.wants, formatHTML, formatJSON); f == formatJSON {
		return x.json(http.StatusOK, map[string]string{"status": "up", "timestamp": x.now.UTC().Format(time.RFC3339)})
	}
	return x.write(http.StatusOK, typeHTML, func(w io.Writer) error {
		_, err := io.WriteString(w, `<!DOCTYPE html><html lang="en"><head><title>Up</title></head><body style="background-color: green"></body></html>`)
		return err
	})
}

// robots forbids nothing: without signing in there is nothing to see.
func (x *exchange) robots() error {
	x.w.Header().Set("Cache-Control", "public, max-age=2592000")
	return x.write(http.StatusOK, typeText, func(w io.Writer) error {
		_, err := io.WriteString(w, "# Every page but the sign-in page needs an account.\n")
		return err
	})
}
