package view

import (
	"testing"
	"time"
)

func TestTimesAreWrittenLikeTheirLayouts(t *testing.T) {
	zone := time.FixedZone("east", 5*3600+1800)
	for _, at := range []time.Time{
		{},
		time.Unix(0, 0),
		time.Date(2024, 2, 29, 23, 59, 59, 999999999, time.UTC),
		time.Date(2026, 1, 1, 3, 4, 5, 0, zone),
		time.Date(2026, 12, 31, 23, 59, 60, 0, time.UTC),
		time.Date(9999, 10, 9, 8, 7, 6, 0, time.UTC),
	} {
		for layout, write := range map[string]func([]byte, time.Time) []byte{
			"2006-01-02T15:04:05Z": appendISO,
			"20060102150405":       appendVersion,
			"2 January 2006":       appendDay,
			"15:04":                appendClock,
		} {
			if got, want := string(write(nil, at)), at.UTC().Format(layout); got != want {
				t.Errorf("%v is written %q, want %q", at, got, want)
			}
		}
	}
	if got := string(appendISO(nil, time.Date(12026, 1, 2, 3, 4, 5, 0, time.UTC))); got != "12026-01-02T03:04:05Z" {
		t.Errorf("a far year is written %q", got)
	}
}

func TestSizesReadLikePeopleSayThem(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 999: "999 bytes", 1000: "1.0 KB", 9949: "9.9 KB", 9951: "10 KB", 142_300: "142 KB", 999_499: "999 KB",
		999_500: "1.0 MB", 1_500_000: "1.5 MB", 31_000_000_000: "31 GB", 1 << 62: "4.6 EB",
	} {
		if got := string(appendSize(nil, n)); got != want {
			t.Errorf("%d bytes are %q, want %q", n, got, want)
		}
	}
}
