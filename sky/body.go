package sky

// A Body is one of the two that this package knows.
type Body uint8

const (
	Sun Body = iota
	Moon
)

// String returns "sun" or "moon".
func (b Body) String() string {
	switch b {
	case Sun:
		return "sun"
	case Moon:
		return "moon"
	}
	return "unknown body"
}
