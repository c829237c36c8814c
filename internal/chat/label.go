package chat

import "fmt"

// labelMax is how many bytes a name, an address, a boost or a client's id of a
// message may have. A page repeats them: forty messages of somebody whose name has
// a megabyte would be a page of hundreds, for everybody in the room.
const labelMax = 1 << 10

// checkLabel returns ErrInvalid for a text that is longer. What begins the sentence
// that people read.
func checkLabel(what, text string) error {
	if len(text) > labelMax {
		return fmt.Errorf("%w: %s can have %d bytes", ErrInvalid, what, labelMax)
	}
	return nil
}
