package web

import (
	"bytes"
	"compress/gzip"
	"io"
	"strings"
	"testing"
)

func TestGzipIsNeverSentToWhoRefusesIt(t *testing.T) {
	seventeenth := strings.Repeat("br, ", 16) + "gzip;q=0"
	for _, c := range []struct {
		header string
		want   bool
	}{
		{"", false},
		{"gzip", true},
		{"GZip", true},
		{"x-gzip", true},
		{"gzip, deflate, br, zstd", true},
		{"gzip;q=0", false},
		{seventeenth, false},
		{"gzip;q=0.000", false},
		{"gzip;q=0, *", false},
		{"*", true},
		{"*;q=0", false},
		{"*;q=0, gzip", true},
		{"identity;q=0, gzip", true},
		{"gzip;q=0.5, identity", false},
		{"gzip;q=0.5, identity;q=0.5", true},
		{"gzip;q=0.5", true},
		{"identity", false},
		{"br", false},
		{"gzip;q=nonsense", false},
		{"gzip;q=2", false},
		{" gzip ; q=1 ", true},
	} {
		if got := acceptsGzip(c.header); got != c.want {
			t.Errorf("acceptsGzip(%q) = %v, want %v", c.header, got, c.want)
		}
	}
}

func TestGzipComesBackWhole(t *testing.T) {
	for _, size := range []int{0, 1, 5000, 1 << 20} {
		text := bytes.Repeat([]byte("<p>hello</p>\n"), size/13+1)[:size]
		var packed bytes.Buffer
		if err := appendGzip(&packed, text); err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(&packed)
		if err != nil {
			t.Fatal(err)
		}
		got, err := io.ReadAll(r)
		if err != nil || !bytes.Equal(got, text) {
			t.Errorf("%d bytes came back as %d, %v", size, len(got), err)
		}
	}
}

func FuzzAcceptEncoding(f *testing.F) {
	for _, seed := range []string{"gzip", "gzip;q=0", "*;q=0", "gzip;q=0.5, identity", ";q=,;", "gzip;Q=0.1;q=9"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, header string) {
		if acceptsGzip(header) && acceptsGzip(header+", gzip;q=0") {
			t.Errorf("%q with a refusal at its end still accepts", header)
		}
	})
}
