package sqlite

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// What a power cut may leave, by the rules that file systems keep:
//
//   - A write is on the disk when an fsync of its file that began after the
//     write had ended has ended.
//   - Any other write may be there or not, whole or in part: each sector of 512
//     bytes for itself, regardless of the order of writes, within a file and
//     between files.
//   - A file whose folder was not synced since it was created may be missing.
//
// SQLite relies on no more than this (sqlite.org/atomiccommit.html, section 2;
// "powersafe overwrite": bytes outside of a write are not touched).

const sectorLen = 512

// fate decides what becomes of the writes that were not synced.
type fate struct {
	name string
	// keep reports whether sector s of the i-th of n unsynced writes is there.
	keep func(r *rand.Rand, i, n, s int) bool
}

var fates = []fate{
	{"lost", func(*rand.Rand, int, int, int) bool { return false }},
	{"kept", func(*rand.Rand, int, int, int) bool { return true }},
	{"torn", func(r *rand.Rand, i, n, s int) bool { return i < n-1 || s < 1+r.IntN(8) }},
	{"sectors", func(r *rand.Rand, _, _, _ int) bool { return r.IntN(2) == 0 }},
	{"mostly", func(r *rand.Rand, _, _, _ int) bool { return r.IntN(50) != 0 }},
	{"newest only", func(_ *rand.Rand, i, n, _ int) bool { return i >= n/2 }},
}

// tracedPosts is how many posts a recording holds.
const tracedPosts = 150

// recording is a traced run: the files before it, the calls, the files after.
type recording struct {
	before map[string][]byte
	calls  []tracedCall
	folder string
}

func recordPosts(t *testing.T, mode Synchronous) *recording {
	t.Helper()
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder, "posts.db")
	makePosts(t, path)
	r := &recording{folder: folder, before: map[string][]byte{"posts.db": readFile(t, path)}}
	r.calls = traceSyscalls(t, folder, postEnv(path, mode, 8, tracedPosts, 0))
	return r
}

// image returns the file as a power cut at time cut may leave it; nil when it
// is missing.
func (r *recording) image(file string, cut int, f fate, random *rand.Rand) []byte {
	image, linked := bytes.Clone(r.before[file]), r.before[file] != nil
	var unsynced []tracedCall
	for _, c := range r.calls {
		if c.start >= cut {
			break
		}
		switch {
		case c.name == "fsync" && c.file == filepath.Base(r.folder) && c.end < cut && r.created(file, c.start):
			linked = true
		case c.file != file:
		case c.name == "fsync" || c.name == "fdatasync":
			if c.end < cut && c.result == 0 {
				image, unsynced = apply(image, unsynced, c.start)
			}
		case c.name == "pwrite64" || c.name == "ftruncate":
			unsynced = append(unsynced, c)
		}
	}
	if !linked && (!r.created(file, cut) || random.IntN(2) == 0) {
		return nil
	}
	for i, c := range unsynced {
		image = applyPart(image, c, func(s int) bool { return f.keep(random, i, len(unsynced), s) })
	}
	if image == nil {
		image = []byte{}
	}
	return image
}

// created reports whether file had been created before time.
func (r *recording) created(file string, time int) bool {
	for _, c := range r.calls {
		if c.file == file && (c.name == "open" || c.name == "openat") && c.end < time {
			return true
		}
	}
	return false
}

// apply puts the writes that ended before time into image, and returns those
// that are left.
func apply(image []byte, writes []tracedCall, time int) ([]byte, []tracedCall) {
	var left []tracedCall
	for _, c := range writes {
		if c.end >= time {
			left = append(left, c)
			continue
		}
		image = applyPart(image, c, func(int) bool { return true })
	}
	return image, left
}

// applyPart puts into image those sectors of a write (or the truncation, as
// sector 0) that keep wants.
func applyPart(image []byte, c tracedCall, keep func(sector int) bool) []byte {
	if c.name == "ftruncate" {
		if keep(0) {
			image = resize(image, int(c.offset))
		}
		return image
	}
	for at := 0; at < len(c.data); at += sectorLen {
		if !keep(at / sectorLen) {
			continue
		}
		end := min(at+sectorLen, len(c.data))
		if need := int(c.offset) + end; need > len(image) {
			image = resize(image, need)
		}
		copy(image[int(c.offset)+at:], c.data[at:end])
	}
	return image
}

func resize(b []byte, n int) []byte {
	if n <= len(b) {
		return b[:n]
	}
	return append(b, make([]byte, n-len(b))...)
}

