package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
	"hearth/internal/rails"
	"hearth/internal/storage"
	"hearth/internal/view"
	"hearth/internal/web"
)

// A stage is a whole server, socket and all, over one database: "cast" is what
// chattest makes, "sample" a copy of the sample storage folder, "empty" has not
// had its first run.
type stage struct {
	*hall
	kind   string
	people map[string]string // the tables' "member" and so on, as the database calls them
	logins map[string]string // session tokens
	visits map[string]*visit
	n      int // requests so far; each has an address of its own
}

var stagePeople = map[string]map[string]string{
	"cast":   {"member": "kevin", "administrator": "jason", "creator": "david", "outsider": "lou", "bot": "bender"},
	"sample": {"member": "kevin", "administrator": "jason", "creator": "david", "outsider": "loner", "bot": "bender"},
	"empty":  {},
}

// newStage starts a server. What it answers passes through spoil, if that isn't nil.
func newStage(t *testing.T, kind string, spoil func(http.Handler) http.Handler) *stage {
	t.Helper()
	keys := rails.NewKeys(chattest.Secret)
	if kind == "sample" {
		keys = rails.NewKeys(chattest.SampleSecret)
	}
	site := view.New(view.Options{Keys: keys, Asset: func(name string) string { return "/assets/" + name }, Version: "1.0"})
	announcer := web.NewAnnouncer(site)
	h := &hall{site: site, t: t}
	switch opt := (chat.Options{Announce: announcer}); kind {
	case "cast":
		h.World = chattest.NewWith(t, opt)
	case "sample":
		h.World = chattest.OpenSample(t, opt)
	case "empty":
		h.World = chattest.Empty(t, opt)
	default:
		t.Fatalf("no stage is called %q", kind)
	}
	h.hub = web.NewCable(web.CableOptions{Chat: h.Chat, Keys: h.Keys})
	announcer.Connect(h.hub)
	folder, err := storage.Look(h.Dir)
	if err != nil {
		t.Fatal(err)
	}
	server, err := web.New(web.Options{
		Chat: h.Chat, Site: site, Keys: h.Keys, Cable: h.hub, Assets: http.NotFoundHandler(), Version: "1.0", Revision: "abc", VAPIDPublicKey: "vapid",
		FilePath: folder.FilePath,
	})
	if err != nil {
		t.Fatal(err)
	}
	var handler http.Handler = server
	if spoil != nil {
		handler = spoil(server)
	}
	h.server = httptest.NewServer(handler)
	t.Cleanup(h.close)
	pinging := make(chan error, 1)
	go func() { pinging <- h.hub.Run(t.Context()) }()
	t.Cleanup(func() {
		if err := <-pinging; err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("run: %v", err)
		}
	})
	s := &stage{hall: h, kind: kind, people: stagePeople[kind], logins: map[string]string{}, visits: map[string]*visit{}}
	if kind == "cast" {
		s.furnish()
	}
	return s
}

// furnishings are messages of kevin's in the watercooler, by their client ids.
var furnishings = []struct{ id, body string }{
	{"mail", `<p>write to somebody@example.com</p>`},
	{"quote", `<blockquote>said <em>before</em></blockquote><ul><li>one</li></ul>`},
	{"embed", `<div><action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="https://example.org/page" url="https://example.org/picture.png" filename="A page" caption="What it is about"></action-text-attachment></div>`},
	{"tweet", `<div><action-text-attachment content-type="application/vnd.actiontext.opengraph-embed" href="https://twitter.com/a/status/1" url="https://pbs.twimg.com/profile_images/1/a.jpg" filename="A tweet" caption="What was said"></action-text-attachment></div>`},
	{"content", `<div><action-text-attachment content-type="text/html" content="&lt;b&gt;bold&lt;/b&gt;"></action-text-attachment></div>`},
	{"hello", `<p>hello</p>`},
}

