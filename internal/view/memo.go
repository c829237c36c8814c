package view

import (
	"sync"
	"time"
)

// memoMax bounds a memo. A chat has hundreds of people, and a page shows tens of
// files, so a memo that is full is emptied rather than kept in order of use.
const memoMax = 16384

// never is the expiry of tokens that don't expire.
var never time.Time

// A memo remembers a pure function of an id, so that a signature is computed
// once and later renderings allocate nothing.
type memo struct {
	make func(id int64) string // set before first use, never changed

	mu   sync.RWMutex // guards the field below
	made map[int64]string
}

func (m *memo) get(id int64) string {
	m.mu.RLock()
	s, ok := m.made[id]
	m.mu.RUnlock()
	if ok {
		return s
	}
	s = m.make(id)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.made == nil || len(m.made) >= memoMax {
		m.made = make(map[int64]string)
	}
	m.made[id] = s
	return s
}