// acknowledged returns the posts whose acknowledgement had begun before cut.
func (r *recording) acknowledged(cut int) []int64 {
	var ids []int64
	for _, c := range r.calls {
		if c.file == "acks" && c.name == "write" && c.start < cut {
			if got := parseRecord(c.data); got.kind == 'a' {
				ids = append(ids, got.id)
			}
		}
	}
	return ids
}

// cuts chooses n times for the power to go: right after an acknowledgement,
// and anywhere.
func (r *recording) cuts(n int, random *rand.Rand) []int {
	var acks []int
	for _, c := range r.calls {
		if c.file == "acks" && c.name == "write" && parseRecord(c.data).kind == 'a' {
			acks = append(acks, c.start+1)
		}
	}
	last := r.calls[len(r.calls)-1].start
	var cuts []int
	for i := range n {
		if i%2 == 0 {
			cuts = append(cuts, acks[random.IntN(len(acks))])
		} else {
			cuts = append(cuts, 1+random.IntN(last))
		}
	}
	return cuts
}

// survive builds images of n power cuts, and returns how many acknowledged posts
// they lost in all and what was wrong otherwise.
func (r *recording) survive(t *testing.T, n int, seed uint64) (lost int, damage []error) {
	random := rand.New(rand.NewPCG(seed, 1))
	folder := t.TempDir()
	for i, cut := range r.cuts(n, random) {
		f := fates[i/2%len(fates)]
		path := filepath.Join(folder, fmt.Sprint(i), "posts.db")
		if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		for suffix, file := range map[string]string{"": "posts.db", "-wal": "posts.db-wal"} {
			if image := r.image(file, cut, f, random); image != nil {
				if err := os.WriteFile(path+suffix, image, 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		gone, err := checkFile(path, r.acknowledged(cut))
		if err != nil {
			damage = append(damage, fmt.Errorf("power cut at line %d, unsynced writes %s: %w", cut, f.name, err))
		}
		lost += gone
		os.RemoveAll(filepath.Dir(path))
	}
	return lost, damage
}

func images(n int) int {
	if torture {
		return n * 25
	}
	return n
}

func TestPowerLossLosesNothingAcknowledged(t *testing.T) {
	r := recordPosts(t, Full)
	if got := len(r.acknowledged(1 << 62)); got != tracedPosts {
		t.Fatalf("the trace has %d acknowledgements, want %d", got, tracedPosts)
	}
	r.mustEqualTheFiles(t)
	lost, damage := r.survive(t, images(80), 1)
	if lost > 0 {
		t.Errorf("%d acknowledged posts are gone", lost)
	}
	for _, err := range damage {
		t.Error(err)
	}
}

// The trace shows every change: played back without a power cut it gives the
// files that the child left, byte by byte. And it holds what is worth cutting:
// commits, checkpoints, and a log begun anew.
func (r *recording) mustEqualTheFiles(t *testing.T) {
	t.Helper()
	for _, file := range []string{"posts.db", "posts.db-wal"} {
		played := r.image(file, 1<<62, fates[1], nil)
		if left := readFile(t, filepath.Join(r.folder, file)); !bytes.Equal(played, left) {
			t.Fatalf("%s: playing back %d calls gives %d bytes that differ from the %d left", file, len(r.calls), len(played), len(left))
		}
	}
	commits, checkpoints, logs := 0, 0, 0
	for _, c := range r.calls {
		switch sync := c.name == "fsync" || c.name == "fdatasync"; {
		case sync && c.file == "posts.db-wal":
			commits++
		case sync && c.file == "posts.db":
			checkpoints++
		case c.name == "pwrite64" && c.file == "posts.db-wal" && c.offset == 0:
			logs++
		}
	}
	t.Logf("%d calls: %d syncs of the log, %d of the database; the log was begun %d times", len(r.calls), commits, checkpoints, logs)
	if commits < 10 || checkpoints < 2 || logs < 2 {
		t.Error("too little happened: the test proves less than it says")
	}
}

// With NORMAL the latest writes may be gone, but nothing is damaged or half.
func TestPowerLossWithNormalKeepsTheFileSound(t *testing.T) {
	lost, damage := recordPosts(t, Normal).survive(t, images(24), 2)
	for _, err := range damage {
		t.Error(err)
	}
	t.Logf("%d acknowledged posts gone", lost)
}

// If this finds nothing, the tests above prove nothing.
func TestPowerLossWithOffIsFound(t *testing.T) {
	lost, damage := recordPosts(t, Off).survive(t, images(24), 3)
	t.Logf("%d acknowledged posts gone, %d of %d files damaged", lost, len(damage), images(24))
	if lost == 0 {
		t.Error("without a single sync nothing was lost: the harness is blind")
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
