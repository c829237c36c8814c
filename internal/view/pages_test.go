package view_test

import (
	"bytes"
	"io"
	"net/http"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/view"
)

// a face is one page in one state.
type face struct {
	name   string
	render func(w io.Writer) error
}

// faces are all pages in the states that differ.
func faces() []face {
	l, framed, visitor := layout(), layout(), &view.Layout{Account: account, CSRFToken: "CSRF", FormToken: layout().FormToken}
	framed.Frame = "some_frame"
	people := []chat.User{*viewer, *member, {ID: 3, Name: "Olu <b>Adeyemi</b>", UpdatedAt: noon}}
	direct := roomShown(text())
	direct.Room, direct.Others = ping, []chat.Author{dana, olu}
	direct.Membership = &chat.Membership{RoomID: 7, UserID: 1, Involvement: chat.Everything}
	welcome := roomShown()
	welcome.Welcome = true
	flashed := layout()
	flashed.Alert = "Room not found or inaccessible"
	asMember := layout()
	asMember.Viewer = member
	sidebar := &chat.Sidebar{
		Directs: []chat.SidebarDirect{
			{Room: *ping, Unread: true, Members: []chat.Author{dana}},
			{Room: chat.Room{ID: 8, Type: chat.Direct, UpdatedAt: noon}, Members: []chat.Author{dana, olu}},
		},
		Shared:       []chat.SidebarRoom{{Room: *harbour, Unread: true}, {Room: *quiet}},
		Placeholders: []chat.Author{olu, robot},
	}
	many := &view.RoomSettings{Room: quiet, Type: chat.Closed, Members: people, Administer: true}
	for i := range 20 {
		many.Others = append(many.Others, chat.User{ID: chat.UserID(100 + i), Name: "Guest", UpdatedAt: noon})
	}
	stranger := &chat.User{ID: 3, Name: "Olu Adeyemi", Bio: "<i>Builder</i>", Email: "olu@example.org", UpdatedAt: noon}
	return []face{
		{"first_run", func(w io.Writer) error { return site.FirstRunPage(w, &view.Layout{}, &view.SignUp{}) }},
		{"first_run_again", func(w io.Writer) error {
			return site.FirstRunPage(w, visitor, &view.SignUp{Name: `A "B"`, Email: "a@b", Problem: "Please enter a password."})
		}},
		{"join", func(w io.Writer) error {
			return site.JoinPage(w, visitor, &view.SignUp{Code: "abcd-efgh-ijkl", Helper: viewer})
		}},
		{"sign_in", func(w io.Writer) error { return site.SignInPage(w, visitor, &view.SignIn{Helper: viewer}) }},
		{"sign_in_failed", func(w io.Writer) error {
			return site.SignInPage(w, visitor, &view.SignIn{Email: "ines@example.org", Failed: true})
		}},
		{"welcome", func(w io.Writer) error { return site.WelcomePage(w, l) }},
		{"welcome_flash", func(w io.Writer) error { return site.WelcomePage(w, flashed) }},
		{"room", func(w io.Writer) error { return site.RoomPage(w, l, roomShown(text(), boosted(), file(), orphan())) }},
		{"room_empty", func(w io.Writer) error { return site.RoomPage(w, asMember, roomShown()) }},
		{"room_welcome", func(w io.Writer) error { return site.RoomPage(w, l, welcome) }},
		{"room_direct", func(w io.Writer) error { return site.RoomPage(w, l, direct) }},
		{"room_gone", func(w io.Writer) error { return site.RoomGoneFrame(w, framed) }},
		{"message", func(w io.Writer) error {
			return site.MessagePage(w, l, &view.MessageShown{Message: text(), People: cast})
		}},
		{"message_frame", func(w io.Writer) error {
			return site.MessagePage(w, framed, &view.MessageShown{Message: text(), People: cast})
		}},
		{"message_edit", func(w io.Writer) error {
			return site.EditMessagePage(w, framed, &view.MessageShown{Message: text(), People: cast})
		}},
		{"message_edit_page", func(w io.Writer) error {
			return site.EditMessagePage(w, l, &view.MessageShown{Message: text(), People: cast})
		}},
		{"message_edit_file", func(w io.Writer) error {
			return site.EditMessagePage(w, framed, &view.MessageShown{Message: file(), People: cast})
		}},
		{"boosts", func(w io.Writer) error { return site.BoostsPage(w, framed, boosted()) }},
		{"boost_new", func(w io.Writer) error { return site.NewBoostPage(w, framed, text()) }},
		{"sidebar", func(w io.Writer) error { return site.SidebarPage(w, framed, sidebar) }},
		{"sidebar_page", func(w io.Writer) error { return site.SidebarPage(w, l, &chat.Sidebar{}) }},
		{"ping_new", func(w io.Writer) error { return site.NewPingPage(w, framed) }},
		{"room_new_open", func(w io.Writer) error {
			return site.NewRoomPage(w, l, &view.RoomSettings{Type: chat.Open, Members: people, Administer: true})
		}},
		{"room_new_closed", func(w io.Writer) error {
			return site.NewRoomPage(w, l, &view.RoomSettings{Type: chat.Closed, Members: people[:1], Others: people[1:], Administer: true})
		}},
		{"room_edit_open", func(w io.Writer) error {
			return site.EditRoomPage(w, l, &view.RoomSettings{Room: harbour, Type: chat.Open, Members: people, Administer: true})
		}},
		{"room_edit_closed", func(w io.Writer) error { return site.EditRoomPage(w, l, many) }},
		{"room_edit_as_member", func(w io.Writer) error {
			return site.EditRoomPage(w, asMember, &view.RoomSettings{Room: harbour, Type: chat.Open, Members: people})
		}},
		{"ping_edit", func(w io.Writer) error {
			return site.EditPingPage(w, l, &view.PingSettings{Room: ping, Members: people})
		}},
		{"involvement", func(w io.Writer) error { return site.InvolvementPage(w, framed, harbour, chat.Nothing) }},
		{"search", func(w io.Writer) error {
			return site.SearchPage(w, l, &view.Search{Query: "tide clock", Results: []*chat.Message{text()}, People: cast, Recent: []string{"tide clock", "文字盤"}})
		}},
		{"search_nothing", func(w io.Writer) error { return site.SearchPage(w, l, &view.Search{Query: `"nothing"`}) }},
		{"search_empty", func(w io.Writer) error { return site.SearchPage(w, l, &view.Search{}) }},
		{"person", func(w io.Writer) error { return site.PersonPage(w, l, stranger) }},
		{"person_self", func(w io.Writer) error { return site.PersonPage(w, l, viewer) }},
		{"person_as_member", func(w io.Writer) error { return site.PersonPage(w, asMember, stranger) }},
		{"person_deactivated", func(w io.Writer) error {
			return site.PersonPage(w, l, &chat.User{ID: 8, Name: "Rita", Status: chat.Deactivated, UpdatedAt: noon})
		}},
		{"error_404", func(w io.Writer) error { return site.ErrorPage(w, http.StatusNotFound) }},
		{"error_422", func(w io.Writer) error { return site.ErrorPage(w, http.StatusUnprocessableEntity) }},
		{"error_500", func(w io.Writer) error { return site.ErrorPage(w, http.StatusInternalServerError) }},
		{"unsupported_browser", func(w io.Writer) error { return site.UnsupportedBrowserPage(w) }},
	}
}

func TestEveryFaceRenders(t *testing.T) {
	for _, f := range faces() {
		t.Run(f.name, func(t *testing.T) {
			var b bytes.Buffer
			if err := f.render(&b); err != nil {
				t.Fatal(err)
			}
			golden(t, "pages/"+f.name+".html", b.Bytes())
		})
	}
}
