package web

import (
	"fmt"
	"net/url"
	"path"
	"strings"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
)

// The people of the table of routes, in the order of its columns. The visitor
// has no login; the member is in the rooms of the paths, the outsider in none;
// the bot shows its key; the last two hold a login that outlived their account,
// and the banned one comes from a banned address.
var columns = []string{"visitor", "kevin", "lou", "jason", "bender", "rita", "mallory"}

// fixture makes what a path needs, afresh for every request.
type fixture struct {
	*site
	n int
}

func (f *fixture) message(author string) string {
	f.n++
	return fmt.Sprintf("%s/messages/%d", f.roomPath("watercooler"), f.Post(author, "watercooler", fmt.Sprint("message ", f.n)).ID)
}

func (f *fixture) boosts() string {
	return fmt.Sprintf("/messages/%d/boosts", f.Post("jason", "watercooler", "boost me").ID)
}

func (f *fixture) boost(by string) (path string, message chat.MessageID, id chat.BoostID) {
	m := f.Post("jason", "watercooler", "boost me")
	b, err := f.Chat.Boost(f.t.(*testing.T).Context(), f.User(by), m.ID, "👍")
	if err != nil {
		f.t.Fatal(err)
	}
	return fmt.Sprintf("/messages/%d/boosts/%d", m.ID, b.ID), m.ID, b.ID
}

// room makes a closed room of kevin's; jason and bender are in it too.
func (f *fixture) room() string {
	room, err := f.Chat.CreateClosedRoom(f.t.(*testing.T).Context(), f.User("kevin"), "Fresh", f.IDs("kevin", "jason", "bender"))
	if err != nil {
		f.t.Fatal(err)
	}
	return fmt.Sprint(room.ID)
}

func (f *fixture) direct() string {
	f.n++
	s, err := f.Chat.Join(f.t.(*testing.T).Context(), f.Text(`SELECT join_code FROM accounts`),
		chat.Newcomer{Name: "New", Email: fmt.Sprint("direct", f.n, "@example.test"), Password: "x"}, chat.Client{})
	if err != nil {
		f.t.Fatal(err)
	}
	room, err := f.Chat.OpenDirect(f.t.(*testing.T).Context(), f.User("kevin"), append(f.IDs("jason"), s.User.ID))
	if err != nil {
		f.t.Fatal(err)
	}
	return fmt.Sprint(room.ID)
}

const (
	signIn = "302 /session/new"
	home   = "302 /"
	room   = "302 /rooms/*"
)

// row is one route, how to ask for it, and what each of the columns gets.
type row struct {
	method string
	path   func(f *fixture) string
	form   string
	accept string
	want   [7]string
}

func at(p string) func(*fixture) string { return func(*fixture) string { return p } }

