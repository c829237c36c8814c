package sky

import (
	"time"
)

// The years that the embedded data covers, in any zone.
const (
	MinYear = 1900
	MaxYear = 2100
)

// A Date is a day of the Gregorian calendar, without a place or a zone. The zero
// value is not a date.
type Date struct {
	Year  int
	Month time.Month
	Day   int
}

// ParseDate reads a date of the form 2026-12-21. Anything else, and a day that
// the month does not have, is an [ErrDate]; a year outside MinYear to MaxYear is
// an [ErrRange].
func ParseDate(s string) (Date, error) {
	if len(s) != len("2006-01-02") || s[4] != '-' || s[7] != '-' {
		return Date{}, inputError(ErrDate, "parse date: %.40q is not of the form 2006-01-02", s)
	}
	var fields [3]int
	for i, digits := range [3]string{s[:4], s[5:7], s[8:]} {
		for _, c := range []byte(digits) {
			if c < '0' || c > '9' {
				return Date{}, inputError(ErrDate, "parse date: %.40q is not of the form 2006-01-02", s)
			}
			fields[i] = fields[i]*10 + int(c-'0')
		}
	}
	d := Date{Year: fields[0], Month: time.Month(fields[1]), Day: fields[2]}
	if err := d.check("parse date"); err != nil {
		return Date{}, err
	}
	return d, nil
}

// DateOf returns the date that t's own zone has at t.
func DateOf(t time.Time) Date {
	year, month, day := t.Date()
	return Date{Year: year, Month: month, Day: day}
}

// String returns the date in the form 2026-12-21.
func (d Date) String() string {
	return string(d.append(make([]byte, 0, 16)))
}

// AddDays returns the date n days later, earlier if n is negative. A date that
// does not exist counts on from what it would be: January 32 is February 1.
func (d Date) AddDays(n int) Date {
	return dateOfDay(d.days() + int64(n))
}

// Before reports whether d comes before other.
func (d Date) Before(other Date) bool {
	return d.days() < other.days()
}

// check says what is wrong with a date.
func (d Date) check(operation string) error {
	if d.Month < 1 || d.Month > 12 || d.Day < 1 || d.Day > daysIn(d.Year, d.Month) {
		return inputError(ErrDate, "%s: no calendar has the date %v", operation, d)
	}
	if d.Year < MinYear || d.Year > MaxYear {
		return inputError(ErrRange, "%s: the date %v is not within the years %d to %d", operation, d, MinYear, MaxYear)
	}
	return nil
}

// append writes the date after dst, with as many digits as each number has when
// it is longer than usual.
func (d Date) append(dst []byte) []byte {
	dst = appendPadded(dst, d.Year, 4)
	dst = append(dst, '-')
	dst = appendPadded(dst, int(d.Month), 2)
	dst = append(dst, '-')
	return appendPadded(dst, d.Day, 2)
}

// appendPadded writes n after dst with at least width digits.
func appendPadded(dst []byte, n, width int) []byte {
	magnitude := uint64(n)
	if n < 0 {
		dst = append(dst, '-')
		magnitude = -magnitude
	}
	var digits [20]byte
	at := len(digits)
	for magnitude > 0 || len(digits)-at < width {
		at--
		digits[at] = byte('0' + magnitude%10)
		magnitude /= 10
	}
	return append(dst, digits[at:]...)
}

// days counts days since 1970-01-01, by the era arithmetic of H. Hinnant,
// "chrono-compatible low-level date algorithms" (2013): years begin in March, so
// that the leap day is the last, and 400 of them have 146,097 days. Months out
// of 1 to 12 carry into the years.
func (d Date) days() int64 {
	months := int64(d.Month) - 1
	year := int64(d.Year) + floorDiv(months, 12)
	month := months - 12*floorDiv(months, 12) + 1 // 1 to 12
	if month <= 2 {
		year--
	}
	era := floorDiv(year, 400)
	yearOfEra := year - era*400
	dayOfYear := (153*((month+9)%12)+2)/5 + int64(d.Day) - 1
	return era*146097 + yearOfEra*365 + yearOfEra/4 - yearOfEra/100 + dayOfYear - 719468
}

// dateOfDay is the inverse of days.
func dateOfDay(days int64) Date {
	days += 719468
	era := floorDiv(days, 146097)
	dayOfEra := days - era*146097
	yearOfEra := (dayOfEra - dayOfEra/1460 + dayOfEra/36524 - dayOfEra/146096) / 365
	dayOfYear := dayOfEra - (365*yearOfEra + yearOfEra/4 - yearOfEra/100)
	march := (5*dayOfYear + 2) / 153 // months since March
	month := (march+2)%12 + 1
	year := yearOfEra + era*400
	if month <= 2 {
		year++
	}
	return Date{Year: int(year), Month: time.Month(month), Day: int(dayOfYear - (153*march+2)/5 + 1)}
}

// daysIn returns the number of days of a month from 1 to 12.
func daysIn(year int, month time.Month) int {
	switch month {
	case time.April, time.June, time.September, time.November:
		return 30
	case time.February:
		if year%4 == 0 && (year%100 != 0 || year%400 == 0) {
			return 29
		}
		return 28
	}
	return 31
}

// floorDiv divides, rounding down, by a positive divisor.
func floorDiv(a, b int64) int64 {
	if a < 0 {
		return (a - b + 1) / b
	}
	return a / b
}
