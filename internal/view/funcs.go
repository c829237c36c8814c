package view

import (
	"html/template"
	"strconv"
	"strings"
	"time"

	"hearth/internal/chat"
	"hearth/internal/rails"
)

// funcs are what templates can call besides the methods of their data.
func (s *Site) funcs() template.FuncMap {
	return template.FuncMap{
		"assets":    func() assets { return s.assets },
		"icon":      func(name string) string { return s.assets.sprite + name },
		"version":   func() string { return s.version },
		"trusted":   trusted,
		"avatar":    s.AvatarURL,
		"bell":      func(d involvementShown, path, token string) bell { return bell{d, path, token} },
		"firstName": firstName,
		"lower":     strings.ToLower,
		"dom":       func(prefix string, r *chat.Room) string { return r.DOMID(prefix) },
		"stream":    func(r *chat.Room) string { return s.keys.SignStream(r.Stream()) },
		"rooms":     func() string { return s.keys.SignStream("rooms") },
		"myRooms": func(u *chat.User) string {
			return s.keys.SignStream(rails.GIDParam("User", int64(u.ID)) + ":rooms")
		},
		"millis":       func(t time.Time) string { return strconv.FormatInt(t.UnixMilli(), 10) },
		"count":        count,
		"customStyles": customStyles,
	}
}

// customStyles are the account's own styles, verbatim but for what could end the
// style element early: they are CSS, whoever wrote them.
func customStyles(a *chat.Account) template.CSS {
	if a == nil {
		return ""
	}
	return template.CSS(strings.ReplaceAll(a.CustomStyles, "</", `<\/`))
}

// count says how many of a thing there are.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
