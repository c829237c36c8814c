package rails

import (
	"bytes"
	"time"
)

// Every request opens a cookie or two, and nearly all envelopes are, to the byte,
// what seal and sealCookie write. The functions here read exactly that and leave
// the rest to the JSON decoder, with which a fuzz test compares them.

// openUsual returns the value and the expiry (zero: never) of an envelope in the
// usual form with this purpose.
func openUsual(payload []byte, purpose string) (value []byte, expires time.Time, ok bool) {
	if rest, found := bytes.CutPrefix(payload, []byte(`{"_rails":{"message":"`)); found {
		text, rest, found := bytes.Cut(rest, []byte(`","exp":`))
		if !found {
			return nil, time.Time{}, false
		}
		if after, never := bytes.CutPrefix(rest, []byte("null")); never {
			rest = after
		} else if expires, rest, found = usualExpiry(rest); !found {
			return nil, time.Time{}, false
		}
		value, err := decode64(string(text))
		return value, expires, err == nil && endsUsual(rest, purpose)
	}
	rest, found := bytes.CutPrefix(payload, []byte(`{"_rails":{"data":`))
	if !found {
		return nil, time.Time{}, false
	}
	size := usualSize(rest)
	value, rest = rest[:size], rest[size:]
	if after, limited := bytes.CutPrefix(rest, []byte(`,"exp":`)); limited {
		if expires, rest, found = usualExpiry(after); !found {
			return nil, time.Time{}, false
		}
	}
	return value, expires, size > 0 && endsUsual(rest, purpose)
}

func endsUsual(rest []byte, purpose string) bool {
	rest, found := bytes.CutPrefix(rest, []byte(`,"pur":"`))
	return found && len(rest) == len(purpose)+len(`"}}`) && string(rest[:len(purpose)]) == purpose && string(rest[len(purpose):]) == `"}}`
}

// usualExpiry reads a quoted time as appendExpiry writes it.
func usualExpiry(rest []byte) (expires time.Time, after []byte, ok bool) {
	const size = len(`"2006-01-02T15:04:05.000Z"`)
	if len(rest) < size || rest[0] != '"' || rest[11] != 'T' || string(rest[size-2:size]) != `Z"` {
		return time.Time{}, nil, false
	}
	text := append(make([]byte, 0, size), rest[1:size-2]...)
	text[10] = ' '
	expires, err := ParseTime(string(text))
	return expires, rest[size:], err == nil
}

// usualSize returns how long the plain number or string at the start of rest is;
// zero means that it is something else.
func usualSize(rest []byte) int {
	if len(rest) > 0 && rest[0] == '"' {
		for i := 1; i < len(rest); i++ {
			switch c := rest[i]; {
			case c == '"':
				return i + 1
			case c == '\\', c < ' ', c > '~':
				return 0
			}
		}
		return 0
	}
	size := 0
	for size < len(rest) && rest[size]-'0' <= 9 {
		size++
	}
	if size > 1 && rest[0] == '0' || size > len("999999999999999999") {
		return 0
	}
	return size
}

// usualString reads a JSON string that stands for itself.
func usualString(text []byte) (string, bool) {
	if len(text) < 2 || text[0] != '"' || usualSize(text) != len(text) {
		return "", false
	}
	return string(text[1 : len(text)-1]), true
}

// usualInt reads a JSON number of some digits.
func usualInt(text []byte) (n int64, ok bool) {
	if len(text) == 0 || text[0] == '"' || usualSize(text) != len(text) {
		return 0, false
	}
	for _, digit := range text {
		n = 10*n + int64(digit-'0')
	}
	return n, true
}
