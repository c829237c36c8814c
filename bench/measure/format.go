package measure

import (
	"fmt"
	"time"
)

// Milliseconds returns d as a number of milliseconds.
func Milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// Microseconds returns d as a number of microseconds.
func Microseconds(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// Megabytes returns bytes as a number of binary megabytes.
func Megabytes(bytes int64) float64 { return float64(bytes) / (1 << 20) }

// OrDash writes a figure, or a dash for 0: what this system can't tell.
func OrDash(value float64, format string) string {
	if value == 0 {
		return "–"
	}
	return fmt.Sprintf(format, value)
}

// Ratio writes how many times to fits into value; a dash when either is not known.
func Ratio(value, to float64) string {
	if value == 0 || to == 0 {
		return "–"
	}
	return fmt.Sprintf("%.1f", value/to)
}

// Thousands writes a figure with commas: 12,345.
func Thousands(value float64) string {
	digits := fmt.Sprintf("%.0f", value)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}