func routeTable() []row {
	watercooler := func(rest string) func(*fixture) string {
		return func(f *fixture) string { return f.roomPath("watercooler") + rest }
	}
	page := func(statuses ...string) [7]string { // of a signed-in person's page: member, outsider, administrator
		return [7]string{signIn, statuses[0], statuses[1], statuses[2], "403", signIn, signIn}
	}
	everybody := func(status, banned string) [7]string {
		return [7]string{status, status, status, status, status, status, banned}
	}
	boostOf := func(by string) func(*fixture) string {
		return func(f *fixture) string { p, _, _ := f.boost(by); return p }
	}
	bot := func(rest string) func(*fixture) string {
		return func(f *fixture) string { return f.roomPath("watercooler") + "/KEY/messages" + rest }
	}
	botMessage := func(rest string) func(*fixture) string {
		return func(f *fixture) string {
			return strings.Replace(f.message("bender"), "/messages/", "/KEY/messages/", 1) + rest
		}
	}
	stream := "text/vnd.turbo-stream.html"
	return []row{
		{"GET", at("/"), "", "", [7]string{signIn, room, "200", room, "403", signIn, signIn}},
		{"GET", at("/first_run"), "", "", everybody(home, home)},
		{"POST", at("/first_run"), "user[name]=X", "", everybody(home, "429")},
		{"GET", at("/session/new"), "", "", everybody("200", "200")},
		{"POST", at("/session"), "email_address=kevin@example.test&password=" + chattest.Password, "", everybody(home, "429")},
		{"POST", at("/session"), "email_address=kevin@example.test&password=wrong", "", everybody("401", "429")},
		{"DELETE", at("/session"), "", "", page(home, home, home)},
		{"GET", func(f *fixture) string { return "/join/" + f.Text(`SELECT join_code FROM accounts`) }, "", "",
			[7]string{"200", home, home, home, "200", "200", "200"}},
		{"GET", at("/join/wrong"), "", "", [7]string{"404", home, home, home, "404", "404", "404"}},
		{"POST", func(f *fixture) string { return "/join/" + f.Text(`SELECT join_code FROM accounts`) }, "user[name]=New&user[password]=x&user[email_address]=UNIQUE", "",
			[7]string{home, home, home, home, home, home, "429"}},
		{"GET", at("/account/logo"), "", "", everybody("200", "200")},

		{"GET", func(f *fixture) string { return fmt.Sprintf("/users/%d", f.ID("david")) }, "", "", page("200", "200", "200")},
		{"GET", func(f *fixture) string { return f.server.site.AvatarURL(f.ID("david"), f.User("david").UpdatedAt) }, "", "", page("200", "200", "200")},
		{"GET", at("/users/me/sidebar"), "", "", page("200", "200", "200")},
		{"GET", at("/autocompletable/users?query=j"), "", "application/json", page("200", "200", "200")},
		{"GET", func(f *fixture) string {
			return fmt.Sprintf("/autocompletable/users?filter=j&room_id=%d", f.Room("watercooler").ID)
		}, "", "", page("200", "404", "200")},

		{"GET", at("/rooms"), "", "", page(room, home, room)},
		{"GET", watercooler(""), "", "", page("200", home, "200")},
		{"GET", watercooler("/@999999"), "", "", page("200", home, "200")},
		{"DELETE", func(f *fixture) string { return "/rooms/" + f.room() }, "", "", page(home, home, home)},
		{"DELETE", watercooler(""), "", "", [7]string{signIn, "403", home, "SKIP", "403", signIn, signIn}},
		{"GET", watercooler("/refresh?since=0"), "", stream, page("200", "404", "200")},
		{"GET", watercooler("/involvement"), "", "", page("200", "404", "200")},
		{"PUT", watercooler("/involvement?involvement=everything"), "", "", page("302 /rooms/*/involvement", "404", "302 /rooms/*/involvement")},
		{"PATCH", watercooler("/involvement?involvement=shouting"), "", "", page("422", "422", "422")},

		{"GET", at("/rooms/opens/new"), "", "", page("200", "200", "200")},
		{"POST", at("/rooms/opens"), "room[name]=Hall", "", page(room, room, room)},
		{"POST", at("/rooms/opens"), "name=Hall", "", page("400", "400", "400")},
		{"GET", func(f *fixture) string { return "/rooms/opens/" + f.room() }, "", "", page(room, home, room)},
		{"GET", func(f *fixture) string { return "/rooms/opens/" + f.room() + "/edit" }, "", "", page("200", home, "200")},
		{"PATCH", func(f *fixture) string { return "/rooms/opens/" + f.room() }, "room[name]=Hall", "", page(room, home, room)},
		{"GET", at("/rooms/closeds/new"), "", "", page("200", "200", "200")},
		{"POST", at("/rooms/closeds"), "room[name]=Den", "", page(room, room, room)},
		{"GET", func(f *fixture) string { return "/rooms/closeds/" + f.room() }, "", "", page(room, home, room)},
		{"GET", func(f *fixture) string { return "/rooms/closeds/" + f.room() + "/edit" }, "", "", page("200", home, "200")},
		{"PATCH", func(f *fixture) string { return "/rooms/closeds/" + f.room() }, "room[name]=Den", "", page(room, home, room)},
		{"PATCH", func(f *fixture) string { return fmt.Sprintf("/rooms/closeds/%d", f.Room("watercooler").ID) }, "room[name]=Mine", "",
			[7]string{signIn, "403", home, "SKIP", "403", signIn, signIn}},

		{"GET", at("/rooms/directs/new"), "", "", page("200", "200", "200")},
		{"POST", at("/rooms/directs"), "user_ids[]=1", "", page(room, room, room)},
		{"GET", func(f *fixture) string { return fmt.Sprintf("/rooms/directs/%d/edit", f.Room("david+jason+kevin").ID) }, "", "", page("200", home, "200")},
		{"DELETE", func(f *fixture) string { return "/rooms/directs/" + f.direct() }, "", "", page(home, home, home)},

		{"GET", watercooler("/messages"), "", "", page("200", "404", "200")},
		{"GET", watercooler("/messages?before=999999"), "", "", page("404", "404", "404")},
		{"POST", watercooler("/messages"), "message[body]=hello", stream, page("200", "200", "200")},
		{"POST", watercooler("/messages"), "message[body]=hello", "text/html", page("406", "200", "406")},
		{"POST", at("/messages"), "message[body]=hello", "", page("200", "200", "200")},
		{"GET", func(f *fixture) string { return f.message("kevin") }, "", "", page("200", "404", "200")},
		{"GET", func(f *fixture) string { return f.message("kevin") + "/edit" }, "", "", page("200", "404", "200")},
		{"GET", func(f *fixture) string { return f.message("david") + "/edit" }, "", "", page("403", "404", "200")},
		{"PATCH", func(f *fixture) string { return f.message("kevin") }, "message[body]=x", "", page("302 /rooms/*/messages/*", "404", "302 /rooms/*/messages/*")},
		{"PATCH", func(f *fixture) string { return f.message("kevin") }, "message[body]=x", "application/json", page("200", "404", "200")},
		{"PUT", func(f *fixture) string { return f.message("david") }, "message[body]=x", "", page("403", "404", "302 /rooms/*/messages/*")},
		{"DELETE", func(f *fixture) string { return f.message("kevin") }, "", stream, page("200", "404", "200")},
		{"DELETE", func(f *fixture) string { return f.message("david") }, "", stream, page("403", "404", "200")},

		{"GET", (*fixture).boosts, "", "", page("200", "404", "200")},
		{"GET", func(f *fixture) string { return f.boosts() + "/new" }, "", "", page("200", "404", "200")},
		{"POST", (*fixture).boosts, "boost[content]=x", "", page("302 /messages/*/boosts", "404", "302 /messages/*/boosts")},
		{"POST", (*fixture).boosts, "content=x", "", page("400", "400", "400")},
		{"DELETE", boostOf("kevin"), "", "", page("204", "404", "404")},
		{"GET", at("/searches?q=message"), "", "", page("200", "200", "200")},
		{"POST", at("/searches"), "q=two+words", "", page("302 /searches?q=two+words", "302 /searches?q=two+words", "302 /searches?q=two+words")},
		{"DELETE", at("/searches/clear"), "", "", page("302 /searches", "302 /searches", "302 /searches")},

		{"GET", bot(""), "", "", [7]string{signIn, "200", "404", "200", "200", signIn, signIn}},
		{"POST", bot(""), "hello", "", [7]string{signIn, "201", "404", "201", "201", signIn, signIn}},
		{"PUT", botMessage(""), "hello", "", [7]string{signIn, "403", "404", "200", "200", signIn, signIn}},
		{"DELETE", botMessage(""), "", "", [7]string{signIn, "403", "404", "204", "204", signIn, signIn}},
		{"POST", botMessage("/boosts"), "+1", "", [7]string{signIn, "201", "404", "201", "201", signIn, signIn}},
		{"DELETE", func(f *fixture) string {
			_, m, b := f.boost("bender")
			return fmt.Sprintf("%s/KEY/messages/%d/boosts/%d", f.roomPath("watercooler"), m, b)
		}, "", "", [7]string{signIn, "404", "404", "404", "204", signIn, signIn}},

		{"GET", at("/up"), "", "", everybody("200", "200")},
		{"GET", at("/robots.txt"), "", "", everybody("200", "200")},
		{"GET", at("/rails/active_storage/blobs/redirect/forged/x.png"), "", "", everybody("404", "404")},
		{"GET", at("/rails/active_storage/blobs/forged/x.png"), "", "", everybody("404", "404")},
		{"GET", at("/rails/active_storage/blobs/proxy/forged/x.png"), "", "", everybody("404", "404")},
		{"GET", at("/rails/active_storage/disk/forged/x.png"), "", "", everybody("404", "404")},
		{"GET", at("/nowhere"), "", "", everybody("404", "404")},
		{"DELETE", at("/rooms/opens/1"), "", "", everybody("404", "404")},
		{"GET", at("/rooms/directs/1"), "", "", everybody("404", "404")},
		{"GET", at("/rooms/new"), "", "", page("404", "404", "404")},
	}
}

