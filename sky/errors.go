package sky

import (
	"errors"
	"fmt"
)

// What can be wrong with a question. The error of a call wraps one of these and
// reads as one sentence that says what to change; nothing is computed by halves.
var (
	ErrPlace    = errors.New("sky: not a place")                     // latitude, longitude or elevation out of bounds or not a number
	ErrDate     = errors.New("sky: not a date")                      // a date that no calendar has, or that the zone skipped
	ErrRange    = errors.New("sky: outside the years 1900 to 2100")  // a date or an instant that the data does not cover
	ErrZone     = errors.New("sky: no zone")                         // a nil *time.Location
	ErrDays     = errors.New("sky: not a number of days")            // fewer than 1 or more than MaxDays
	ErrSettings = errors.New("sky: settings out of bounds")          // a setting that is out of bounds or not a number
	ErrNoEvent  = errors.New("sky: no such event from 1900 to 2100") // Next or Previous reached the end of the data
)

// badInput is a sentence about an input, with the kind of mistake to branch on.
type badInput struct {
	kind     error
	sentence string
}

func (e *badInput) Error() string { return e.sentence }
func (e *badInput) Unwrap() error { return e.kind }

func inputError(kind error, format string, args ...any) error {
	return &badInput{kind: kind, sentence: fmt.Sprintf(format, args...)}
}

// errUnfinished is what the search answers until it is there.
var errUnfinished = errors.New("sky: not computed yet")
