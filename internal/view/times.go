package view

import (
	"strconv"
	"time"
)

// Every message shows five times in three layouts, so these are written digit by
// digit: time's own layouts are parsed at every call, and were a third of the
// cost of a message.

// appendMillis appends t as the epoch milliseconds that the page's scripts sort by.
func appendMillis(dst []byte, t time.Time) []byte {
	return strconv.AppendInt(dst, t.UnixMilli(), 10)
}

// appendISO appends t in UTC to the second, as the datetime attribute wants it.
func appendISO(dst []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	dst = append(appendYear(dst, year), '-')
	dst = append(appendTwo(dst, int(month)), '-')
	dst = append(appendTwo(dst, day), 'T')
	dst = append(appendTwo(dst, hour), ':')
	dst = append(appendTwo(dst, minute), ':')
	return append(appendTwo(dst, second), 'Z')
}

// appendVersion appends t as YYYYMMDDHHMMSS in UTC, the version in picture URLs.
func appendVersion(dst []byte, t time.Time) []byte {
	t = t.UTC()
	year, month, day := t.Date()
	hour, minute, second := t.Clock()
	dst = appendTwo(appendYear(dst, year), int(month))
	dst = appendTwo(appendTwo(dst, day), hour)
	return appendTwo(appendTwo(dst, minute), second)
}

// appendDay appends t's day in UTC in words, for readers without scripts.
func appendDay(dst []byte, t time.Time) []byte {
	year, month, day := t.UTC().Date()
	dst = append(strconv.AppendInt(dst, int64(day), 10), ' ')
	dst = append(append(dst, month.String()...), ' ')
	return appendYear(dst, year)
}

// appendClock appends t's time of day in UTC, for readers without scripts.
func appendClock(dst []byte, t time.Time) []byte {
	hour, minute, _ := t.UTC().Clock()
	return appendTwo(append(appendTwo(dst, hour), ':'), minute)
}

func appendTwo(dst []byte, n int) []byte {
	return append(dst, byte('0'+n/10), byte('0'+n%10))
}

// appendYear appends at least four digits.
func appendYear(dst []byte, year int) []byte {
	if year < 0 || year > 9999 {
		return strconv.AppendInt(dst, int64(year), 10)
	}
	return appendTwo(appendTwo(dst, year/100), year%100)
}
