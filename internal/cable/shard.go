package cable

import "sync"

// shard owns the streams whose names hash to it.
type shard struct {
	mu      sync.Mutex // guards streams and what is in it; never held while waiting
	streams map[string]stream
	_       [40]byte // keeps neighbours out of each other's cache lines
}

// stream is who listens under one name. Subscriptions whose clients wrote the same
// identifier hear exactly the same bytes, so that a broadcast makes one frame per
// group: members of a room are one.
type stream map[string]map[*Subscription]struct{}

func (sh *shard) attach(name string, s *Subscription) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.streams == nil {
		sh.streams = map[string]stream{}
	}
	groups := sh.streams[name]
	if groups == nil {
		groups = stream{}
		sh.streams[name] = groups
	}
	if groups[s.token] == nil {
		groups[s.token] = map[*Subscription]struct{}{}
	}
	groups[s.token][s] = struct{}{}
}

func (sh *shard) detach(name string, s *Subscription) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.remove(name, s)
}

func (sh *shard) listening(name string) bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return len(sh.streams[name]) > 0
}

// detachUser ends what the user hears of the stream.
func (sh *shard) detachUser(name string, user int64) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, group := range sh.streams[name] {
		for s := range group {
			if s.conn.user == user {
				sh.remove(name, s)
			}
		}
	}
}

// remove drops what became empty, too. The caller holds mu.
func (sh *shard) remove(name string, s *Subscription) {
	groups := sh.streams[name]
	delete(groups[s.token], s)
	if len(groups[s.token]) == 0 {
		delete(groups, s.token)
	}
	if len(groups) == 0 {
		delete(sh.streams, name)
	}
}

// broadcast puts the message into the outbox of everybody who listens, or of those
// whose user is in only, unless that is nil. It returns to how many.
func (sh *shard) broadcast(name string, only map[int64]struct{}, message []byte, prepare bool) (delivered int) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for token, group := range sh.streams[name] {
		var frame []byte
		for s := range group {
			if only != nil {
				if _, included := only[s.conn.user]; !included {
					continue
				}
			}
			if frame == nil || !prepare {
				frame = messageFrame(token, message)
			}
			if s.send(frame) {
				delivered++
			}
		}
	}
	return delivered
}
