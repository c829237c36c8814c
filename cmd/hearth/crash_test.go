package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"hearth/sqlite"
)

// TestKillLosesNoAcknowledgedPost posts with sixteen clients, kills the server
// while they do, starts it again, and looks for everything that was acknowledged.
func TestKillLosesNoAcknowledgedPost(t *testing.T) {
	posts, rounds := 400, 1
	if os.Getenv("HEARTH_TORTURE") != "" {
		posts, rounds = 5000, 8
	}
	storage := sample(t)
	for round := range rounds {
		s := serve(t, storage, sampleEnv)
		acknowledged := postUntilKilled(t, s, round, posts)
		s.restart()
		if status := bot(t, s, http.MethodPost, "", "the server is back"); status == "" {
			t.Error("nothing can be posted after the restart")
		}
		s.stop()
		checkWhole(t, storage, acknowledged)
		if status, said := said(t, sampleEnv, "doctor", "--storage", storage); status != 0 {
			t.Errorf("doctor is not content, status %d:\n%s", status, said)
		}
	}
}

// postUntilKilled starts to post what is asked and kills the server somewhere
// on the way. It returns what was acknowledged: texts by id.
func postUntilKilled(t *testing.T, s *server, round, posts int) map[int64]string {
	t.Helper()
	const clients = 16
	killAt := int64(posts/4 + rand.IntN(posts/2))
	var next, done, open atomic.Int64
	var mu sync.Mutex // guards acknowledged
	acknowledged := map[int64]string{}
	enough := make(chan struct{})
	client := &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: clients}}
	var running sync.WaitGroup
	for range clients {
		running.Go(func() {
			for i := next.Add(1); i <= int64(posts); i = next.Add(1) {
				text := fmt.Sprintf("round%d unforgettable%d", round, i)
				open.Add(1)
				id, err := postOnce(t.Context(), client, s.URL, text)
				if err != nil {
					return // the server is dead; the post stays open
				}
				open.Add(-1)
				mu.Lock()
				acknowledged[id] = text
				mu.Unlock()
				if done.Add(1) == killAt {
					close(enough)
				}
			}
		})
	}
	select {
	case <-enough:
	case <-time.After(2 * time.Minute):
		t.Fatalf("only %d posts were acknowledged in two minutes", done.Load())
	}
	s.kill()
	running.Wait()
	t.Logf("round %d: killed with %d posts acknowledged and %d open", round, len(acknowledged), open.Load())
	if int64(len(acknowledged)) < killAt || open.Load() == 0 {
		t.Errorf("the kill hit nothing: %d of %d acknowledged, %d open", len(acknowledged), posts, open.Load())
	}
	return acknowledged
}

// postOnce posts as a bot and returns the id that the server has acknowledged.
func postOnce(ctx context.Context, client *http.Client, server, text string) (int64, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, server+allTalk+"/"+bender+"/messages", strings.NewReader(text))
	if err != nil {
		return 0, err
	}
	answer, err := client.Do(request)
	if err != nil {
		return 0, err
	}
	answer.Body.Close()
	if answer.StatusCode != http.StatusCreated {
		return 0, fmt.Errorf("status %d", answer.StatusCode)
	}
	location := answer.Header.Get("Location")
	return strconv.ParseInt(location[strings.LastIndex(location, "/")+1:], 10, 64)
}

// checkWhole looks into the database: each acknowledged message is whole, and
// no message is half there.
func checkWhole(t *testing.T, storage string, acknowledged map[int64]string) {
	t.Helper()
	db, err := sqlite.Open(t.Context(), filepath.Join(storage, "db", "production.sqlite3"), sqlite.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	found, lost := map[int64]bool{}, []string{}
	err = db.Read(t.Context(), func(in *sqlite.Snapshot) error {
		err := in.Query(`SELECT m.id, t.body, i.body FROM messages m
			JOIN action_text_rich_texts t ON t.record_type = 'Message' AND t.record_id = m.id AND t.name = 'body'
			JOIN message_search_index i ON i.rowid = m.id`, func(row sqlite.Row) error {
			id := row.Int(0)
			found[id] = true
			if text, ours := acknowledged[id]; ours && (!strings.Contains(row.Text(1), text) || !strings.Contains(row.Text(2), text)) {
				lost = append(lost, fmt.Sprintf("message %d is %q, indexed as %q", id, row.Text(1), row.Text(2)))
			}
			return nil
		})
		if err != nil {
			return err
		}
		return in.Query("PRAGMA integrity_check", func(row sqlite.Row) error {
			if row.Text(0) != "ok" {
				lost = append(lost, "integrity: "+row.Text(0))
			}
			return nil
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	for id, text := range acknowledged {
		if !found[id] {
			lost = append(lost, fmt.Sprintf("message %d, %q, was acknowledged and isn't whole", id, text))
		}
	}
	for query, what := range map[string]string{
		`SELECT id FROM messages WHERE id NOT IN (SELECT record_id FROM action_text_rich_texts WHERE record_type = 'Message')
			AND id NOT IN (SELECT record_id FROM active_storage_attachments WHERE record_type = 'Message')`: "message without text or file",
		`SELECT id FROM messages WHERE id NOT IN (SELECT rowid FROM message_search_index)`:                                          "message without its row in the index",
		`SELECT rowid FROM message_search_index WHERE rowid NOT IN (SELECT id FROM messages)`:                                       "row in the index without its message",
		`SELECT record_id FROM action_text_rich_texts WHERE record_type = 'Message' AND record_id NOT IN (SELECT id FROM messages)`: "text without its message",
	} {
		err := db.Read(t.Context(), func(in *sqlite.Snapshot) error {
			return in.Query(query, func(row sqlite.Row) error {
				lost = append(lost, fmt.Sprintf("%s: %d", what, row.Int(0)))
				return nil
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	slices.Sort(lost)
	for _, one := range lost[:min(len(lost), 20)] {
		t.Error(one)
	}
	if len(lost) > 20 {
		t.Errorf("and %d more", len(lost)-20)
	}
}
