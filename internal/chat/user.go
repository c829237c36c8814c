package chat

import (
	"strings"
	"time"
	"unicode"
)

// Role is what somebody may do.
type Role int

const (
	Member Role = iota
	Administrator
	Bot
)

// String returns the role's name in forms and in the bots' interface.
func (r Role) String() string {
	switch r {
	case Administrator:
		return "administrator"
	case Bot:
		return "bot"
	}
	return "member"
}

// Status says whether somebody may still come in.
type Status int

const (
	Active Status = iota
	Deactivated
	Banned
)

// User is a person or a bot.
type User struct {
	ID        UserID
	Name      string
	Email     string // empty for bots
	Bio       string
	Role      Role
	Status    Status
	BotToken  string // empty for people
	CreatedAt time.Time
	UpdatedAt time.Time
}

// Active reports whether u may come in.
func (u *User) Active() bool { return u.Status == Active }

// Administrator reports whether u runs the account.
func (u *User) Administrator() bool { return u.Role == Administrator }

// Bot reports whether u is a bot.
func (u *User) Bot() bool { return u.Role == Bot }

// CanAdminister reports whether u may change what creator made: administrators
// may, and the creator.
func (u *User) CanAdminister(creator UserID) bool {
	return u.Administrator() || u.ID == creator
}

// Initials returns the first letter of every word of the name.
func (u *User) Initials() string { return initials(u.Name) }

// Title returns name and bio, as hints show them.
func (u *User) Title() string { return title(u.Name, u.Bio) }

// Author returns what a fragment shows of u.
func (u *User) Author() Author {
	return Author{ID: u.ID, Name: u.Name, Bio: u.Bio, Role: u.Role, Status: u.Status, UpdatedAt: u.UpdatedAt}
}

// Author is what a fragment shows of somebody.
type Author struct {
	ID        UserID
	Name      string
	Bio       string
	Role      Role
	Status    Status
	UpdatedAt time.Time
	Missing   bool // no such user any more; only ID is set
}

// Initials returns the first letter of every word of the name.
func (a *Author) Initials() string { return initials(a.Name) }

// Title returns name and bio, as hints show them.
func (a *Author) Title() string { return title(a.Name, a.Bio) }

// Bot reports whether a is a bot.
func (a *Author) Bot() bool { return a.Role == Bot }

func initials(name string) string {
	var out strings.Builder
	inWord := false
	for _, r := range name {
		word := wordRune(r)
		if word && !inWord {
			out.WriteRune(r)
		}
		inWord = word
	}
	return out.String()
}

func title(name, bio string) string {
	switch {
	case strings.TrimSpace(bio) == "":
		return name
	case strings.TrimSpace(name) == "":
		return bio
	}
	return name + " – " + bio
}

// wordRune reports whether r is part of a word: letters, marks, digits and
// connectors such as the underscore, in any script.
func wordRune(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsMark(r) || unicode.Is(unicode.Nd, r) || unicode.Is(unicode.Pc, r)
}
