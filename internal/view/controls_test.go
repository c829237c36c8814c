package view_test

import (
	"bytes"
	"strings"
	"testing"

	"golang.org/x/net/html"
)

func TestPagesHoldTheControlsThatPeopleAndToolsKnow(t *testing.T) {
	type control struct{ selector, name string }
	for face, controls := range map[string][]control{
		"first_run": {
			{"form[action=/first_run] input#user_name[required][autofocus][placeholder=Name]", "Name"},
			{"form input[type=email][required][placeholder=Email_address]", "Email address"},
			{"form input[type=password][required][maxlength=72][placeholder=Password]", "Password"},
			{"form button[type=submit]", "Save"},
		},
		"join": {
			{"form[action=/join/abcd-efgh-ijkl] button[type=submit]", "Save"},
			{"#nav a[href=/session/new]", "Sign in"},
		},
		"sign_in": {
			{"form[action=/session] input#email_address[required][autofocus][placeholder=Enter_your_email_address]", "Email address"},
			{"form input#password[maxlength=72][placeholder=Enter_your_password]", "Password"},
			{"form button[name=log_in]", "Go"},
			{"a[title=Email_Inês_Carvalho]", "ines@example.org"},
		},
		"room": {
			{"#nav a[href=/searches].composer__context-btn", "Search"},
			{"#nav a[href=/rooms/opens/5/edit][data-room-id=5]", "Settings for this room"},
			{"#nav turbo-frame#involvement_rooms_open_5 button[role=checkbox][aria-checked=true].mentions", "Notifying about @ mentions"},
			{"#nav button.sidebar__toggle", "Open menu"},
			{"#message-area > button.message-area__return-to-latest", "Jump to newest message"},
			{"#footer form#composer lexxy-editor#message_body[aria-multiline=true]", "Write a message"},
			{"form#composer button[name=send]", "Send Message"},
			{"form#composer button.composer__rich-text-btn", "Rich text"},
			{"#nav h1", "Harbour <exhibit>"},
		},
		"room_direct": {
			{"#nav h1", "Ping with Dana Levi and Olu Adeyemi"},
			{"#nav a[href=/rooms/directs/7/edit]", "Settings for this Ping"},
			{"#involvement_rooms_direct_7 button", "Notifying about all messages"},
		},
		"room_welcome": {
			{"#system_welcome.message.message--formatted input#invite_url[readonly]", "Share to invite more people"},
			{"#system_welcome button[data-copy-to-clipboard-content-value=https://chat.example.org/join/abcd-efgh-ijkl]", "Copy join link"},
		},
		"message_edit": {
			{"turbo-frame#edit_message_abc123 lexxy-editor#message_body[autofocus]", "Edit message"},
			{"button[form=form_message_abc123]", "Save changes"},
			{"button[form=delete_form_message_abc123]", "Delete message"},
			{"a.message__edit-close-btn[href=/rooms/5/messages/12]", "Close editor and discard changes"},
			{"a[data-form-target=cancel][hidden]", "Close editor and discard changes"},
		},
		"boost_new": {
			{"turbo-frame#new_boost_message_abc123 form[action=/messages/12/boosts] input.input--boost[maxlength=16][required]", "Add a boost"},
			{"form button[type=submit]", "Submit"},
			{"form a[href=/messages/12/boosts]", "Cancel"},
		},
		"sidebar": {
			{"turbo-frame#user_sidebar turbo-frame#direct_rooms_control a.direct__new[href=/rooms/directs/new]", "New Ping"},
			{"a.rooms__new-btn[href=/rooms/opens/new]", "New Chat Room"},
			{"form[action=/session] button", "Log out"},
		},
		"ping_new": {
			{"turbo-frame#direct_rooms_control form[action=/rooms/directs] a[href=/users/me/sidebar][data-turbo-frame=user_sidebar]", "Cancel changes"},
			{"form button[type=submit]", "Start Ping"},
		},
		"room_new_open": {
			{"form[action=/rooms/opens] input#room_name[required][placeholder=Name_the_room][value=New_room]", "Name this room"},
			{"a[href=/rooms/closeds/new] input#room_type[checked]", "Give only some access to this room"},
			{"form button[type=submit]", "Save"},
			{"#nav a[href=/rooms/5]", "Go Back"},
		},
		"room_new_closed": {
			{"form[action=/rooms/closeds] a[href=/rooms/opens/new] input#room_type", "Give everyone access to this room"},
			{"form input[type=checkbox][value=2]", "Give Dana Levi access to this room"},
		},
		"room_edit_closed": {
			{"input#search[placeholder=Filter…]", "Filter…"},
			{"form[action=/rooms/6] button", "Delete Quiet"},
		},
		"ping_edit":   {{"form[action=/rooms/directs/7] button", "Delete Ping"}},
		"involvement": {{"turbo-frame#involvement_rooms_open_5 form button.nothing", "Notifications are off"}},
		"search": {
			{"#nav input[name=q][role=searchbox][required]", "search"},
			{"#nav a[role=button][href=/searches]", "Clear search field"},
			{"#nav a[href=/rooms/5]", "Exit search"},
			{"#nav button.searches__btn", "Search"},
			{"form[action=/searches/clear] button", "Clear recent searches"},
		},
		"person":    {{"form[action=/rooms/directs] button", "Ping Olu Adeyemi"}, {"img.person__avatar[alt=Profile_avatar]", ""}},
		"error_404": {{"a[href=/]", "Go back"}, {"svg[role=img]", "Not found"}},
		"error_422": {{"a[href=/]", "Go back"}},
		"error_500": {{"svg[role=img]", "Server error"}},
	} {
		t.Run(face, func(t *testing.T) {
			root := faceNamed(t, face)
			for _, c := range controls {
				named(t, root, c.selector, c.name)
			}
		})
	}
}

