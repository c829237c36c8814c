package storage

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzArchive feeds a restore what may come as a backup. Whatever it is, no entry
// may lead out of the folder, and an archive that is accepted must hold what its
// list says, a database first.
func FuzzArchive(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("no archive"))
	for _, files := range []map[string]string{
		{databaseEntry: "x"},
		{listEntry: `{"format":1,"entries":[]}`},
		{listEntry: `{"format":1,"entries":[{"name":"db/production.sqlite3","bytes":1,"sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}]}`},
		{"../evil": "x"},
		{"files/aa/bb/aabb": "x"},
	} {
		f.Add(packed(f, files))
	}
	f.Add(whole(f))
	f.Fuzz(func(t *testing.T, archive []byte) {
		var names []string
		list, err := readArchive(context.Background(), bytes.NewReader(archive), func(name string) (io.WriteCloser, error) {
			if !filepath.IsLocal(name) || strings.Contains(name, "..") {
				t.Fatalf("an entry leads to %q", name)
			}
			names = append(names, name)
			return nopCloser{io.Discard}, nil
		})
		if err != nil {
			return
		}
		if len(names) == 0 || names[0] != databaseEntry || len(names) != len(list.Entries) {
			t.Fatalf("accepted: entries %q, list %+v", names, list)
		}
	})
}

// whole is the smallest archive that is accepted.
func whole(t testing.TB) []byte {
	t.Helper()
	archive := packedInOrder(t, [][2]string{
		{databaseEntry, "x"},
		{listEntry, `{"format":1,"entries":[{"name":"db/production.sqlite3","bytes":1,"sha256":"2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881"}]}`},
	})
	if _, err := readArchive(context.Background(), bytes.NewReader(archive), discard); err != nil {
		t.Fatalf("the smallest archive is refused: %v", err)
	}
	return archive
}
