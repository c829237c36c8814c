package isolate

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestAHistogramPutsADurationBelowItsBucketsLimit(t *testing.T) {
	for _, d := range []time.Duration{-1, 0, 1, 1023, 1024, 1025, 2047, 2048, time.Millisecond, time.Second, time.Minute, 137 * time.Second, 10 * time.Minute, 1 << 62} {
		var h Histogram
		h.add(d)
		i := 0
		for h[i] == 0 {
			i++
		}
		if d >= h.BucketLimit(i) && i < len(h)-1 || i > 0 && d < h.BucketLimit(i-1) {
			t.Errorf("%v is in bucket %d, from %v to %v", d, i, h.BucketLimit(i-1), h.BucketLimit(i))
		}
	}
}

func TestAQuantileIsABucketsLimit(t *testing.T) {
	var h Histogram
	if got := h.Quantile(0.5); got != 0 {
		t.Errorf("of nothing: %v", got)
	}
	for range 90 {
		h.add(100 * time.Nanosecond)
	}
	for range 10 {
		h.add(time.Millisecond)
	}
	for _, c := range []struct {
		part float64
		want time.Duration
	}{
		{0, 1024}, {0.5, 1024}, {0.89, 1024}, {0.9, 1 << 20}, {0.99, 1 << 20}, {1, 1 << 20},
	} {
		if got := h.Quantile(c.part); got != c.want {
			t.Errorf("quantile %v is %v, want %v", c.part, got, c.want)
		}
	}
	if got := h.Count(); got != 100 {
		t.Errorf("count %d, want 100", got)
	}
}

func TestQueueWaitIsWhatQuestionsWaitedForAWorker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shop := &workshop{}
		p := shop.open(t, Options{Workers: 1, Deadline: time.Hour})
		second := func(context.Context, *state) (int, error) { time.Sleep(time.Second); return 0, nil }
		for _, do := range []deed{second, second, second, panics(1), patient} {
			asking(p, t.Context(), do) // waits 0, 1, 2, 3 and 3 s
		}
		time.Sleep(2 * time.Hour)
		var want Histogram
		for i := range 5 {
			want.add(time.Duration(min(i, 3)) * time.Second)
		}
		s := p.Stats()
		if s.QueueWait != want {
			t.Errorf("queue waits %v, want %v", s.QueueWait, want)
		}
		if want := 3*time.Second + time.Hour; s.Busy != want {
			t.Errorf("busy for %v, want %v", s.Busy, want)
		}
	})
}