func TestFormFieldsKeepTheirNames(t *testing.T) {
	for face, fields := range map[string][]string{
		"first_run":       {"user[name]", "user[email_address]", "user[password]", "authenticity_token"},
		"join":            {"user[name]", "user[email_address]", "user[password]"},
		"sign_in":         {"email_address", "password", "log_in"},
		"room":            {"message[body]", "message[client_message_id]", "send"},
		"message_edit":    {"message[body]", "_method"},
		"boost_new":       {"boost[content]"},
		"ping_new":        {"user_ids[]", "rooms_direct[user_ids_input]"},
		"room_new_open":   {"room[name]"},
		"room_new_closed": {"room[name]", "user_ids[]"},
		"search":          {"q"},
		"sidebar":         {"user_ids[]", "_method"},
		"person":          {"user_ids[]"},
	} {
		root := faceNamed(t, face)
		for _, field := range fields {
			found := false
			for n := range root.Descendants() {
				found = found || attr(n, "name") == field
			}
			if !found {
				t.Errorf("%s has no field %s", face, field)
			}
		}
	}
}

func TestPagesAreOneDocumentWithoutInlineScripts(t *testing.T) {
	for _, f := range faces() {
		t.Run(f.name, func(t *testing.T) {
			root := faceNamed(t, f.name)
			if got := attr(one(t, root, "html"), "lang"); got != "en" {
				t.Errorf("lang is %q, want en", got)
			}
			ids := map[string]bool{}
			for n := range root.Descendants() {
				if id := attr(n, "id"); id != "" && ids[id] && !strings.Contains(id, "abc123") {
					t.Errorf("id %s occurs twice", id)
				} else {
					ids[id] = true
				}
				for _, a := range n.Attr {
					if strings.HasPrefix(a.Key, "on") {
						t.Errorf("%s has the inline script %s", n.Data, a.Key)
					}
					if a.Val == "" && (a.Key == "href" || a.Key == "src" || a.Key == "action") && content(n) != "Try again" {
						t.Errorf("%s has an empty %s", n.Data, a.Key)
					}
				}
				if n.Data == "script" && attr(n, "src") == "" {
					t.Error("page has an inline script")
				}
				if n.Data == "meta" && strings.Contains(attr(n, "content"), "user-scalable") {
					t.Error("page can't be zoomed")
				}
			}
			framed := len(find(root, "link")) == 0 // the page around it has the rest
			for n := range root.Descendants() {
				for _, ref := range []string{"for", "aria-labelledby", "aria-describedby", "aria-controls", "form"} {
					if id := attr(n, ref); id != "" && !ids[id] && !(framed && (id == "sidebar" || id == "delete_boost_accessible_label")) {
						t.Errorf("%s refers by %s to %s, which is not on the page", n.Data, ref, id)
					}
				}
			}
		})
	}
}

func TestEveryControlHasAName(t *testing.T) {
	for _, f := range faces() {
		t.Run(f.name, func(t *testing.T) {
			root := faceNamed(t, f.name)
			for n := range root.Descendants() {
				if !isControl(n) {
					continue
				}
				if name(root, n) == "" {
					var b bytes.Buffer
					_ = html.Render(&b, n)
					t.Errorf("no name on %s", b.Bytes())
				}
			}
		})
	}
}

