package measure

import (
	"testing"
	"time"
)

func TestPercentileIsTheNearestRank(t *testing.T) {
	hundred := make([]time.Duration, 100)
	for i := range hundred {
		hundred[i] = time.Duration(i + 1)
	}
	for _, c := range []struct {
		sorted []time.Duration
		p      float64
		want   time.Duration
	}{
		{nil, 50, 0},
		{[]time.Duration{7}, 0, 7},
		{[]time.Duration{7}, 99, 7},
		{[]time.Duration{1, 2}, 50, 1},
		{[]time.Duration{1, 2}, 51, 2},
		{[]time.Duration{1, 2, 3}, 50, 2},
		{hundred, 50, 50},
		{hundred, 99, 99},
		{hundred, 99.1, 100},
		{hundred, 100, 100},
		{hundred[:10], 99, 10},
	} {
		if got := Percentile(c.sorted, c.p); got != c.want {
			t.Errorf("Percentile %v of %v is %d, want %d", c.p, c.sorted, got, c.want)
		}
	}
}

func TestMedianIsTheMiddleWhateverTheOrder(t *testing.T) {
	same := func(f float64) float64 { return f }
	for _, c := range []struct {
		values []float64
		want   float64
	}{
		{nil, 0},
		{[]float64{3}, 3},
		{[]float64{9, 1, 5}, 5},
		{[]float64{4, 1, 3, 2}, 2.5},
		{[]float64{1, 1, 100}, 1},
	} {
		before := append([]float64(nil), c.values...)
		if got := MedianOf(c.values, same); got != c.want {
			t.Errorf("median of %v is %v, want %v", c.values, got, c.want)
		}
		for i := range before {
			if c.values[i] != before[i] {
				t.Errorf("median moved its argument: %v, was %v", c.values, before)
			}
		}
	}
	if low, high := RangeOf([]float64{4, 9, 2}, same); low != 2 || high != 9 {
		t.Errorf("range is %v to %v, want 2 to 9", low, high)
	}
}
