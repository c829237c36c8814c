package web

import (
	"strconv"
	"testing"
	"time"
)

func TestLimiterCountsInWindowsFromTheFirstAttempt(t *testing.T) {
	l := newLimiter(3, time.Minute, 100)
	start := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i, want := range []bool{true, true, true, false, false} {
		if got := l.allow("a", start.Add(time.Duration(i)*10*time.Second)); got != want {
			t.Errorf("attempt %d allowed: %v, want %v", i+1, got, want)
		}
	}
	if !l.allow("b", start) {
		t.Error("another address is refused")
	}
	if !l.allow("a", start.Add(time.Minute)) {
		t.Error("still refused when the window has ended")
	}
}

func TestLimiterKeepsItsBound(t *testing.T) {
	l := newLimiter(1, time.Minute, 50)
	start := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	for i := range 500 {
		if !l.allow(strconv.Itoa(i), start.Add(time.Duration(i)*time.Millisecond)) {
			t.Fatalf("first attempt of %d refused", i)
		}
		if len(l.windows) > 50 {
			t.Fatalf("%d windows after %d addresses", len(l.windows), i+1)
		}
	}
	if l.allow("499", start.Add(time.Second)) {
		t.Error("the newest address was forgotten")
	}
}
