package chat

import "fmt"

// labelMax is how many bytes a name, an address, a boost or a client's id of a
// message may have. A page repeats them: forty messages of somebody whose name has
// a megabyte would be a page of hundreds, for everybody in the room.
const labelMax = 1 << 10

// bodyMax is how many bytes the body of a message may have as it comes: some thirty
// pages of text. Links and entities grow up to eightfold on the page, and a page
// shows forty messages to everybody in the room. Longer ones that are in the
// database already are shown.
const bodyMax = 64 << 10

// checkBody returns ErrInvalid for a body that is longer.
func checkBody(body string) error {
	if len(body) > bodyMax {
		return fmt.Errorf("%w: a message can have %d KB; split it into several", ErrInvalid, bodyMax>>10)
	}
	return nil
}

// checkLabel returns ErrInvalid for a text that is longer. What begins the sentence
// that people read.
func checkLabel(what, text string) error {
	if len(text) > labelMax {
		return fmt.Errorf("%w: %s can have %d bytes", ErrInvalid, what, labelMax)
	}
	return nil
}
