package sqlite

import (
	"context"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

// torture says whether every crash is to be tried at full length (make torture).
var torture = os.Getenv("HEARTH_TORTURE") != ""

// TestKillLosesNothingAcknowledged kills a child (SIGKILL) that has 16 writers
// at work, and looks for every post whose acknowledgement had come out by pipe.
// Ten rounds share a file, so that a child also begins with what the one before
// it left.
func TestKillLosesNothingAcknowledged(t *testing.T) {
	rounds := 20
	if torture {
		rounds = 1000
	}
	hits, posts, orphans := 0, 0, 0
	var path string
	var acknowledged []int64
	for round := range rounds {
		if round%10 == 0 {
			path, acknowledged = filepath.Join(t.TempDir(), "posts.db"), nil
			makePosts(t, path)
		}
		mode := Full
		if round%4 == 3 {
			mode = Normal // a killed process loses nothing here either
		}
		begun, acks := killWhilePosting(t, path, mode, int64(round)*1_000_000)
		acknowledged = append(acknowledged, acks...)
		if begun > len(acks) {
			hits++
		}
		posts += len(acks)
		orphans += begun - len(acks)
		if lost, err := checkFile(path, acknowledged); lost > 0 || err != nil {
			t.Fatalf("round %d (%v): %d of %d acknowledged posts lost; %v", round, mode, lost, len(acknowledged), err)
		}
	}
	t.Logf("%d kills, %d with calls outstanding (%d calls), %d posts acknowledged", rounds, hits, orphans, posts)
	if hits*10 < rounds*9 {
		t.Errorf("only %d of %d kills hit an outstanding call", hits, rounds)
	}
}

func makePosts(t testing.TB, path string) {
	t.Helper()
	db, err := Open(context.Background(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Write(context.Background(), createPosts); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// killWhilePosting kills a child after a random number of acknowledgements, and
// returns how many posts it had begun and which were acknowledged.
func killWhilePosting(t *testing.T, path string, mode Synchronous, from int64) (begun int, acknowledged []int64) {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	child := childCommand("post", postEnv(path, mode, 16, 0, from)...)
	child.ExtraFiles = []*os.File{writer}
	err = child.Start()
	writer.Close()
	if err != nil {
		t.Fatal(err)
	}
	killAt := 1 + rand.IntN(200)
	err = receive(reader, func(r record) {
		switch r.kind {
		case 'b':
			begun++
		case 'a':
			acknowledged = append(acknowledged, r.id)
			if len(acknowledged) == killAt {
				child.Process.Kill()
			}
		}
	})
	child.Process.Kill()
	child.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if len(acknowledged) < killAt {
		t.Fatalf("the child ended by itself after %d posts", len(acknowledged))
	}
	return begun, acknowledged
}

// checkFile opens what a crash left and checks it.
func checkFile(path string, acknowledged []int64) (lost int, err error) {
	db, err := Open(context.Background(), path, Options{Readers: 1, NoCheckpointer: true})
	if err != nil {
		return 0, err
	}
	err = db.Read(context.Background(), func(s *Snapshot) (err error) {
		lost, err = checkPosts(s.Queries, acknowledged)
		return err
	})
	return lost, errors.Join(err, db.Close())
}
