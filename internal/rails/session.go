package rails

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// SessionCookie and TokenCookie are the names of the two cookies that matter:
// the encrypted browser session and the signed login.
const (
	SessionCookie = "_campfire_session"
	TokenCookie   = "session_token"
)

// A Session is what the encrypted cookie of a browser holds. It belongs to one
// request. The login is not in it: that is the signed cookie and its table.
type Session struct {
	ID        string // 32 hexadecimal digits
	CSRFToken string // the secret, see NewCSRFSecret
	ReturnTo  string // absolute URL to go to after signing in

	Flash Flash // what the request before left to be shown now; not written back
	Next  Flash // what the next request shall show

	others map[string]json.RawMessage // keys of the old server or of a later one
}

// A Flash is a sentence or two for the next page.
type Flash struct{ Notice, Alert string }

// session keys
const (
	idKey       = "session_id"
	csrfKeyName = "_csrf_token"
	returnKey   = "return_to_after_authenticating"
	flashKey    = "flash"
)

type flashJSON struct {
	Discard []string                   `json:"discard"`
	Flashes map[string]json.RawMessage `json:"flashes"`
}

// ParseSession reads the JSON that DecryptCookie returned. Known keys that hold
// something else than text count as missing.
func ParseSession(text []byte) (*Session, error) {
	s := &Session{}
	if err := json.Unmarshal(text, &s.others); err != nil || s.others == nil {
		return nil, fmt.Errorf("parse session: %w", ErrInvalid)
	}
	s.ID = s.take(idKey)
	s.CSRFToken = s.take(csrfKeyName)
	s.ReturnTo = s.take(returnKey)
	var flash flashJSON
	if json.Unmarshal(s.others[flashKey], &flash) == nil {
		for _, key := range flash.Discard {
			delete(flash.Flashes, key)
		}
		s.Flash.Notice, _ = jsonString(flash.Flashes["notice"])
		s.Flash.Alert, _ = jsonString(flash.Flashes["alert"])
	}
	delete(s.others, flashKey)
	return s, nil
}

func (s *Session) take(key string) string {
	text, _ := jsonString(s.others[key])
	delete(s.others, key)
	return text
}

// JSON returns the session for EncryptCookie, with the keys it does not know as
// they came.
func (s *Session) JSON() []byte {
	out := []byte{'{'}
	out = appendMember(out, idKey, s.ID)
	out = appendMember(out, csrfKeyName, s.CSRFToken)
	out = appendMember(out, returnKey, s.ReturnTo)
	if s.Next != (Flash{}) {
		flash := []byte{'{'}
		flash = appendMember(flash, "notice", s.Next.Notice)
		flash = append(appendMember(flash, "alert", s.Next.Alert), '}')
		out = appendRaw(out, flashKey, escapedJSON(flashJSON{Discard: []string{}, Flashes: members(flash)}))
	}
	for _, key := range slices.Sorted(maps.Keys(s.others)) {
		out = appendRaw(out, key, s.others[key])
	}
	return append(out, '}')
}

func members(object []byte) (m map[string]json.RawMessage) {
	if err := json.Unmarshal(object, &m); err != nil {
		panic("rails: " + err.Error()) // written three lines above
	}
	return m
}

// appendMember leaves out what is empty.
func appendMember(dst []byte, key, value string) []byte {
	if value == "" {
		return dst
	}
	return appendRaw(dst, key, escapedString(value))
}

func appendRaw(dst []byte, key string, value []byte) []byte {
	if !bytes.HasSuffix(dst, []byte("{")) {
		dst = append(dst, ',')
	}
	dst = append(dst, escapedString(key)...)
	return append(append(dst, ':'), value...)
}