func TestEveryRouteKnowsWhoMayUseIt(t *testing.T) {
	s := newSite(t)
	f := &fixture{site: s}
	f.message("david") // a page of messages has one
	seen := map[*route]bool{}
	for _, one := range routeTable() {
		for i, name := range columns {
			if one.want[i] == "SKIP" {
				continue
			}
			f.n++
			path := one.path(f)
			b, path := f.ask(name, path)
			if found, ok := s.server.router.find(one.method, pathOnly(path)); ok {
				seen[found.route] = true
			}
			form := strings.ReplaceAll(one.form, "UNIQUE", fmt.Sprintf("new%d%%40example.test", f.n))
			got := b.do(one.method, path, form, "Content-Type", formType, "Accept", one.accept)
			if !matches(one.want[i], got.where()) {
				t.Errorf("%s %s as %s (%s): %s, want %s\n%.200s", one.method, path, name, one.form, got.where(), one.want[i], got.body)
			}
		}
	}
	for _, r := range allRoutes(s.server.router) {
		if !seen[r] {
			t.Errorf("%s %s is not in the table", r.method, r.pattern)
		}
	}
}

// ask makes the browser of one column, and puts the key where it belongs.
func (f *fixture) ask(name, path string) (*browser, string) {
	key := "1-wrong"
	b := f.visitor()
	b.ip = fmt.Sprintf("198.51.%d.%d", f.n/250, f.n%250) // one address each: attempts to sign in are counted
	switch name {
	case "visitor":
	case "bender":
		key = f.BotKey(name)
		if !strings.Contains(path, "KEY") {
			path += "?bot_key=" + key
			path = strings.Replace(path, "?bot_key", "&bot_key", strings.Count(path, "?")-1)
		}
	case "rita":
		b.with(f.surviving(name))
	case "mallory":
		b.with(f.surviving(name)).ip = "203.0.113.9"
	default:
		b.with(f.SignIn(name).Token)
	}
	return b.withToken(), strings.Replace(path, "KEY", key, 1)
}

func pathOnly(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		panic(err)
	}
	return u.EscapedPath()
}

func matches(pattern, text string) bool {
	if pattern == text {
		return true
	}
	ok, err := path.Match(pattern, text)
	return err == nil && ok
}

func allRoutes(t *router) []*route {
	var all []*route
	var walk func(n *node)
	walk = func(n *node) {
		if n == nil {
			return
		}
		for _, r := range n.routes {
			all = append(all, r)
		}
		for _, r := range n.rest {
			all = append(all, r)
		}
		for _, child := range n.literals {
			walk(child)
		}
		walk(n.at)
		walk(n.any)
	}
	walk(&t.root)
	return all
}
