package measure

import (
	"cmp"
	"slices"
	"time"
)

// Percentile returns the smallest of sorted that at least p percent of them are
// not above: the nearest rank. sorted must be ascending; of nothing it is 0.
func Percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(p / 100 * float64(len(sorted)))
	if float64(rank) < p/100*float64(len(sorted)) {
		rank++
	}
	return sorted[min(max(rank, 1), len(sorted))-1]
}

// median returns the middle of values, or the mean of the two middle ones; of
// nothing it is 0. It leaves values as they are.
func median[T cmp.Ordered](values []T, mean func(a, b T) T) T {
	var none T
	if len(values) == 0 {
		return none
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return sorted[middle]
	}
	return mean(sorted[middle-1], sorted[middle])
}

// MedianOf returns the median of one figure over samples; of nothing it is 0.
func MedianOf[S any](samples []S, figure func(S) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = figure(s)
	}
	return median(values, func(a, b float64) float64 { return (a + b) / 2 })
}

// RangeOf returns the smallest and the largest figure of samples.
func RangeOf[S any](samples []S, figure func(S) float64) (low, high float64) {
	for i, s := range samples {
		value := figure(s)
		if i == 0 {
			low, high = value, value
		}
		low, high = min(low, value), max(high, value)
	}
	return low, high
}
