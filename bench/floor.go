package bench

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"
)

// floorAnswer is an answer of the real server that the floor repeats.
type floorAnswer struct {
	Path, Type, Encoding string
	Status               int
	Body                 []byte // as it was sent
	Unpacked             int    // bytes of it, unpacked
}

// Floor serves the answers in a file that Chat wrote, from memory, with nothing
// but net/http: the least that any server in this language costs. Chat runs it
// as a process of its own. It returns when ctx ends.
func Floor(ctx context.Context, addr, file string) error {
	content, err := os.ReadFile(file)
	if err != nil {
		return fmt.Errorf("floor: %w", err)
	}
	var answers []floorAnswer
	if err := json.Unmarshal(content, &answers); err != nil {
		return fmt.Errorf("floor: %s: %w", file, err)
	}
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return fmt.Errorf("floor: %w", err)
	}
	s := &http.Server{Handler: floorHandler(answers), ReadHeaderTimeout: answerTime}
	stopped := make(chan error, 1)
	go func() {
		<-ctx.Done()
		deadline, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		stopped <- s.Shutdown(deadline)
	}()
	if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("floor: %w", err)
	}
	return <-stopped
}

func floorHandler(answers []floorAnswer) http.Handler {
	byPath := map[string]*floorAnswer{}
	for i := range answers {
		byPath[answers[i].Path] = &answers[i]
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := byPath[r.URL.Path]
		if a == nil {
			http.NotFound(w, r)
			return
		}
		if r.Method == http.MethodPost {
			io.Copy(io.Discard, r.Body)
		}
		w.Header().Set("Content-Type", a.Type)
		if a.Encoding != "" {
			w.Header().Set("Content-Encoding", a.Encoding)
		}
		w.WriteHeader(a.Status)
		w.Write(a.Body)
	})
}

// record asks every question once and keeps the right answers for the floor.
func (s *site) record(ctx context.Context) (map[string]floorAnswer, error) {
	b, err := dial(ctx, s.addr)
	if err != nil {
		return nil, err
	}
	defer b.close()
	w := &worker{browser: b, site: s, person: firstReader, right: map[string][]byte{}}
	answers := map[string]floorAnswer{}
	for _, q := range questions() {
		request, judge := q.ask(w)
		a, err := b.ask(ctx, request)
		if err == nil {
			err = judge(a)
		}
		if err != nil {
			return nil, fmt.Errorf("wrong answer: %s: %w", q.name, err)
		}
		body, err := b.unpacked(a)
		if err != nil {
			return nil, fmt.Errorf("wrong answer: %s: %w", q.name, err)
		}
		answers[q.name] = floorAnswer{pathOf(request), a.Type, a.Encoding, a.Status, append([]byte(nil), a.Body...), len(body)}
	}
	return answers, s.searchesRight(ctx, w)
}

// searchesRight checks two searches that no cell asks: a rare word, and one that
// stands only where the reader may not look.
func (s *site) searchesRight(ctx context.Context, w *worker) error {
	for _, search := range []struct {
		word string
		want []line
	}{{rareWord, s.history.rare}, {forbiddenWord, nil}} {
		request, judge := w.search(search.word, search.want)
		a, err := w.browser.ask(ctx, request)
		if err == nil {
			err = judge(a)
		}
		if err != nil {
			return fmt.Errorf("wrong answer: search for %q: %w", search.word, err)
		}
	}
	return nil
}

// pathOf returns the path of a request, without its query.
func pathOf(request []byte) string {
	start, end := 0, 0
	for i, c := range request {
		switch {
		case c == ' ' && start == 0:
			start = i + 1
		case (c == ' ' || c == '?') && start > 0:
			end = i
		}
		if end > 0 {
			break
		}
	}
	return string(request[start:end])
}

func writeFloor(file string, answers map[string]floorAnswer) error {
	var all []floorAnswer
	for _, q := range questions() {
		all = append(all, answers[q.name])
	}
	content, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("write the floor's answers: %w", err)
	}
	return os.WriteFile(file, content, 0o600)
}

// onFloor asks what q asks, of the floor: the answer must be the recorded bytes.
func onFloor(q question, want floorAnswer) question {
	return question{q.name, func(w *worker) ([]byte, func(*answer) error) {
		request := w.floorRequest(q)
		return request, func(a *answer) error {
			if a.Status != want.Status || a.Encoding != want.Encoding || string(a.Body) != string(want.Body) {
				return errors.New("the floor answered other bytes than it was given")
			}
			return nil
		}
	}}
}

// floorRequest makes the first request of q and repeats it: what differs between
// requests is nothing to the floor, and a post to it is not one to look for.
func (w *worker) floorRequest(q question) []byte {
	if w.repeated == nil {
		w.repeated, _ = q.ask(w)
	}
	return w.repeated
}