func isControl(n *html.Node) bool {
	switch n.Data {
	case "a", "button", "summary", "select", "textarea", "lexxy-editor":
		return n.Type == html.ElementNode && len(find(n, "#room_type")) == 0
	case "input":
		return n.Type == html.ElementNode && attr(n, "type") != "hidden"
	}
	return attr(n, "role") == "button"
}

func TestTokensStandInEveryFormOfAPage(t *testing.T) {
	for _, f := range faces() {
		root := faceNamed(t, f.name)
		for _, form := range find(root, "form") {
			if attr(form, "method") != "post" || shared(form) {
				continue
			}
			method := "post"
			if m := find(form, "input[name=_method]"); len(m) == 1 {
				method = attr(m[0], "value")
			}
			path, _, _ := strings.Cut(attr(form, "action"), "?")
			token := find(form, "input[name=authenticity_token]")
			if f.name == "first_run" {
				continue // nobody's layout: it has no tokens to give
			}
			if len(token) != 1 || attr(token[0], "value") != method+" "+path {
				t.Errorf("%s: the form for %s %s has not its own token", f.name, method, path)
			}
		}
	}
}

// shared reports whether a form is in a fragment that all viewers get: those
// send the page's token in a header.
func shared(form *html.Node) bool {
	return attr(form, "class") == "quick-boosts" || strings.HasPrefix(attr(form.Parent, "id"), "boost_")
}

func TestNothingLeadsWhereNothingIs(t *testing.T) {
	// What answers one day is linked on that day.
	later := []string{"/account/edit", "/account/bots", "/account/custom_styles", "/users/me/profile", "/qr_code", "/session/transfers", "/webmanifest"}
	for _, f := range faces() {
		root := faceNamed(t, f.name)
		for n := range root.Descendants() {
			for _, a := range n.Attr {
				for _, path := range later {
					if strings.HasPrefix(a.Val, path) {
						t.Errorf("%s links %s", f.name, a.Val)
					}
				}
			}
		}
	}
}

func TestConstantsAreFilledIn(t *testing.T) {
	for _, f := range faces() {
		var b bytes.Buffer
		if err := f.render(&b); err != nil {
			t.Fatal(err)
		}
		if i := bytes.Index(b.Bytes(), []byte("[[")); i >= 0 {
			t.Errorf("%s holds %s", f.name, b.Bytes()[i:min(i+20, b.Len())])
		}
	}
}

func TestFrameAnswersHoldNoNavigation(t *testing.T) {
	for _, face := range []string{"message_frame", "message_edit", "boosts", "boost_new", "sidebar", "ping_new", "involvement", "room_gone"} {
		root := faceNamed(t, face)
		if n := len(find(root, "nav")) + len(find(root, "aside")) + len(find(root, "script")) + len(find(root, "link")); n != 0 {
			t.Errorf("%s holds %d elements that its frame throws away", face, n)
		}
		wants(t, root, "head meta[name=csrf-token]")
	}
}

func TestRoomPageSubscribesToOneStreamAndItsSidebarToTwo(t *testing.T) {
	room, sidebar := faceNamed(t, "room"), faceNamed(t, "sidebar")
	if got, want := attr(one(t, room, "turbo-cable-stream-source[channel=RoomMessagesChannel]"), "signed-stream-name"), keys.SignStream(harbour.Stream()); got != want {
		t.Errorf("room's stream is %s, want %s", got, want)
	}
	if n := len(find(sidebar, "turbo-frame#user_sidebar turbo-cable-stream-source[channel=Turbo::StreamsChannel]")); n != 2 {
		t.Errorf("%d streams in the sidebar, want 2", n)
	}
	wants(t, room, "aside#sidebar > turbo-frame#user_sidebar[src=/users/me/sidebar][target=_top][data-turbo-permanent]",
		"#message-area[data-messages-page-url-value=/rooms/5/messages] > #messages_rooms_open_5.messages[role=log]",
		"#messages_rooms_open_5[data-refresh-room-loaded-at-value=1795694400123][data-refresh-room-url-value=/rooms/5/refresh]",
		"head meta[name=current-room-id][content=5]", "head meta[name=current-user-id][content=1]", "body.sidebar.admin")
	if first := one(t, faceNamed(t, "room_empty"), "#messages_rooms_open_5").FirstChild; first != nil {
		t.Errorf("the empty list begins with %q", first.Data)
	}
}
