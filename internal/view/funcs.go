package view

import (
	"html/template"
	"strconv"
	"strings"

	"hearth/internal/chat"
	"hearth/internal/rails"
)

// funcs are what templates can call besides the methods of their data.
func (s *Site) funcs() template.FuncMap {
	return template.FuncMap{
		"trusted":         trusted,
		"top":             s.top,
		"avatar":          s.AvatarURL,
		"bell":            s.bell,
		"involvementPath": involvementPath,
		"firstName":       firstName,
		"lower":           strings.ToLower,
		"rooms":           func() string { return s.keys.SignStream("rooms") },
		"myRooms": func(u *chat.User) string {
			return s.keys.SignStream(rails.GIDParam("User", int64(u.ID)) + ":rooms")
		},
		"count": count,
	}
}

// count says how many of a thing there are.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