// furnish says something in the watercooler, lets jason boost kevin's "hello",
// and lets kevin search for it.
func (s *stage) furnish() {
	var last *chat.Message
	for _, one := range furnishings {
		m, err := s.Chat.PostMessage(s.t.Context(), s.User("kevin"), chat.Draft{Room: s.Room("watercooler").ID, Body: one.body, ClientID: one.id})
		if err != nil {
			s.t.Fatal(err)
		}
		last = m
	}
	if _, err := s.Chat.Boost(s.t.Context(), s.User("jason"), last.ID, "👍"); err != nil {
		s.t.Fatal(err)
	}
	if err := s.Chat.RecordSearch(s.t.Context(), s.ID("kevin"), "hello"); err != nil {
		s.t.Fatal(err)
	}
}

// person is whom a cell names; "" is a visitor.
func (s *stage) person(as string) string {
	if as == "visitor" {
		return ""
	}
	if name, ok := s.people[as]; ok {
		return name
	}
	return as
}

// login is a session of somebody, without asking for the password.
func (s *stage) login(name string) string {
	s.t.Helper()
	if s.logins[name] == "" {
		s.logins[name] = rails.NewSessionToken()
		s.Exec(`INSERT INTO sessions (user_id, token, ip_address, user_agent, last_active_at, created_at, updated_at) VALUES (?1, ?2, '198.51.100.1', 'parity', ?3, ?3, ?3)`,
			s.ID(name), s.logins[name], rails.FormatTime(time.Now()))
	}
	return s.logins[name]
}

// memory is what the placeholders of one row have made.
type memory map[string]string

var placeholder = regexp.MustCompile(`\{([a-z]+)((?: [^{}]+)?)\}`)

// fill puts values where a cell has placeholders, {room hq} and the like. What
// makes something new ({new jason watercooler}) also says what {it} is.
func (s *stage) fill(cell string, m memory) (string, error) {
	var failed error
	filled := placeholder.ReplaceAllStringFunc(cell, func(text string) string {
		parts := strings.Fields(strings.Trim(text, "{}"))
		if value, known := m[strings.Join(parts, " ")]; known {
			return value
		}
		value, known, err := s.value(parts[0], parts[1:], m)
		if err != nil && failed == nil {
			failed = fmt.Errorf("%s: %w", text, err)
		}
		if !known {
			return text // JSON, or the braces of a regular expression
		}
		return value
	})
	return filled, failed
}

func (s *stage) value(name string, args []string, m memory) (value string, known bool, err error) {
	if len(args) == 0 {
		switch name {
		case "base":
			return s.server.URL, true, nil
		case "join":
			return s.Text(`SELECT join_code FROM accounts`), true, nil
		case "file", "proxied", "represented":
			return s.file(name), true, nil
		case "direct", "gone":
			return s.made(name, args, m)
		}
		return "", false, nil
	}
	switch name {
	case "room":
		return fmt.Sprint(s.Room(args[0]).ID), true, nil
	case "dom":
		r := s.Room(args[0])
		return r.Type.DOM() + "_" + fmt.Sprint(r.ID), true, nil
	case "user":
		return fmt.Sprint(s.ID(s.person(args[0]))), true, nil
	case "name":
		return s.User(s.person(args[0])).Name, true, nil
	case "email":
		return s.User(s.person(args[0])).Email, true, nil
	case "key":
		return s.BotKey(args[0]), true, nil
	case "avatar":
		u := s.User(s.person(args[0]))
		return s.site.AvatarURL(u.ID, u.UpdatedAt), true, nil
	case "stream":
		r := s.Room(args[0])
		return s.Keys.SignStream(r.Stream()), true, nil
	case "signed":
		return s.Keys.SignStream(args[0]), true, nil
	case "sidebar":
		return s.Keys.SignStream(rails.GIDParam("User", int64(s.ID(s.person(args[0])))) + ":rooms"), true, nil
	case "message", "cid", "updated":
		return s.message(name, args[0])
	case "new", "boost", "on", "closed", "open", "hidden":
		return s.made(name, args, m)
	}
	return "", false, nil
}

