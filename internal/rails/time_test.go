package rails

import (
	"strings"
	"testing"
	"time"
)

func TestTimesAreTextInThreePrecisions(t *testing.T) {
	berlin := time.FixedZone("CET", 3600)
	for _, test := range []struct {
		t    time.Time
		want string
	}{
		{time.Date(2026, 11, 30, 17, 0, 0, 0, time.UTC), "2026-11-30 17:00:00"},
		{time.Date(2026, 11, 30, 17, 0, 0, 999, time.UTC), "2026-11-30 17:00:00"},
		{time.Date(2026, 11, 30, 17, 0, 0, 1000, time.UTC), "2026-11-30 17:00:00.000001"},
		{time.Date(2026, 11, 30, 17, 0, 0, 999_999_999, time.UTC), "2026-11-30 17:00:00.999999"},
		{time.Date(2026, 11, 30, 0, 30, 0, 120e6, berlin), "2026-11-29 23:30:00.120000"},
		{time.Date(1, 2, 3, 4, 5, 6, 0, time.UTC), "0001-02-03 04:05:06"},
	} {
		got := FormatTime(test.t)
		if got != test.want {
			t.Errorf("FormatTime(%v) = %q, want %q", test.t, got, test.want)
		}
		back, err := ParseTime(got)
		if want := test.t.Truncate(time.Microsecond); err != nil || !back.Equal(want) || back.Location() != time.UTC {
			t.Errorf("ParseTime(%q) = %v, %v; want %v", got, back, err, want)
		}
	}
	for _, year := range []int{-1, 10000} {
		odd := time.Date(year, 2, 3, 4, 5, 6, 0, time.UTC)
		if got, want := FormatTime(odd), odd.Format(timeLayout); got != want {
			t.Errorf("year %d is written as %q, want %q", year, got, want)
		}
	}
	back, err := ParseTime("2026-11-30 17:00:00.123")
	if err != nil || back.Nanosecond() != 123e6 {
		t.Errorf("three digits are read as %v, %v", back, err)
	}
	var buffer [32]byte
	if n := testing.AllocsPerRun(100, func() { AppendTime(buffer[:0], now) }); n != 0 {
		t.Errorf("AppendTime allocates %v times", n)
	}
}

func TestOtherTextsAreNoTimes(t *testing.T) {
	for _, text := range []string{
		"", "now", "2026-11-30", "2026-11-30T17:00:00", "2026-11-30 17:00:00Z", "2026-11-30 17:00:00.1", "2026-11-30 17:00:00.1234567",
		"2026-13-01 00:00:00", "2026-00-01 00:00:00", "2026-02-30 00:00:00", "2026-01-00 00:00:00", "2026-01-01 24:00:00", "2026-01-01 00:60:00",
		"2026-01-01 00:00:60", "2026-01-01 00:00:00,123", "+026-01-01 00:00:00", "2026/01/01 00:00:00", "２026-01-01 00:00", strings.Repeat("9", 1000),
	} {
		if got, err := ParseTime(text); err == nil {
			t.Errorf("ParseTime(%q) = %v", text, got)
		}
	}
}
