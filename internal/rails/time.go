package rails

import (
	"fmt"
	"time"
)

// timeLayout is how Rails stores times in SQLite: UTC, without zone. Comparing
// the texts compares the times, as long as everybody writes this layout.
const timeLayout = "2006-01-02 15:04:05"

// FormatTime returns t as the database holds it: microseconds, cut off rather
// than rounded, and no fraction at all when it would be zero.
func FormatTime(t time.Time) string {
	return string(AppendTime(make([]byte, 0, len("2006-01-02 15:04:05.000000")), t))
}

// AppendTime appends what FormatTime returns.
func AppendTime(dst []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	if year < 0 || year > 9999 {
		return t.AppendFormat(dst, timeLayout) // nobody's time; longer than the layout
	}
	hour, minute, second := t.Clock()
	dst = appendPair(appendPair(dst, year/100), year%100)
	dst = appendPair(append(dst, '-'), int(month))
	dst = appendPair(append(dst, '-'), day)
	dst = appendPair(append(dst, ' '), hour)
	dst = appendPair(append(dst, ':'), minute)
	dst = appendPair(append(dst, ':'), second)
	if micros := t.Nanosecond() / 1000; micros > 0 {
		dst = appendPair(append(dst, '.'), micros/10000)
		dst = appendPair(dst, micros/100%100)
		dst = appendPair(dst, micros%100)
	}
	return dst
}

// appendPair appends two digits.
func appendPair(dst []byte, n int) []byte {
	return append(dst, byte('0'+n/10), byte('0'+n%10))
}

// ParseTime reads a time of the database: no fraction, three digits (written by
// SQLite itself) or six.
func ParseTime(s string) (time.Time, error) {
	if len(s) != 19 && len(s) != 23 && len(s) != 26 {
		return time.Time{}, timeError(s)
	}
	d := digits{text: s, ok: true}
	year := d.at(0, 4)
	month := d.at(5, 2)
	day := d.at(8, 2)
	hour := d.at(11, 2)
	minute := d.at(14, 2)
	second := d.at(17, 2)
	var nanosecond int
	switch len(s) {
	case 23:
		nanosecond = d.at(20, 3) * 1e6
	case 26:
		nanosecond = d.at(20, 6) * 1e3
	}
	separated := s[4] == '-' && s[7] == '-' && s[10] == ' ' && s[13] == ':' && s[16] == ':' && (len(s) == 19 || s[19] == '.')
	if !d.ok || !separated || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, timeError(s)
	}
	t := time.Date(year, time.Month(month), day, hour, minute, second, nanosecond, time.UTC)
	if t.Day() != day {
		return time.Time{}, timeError(s) // the 31st of a shorter month
	}
	return t, nil
}

func timeError(s string) error {
	if len(s) > 40 {
		s = s[:40]
	}
	return fmt.Errorf("parse database time %q: not YYYY-MM-DD HH:MM:SS with 0, 3 or 6 fraction digits", s)
}

// digits reads numbers at fixed places; ok turns false at the first non-digit.
type digits struct {
	text string
	ok   bool
}

func (d *digits) at(start, size int) (n int) {
	for i := start; i < start+size; i++ {
		digit := d.text[i] - '0'
		if digit > 9 {
			d.ok = false
			return 0
		}
		n = 10*n + int(digit)
	}
	return n
}
