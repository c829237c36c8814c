package richtext

// SafeHTML is HTML that may be written into an element of a page as it is. Only
// this package makes it.
type SafeHTML string

// A Person is whom a mention shows.
type Person struct {
	ID        int64
	Name      string
	Title     string // name and bio, for the tooltip
	AvatarURL string // relative
}

// People finds whom a mention points to, as they are now. It is called while
// rendering, so it must not query: see MentionIDs.
type People func(id int64) (Person, bool)

// find is People that may be nil: then nobody is known.
func (people People) find(id int64) (Person, bool) {
	if people == nil {
		return Person{}, false
	}
	return people(id)
}