// message finds one that the stage has from the beginning.
func (s *stage) message(what, label string) (string, bool, error) {
	id := int64(0)
	if s.kind == "sample" {
		number, _ := chattest.Labels(s.t)["messages."+label].(float64)
		id = int64(number)
	} else {
		id = s.Int(`SELECT id FROM messages WHERE client_message_id = ?1`, label)
	}
	if id == 0 {
		return "", true, fmt.Errorf("no message is called %q", label)
	}
	switch what {
	case "cid":
		return s.Text(`SELECT client_message_id FROM messages WHERE id = ?1`, id), true, nil
	case "updated": // a moment before
		at, err := rails.ParseTime(s.Text(`SELECT updated_at FROM messages WHERE id = ?1`, id))
		return fmt.Sprint(at.UnixMilli() - 1), true, err
	}
	return fmt.Sprint(id), true, nil
}

// file is the address of a picture of the sample: to be redirected to it, to get
// it, to get a smaller one.
func (s *stage) file(name string) string {
	blob := s.Int(`SELECT b.id FROM active_storage_blobs b JOIN active_storage_attachments a ON a.blob_id = b.id WHERE a.record_type = 'Message' AND b.content_type = 'image/jpeg' ORDER BY b.id`)
	signed := s.Keys.BlobID(blob)
	switch name {
	case "proxied":
		return "/rails/active_storage/blobs/proxy/" + signed + "/picture.jpg"
	case "represented":
		return "/rails/active_storage/representations/redirect/" + signed + "/" + s.Keys.VariationKey(rails.Variation{Format: "webp", Width: 1200, Height: 800}) + "/picture.jpg"
	}
	return "/rails/active_storage/blobs/redirect/" + signed + "/picture.jpg"
}

// made makes something for one row: a message by somebody in a room, a message
// of jason's with somebody's boost ("on" is the message), a room of somebody's
// with kevin and jason in it ("hidden" to its maker), a ping of kevin's, the id
// of a room that is gone.
func (s *stage) made(name string, args []string, m memory) (string, bool, error) {
	ctx := s.t.Context()
	s.n++
	switch name {
	case "new":
		if len(args) < 2 {
			return "", true, fmt.Errorf("who, and where?")
		}
		made := s.Post(s.person(args[0]), args[1], fmt.Sprint("<p>message ", s.n, "</p>"))
		m["it"], m["it cid"] = fmt.Sprint(made.ID), made.ClientID
		return m["it"], true, nil
	case "boost", "on":
		on := s.Post("jason", "watercooler", fmt.Sprint("<p>boost ", s.n, "</p>"))
		b, err := s.Chat.Boost(ctx, s.User(s.person(args[0])), on.ID, "👍")
		m["it"], m["it cid"], m["it boost"] = fmt.Sprint(on.ID), on.ClientID, fmt.Sprint(b.ID)
		if name == "on" {
			return m["it"], true, err
		}
		return m["it boost"], true, err
	case "closed":
		room, err := s.Chat.CreateClosedRoom(ctx, s.User(s.person(args[0])), "Den", s.IDs("kevin", "jason", "david"))
		m["it"] = fmt.Sprint(room.ID)
		return m["it"], true, err
	case "open", "hidden":
		by := s.User(s.person(args[0]))
		room, err := s.Chat.CreateOpenRoom(ctx, by, "Square")
		if err == nil && name == "hidden" {
			err = s.Chat.SetInvolvement(ctx, by, room.ID, chat.Invisible)
		}
		m["it"] = fmt.Sprint(room.ID)
		return m["it"], true, err
	case "gone":
		room, err := s.Chat.CreateOpenRoom(ctx, s.User("jason"), "Short")
		if err == nil {
			err = s.Chat.DeleteRoom(ctx, s.User("jason"), room.ID)
		}
		m["it"] = fmt.Sprint(room.ID)
		return m["it"], true, err
	case "direct":
		login, err := s.Chat.Join(ctx, s.Text(`SELECT join_code FROM accounts`), chat.Newcomer{Name: "New", Email: fmt.Sprint("parity", s.n, "@example.test"), Password: "x"}, chat.Client{})
		if err != nil {
			return "", true, err
		}
		room, err := s.Chat.OpenDirect(ctx, s.User("kevin"), append(s.IDs("jason"), login.User.ID))
		m["it"] = fmt.Sprint(room.ID)
		return m["it"], true, err
	}
	return "", false, nil
}
