package view_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"hearth/internal/chat"
	"hearth/internal/view"
)

// wants are selectors, each of which names exactly one element.
func wants(t *testing.T, root *html.Node, selectors ...string) {
	t.Helper()
	for _, s := range selectors {
		if n := len(find(root, s)); n != 1 {
			t.Errorf("%d elements are %s, want 1", n, s)
		}
	}
}

// named checks that the only element a selector names is called so.
func named(t *testing.T, root *html.Node, selector, want string) {
	t.Helper()
	found := find(root, selector)
	if len(found) != 1 {
		t.Errorf("%d elements are %s, want 1", len(found), selector)
		return
	}
	if got := name(root, found[0]); got != want {
		t.Errorf("%s is named %q, want %q", selector, got, want)
	}
}

func TestMessageHoldsWhatScriptsAndStylesHookInto(t *testing.T) {
	root := parseFragment(t, site.AppendMessage(nil, boosted(), cast))
	wants(t, root,
		"> div#message_abc123.message[data-user-id=2][data-message-id=12][data-message-timestamp=1795694400123][data-message-updated-at=1795694460123][data-sort-value=1795694400123]",
		"> div[data-controller=reply][data-messages-target=message][data-search-results-target=message][data-refresh-room-target=message][data-reply-composer-outlet=#composer]",
		".message > h2.message__day-separator > time[datetime=2026-11-26T12:00:00Z][data-local-time-target=date]",
		".message > figure.avatar.message__avatar > a.btn.avatar[href=/users/2][title=Dana_Levi][data-turbo-frame=_top] > img[aria-hidden=true][alt]",
		".message > turbo-frame#edit_message_abc123 > .message__body > .message__body-content > .message__meta > h3.message__heading",
		"h3 .message__author[title=Dana_Levi] strong[data-reply-target=author]",
		"h3 > a.message__permalink[href=/rooms/5/@12] > time.message__timestamp[data-local-time-target=time]",
		"h3 > .message__room > a[data-reply-target=link]",
		".message__meta > details.position-relative > summary.message__options-btn",
		"details > .message__actions-menu > .quick-boosts",
		"details > .message__actions-menu .message__actions-grid",
		".message__body-content > div#presentation_message_abc123[dir=auto][data-reply-target=body][data-messages-target=body] > .trix-content.lexxy-content",
		".message__body > turbo-frame#boosting_message_abc123 > .boosts > #boosts_message_abc123",
		".boosts > turbo-frame#new_boost_message_abc123 > a.boost__action[href=/messages/12/boosts/new]",
	)
	named(t, root, "summary", "Message options")
	named(t, root, "a.message__boost-btn[href=/messages/12/boosts/new][data-turbo-frame=new_boost_message_abc123]", "New boost")
	named(t, root, "button[data-action=reply#reply]", "Reply")
	named(t, root, "button[data-controller=copy-to-clipboard][data-copy-to-clipboard-content-value=/rooms/5/@12][title=Copy_link]", "Copy link")
	named(t, root, "a.message__edit-btn[href=/rooms/5/messages/12/edit][title=Edit][data-turbo-frame=edit_message_abc123]", "Edit")
	named(t, root, "a.boost__action", "Add a boost")
}

func TestEveryMessageOffersEightQuickBoosts(t *testing.T) {
	root := parseFragment(t, site.AppendMessage(nil, text(), cast))
	wants(t, root, "form.quick-boosts[action=/messages/12/boosts][method=post][data-turbo-frame=boosting_message_abc123]")
	buttons := find(root, ".quick-boosts button")
	want := []string{"👍 Thumbs up", "👏 Clapping", "👋 Waving hand", "💪 Muscle", "❤️ Red heart", "😂 Face with tears of joy", "🎉 Party popper", "🔥 Fire"}
	if len(buttons) != len(want) {
		t.Fatalf("%d quick boosts, want %d", len(buttons), len(want))
	}
	for i, b := range buttons {
		got := attr(b, "value") + " " + name(root, b)
		if got != want[i] || attr(b, "name") != "boost[content]" || attr(b, "data-emoji") != attr(b, "value") || attr(b, "title") != attr(b, "aria-label") || content(b) != attr(b, "value") {
			t.Errorf("quick boost %d is %q, want %q, with field, title and emoji alike", i, got, want[i])
		}
	}
}

func TestBoostNamesItsBoosterAndItsDeletion(t *testing.T) {
	root := parseFragment(t, site.AppendBoosts(nil, boosted()))
	wants(t, root,
		"#boosts_message_abc123 > #boost_3.boost.boost-item[data-boost-delete-booster-id-value=1]",
		"#boosts_message_abc123 > #boost_4.boost.boost-item[data-boost-delete-booster-id-value=3]",
		"#boost_3 > span.boost-character[role=button][tabindex=0]",
		"#boost_3 > form[action=/messages/12/boosts/3][method=post] > input[name=_method][value=delete]",
	)
	if len(find(root, "#boost_4 .boost-character")) != 0 {
		t.Error("a boost in words is shown like an emoji")
	}
	named(t, root, "#boost_3 > a[href=/users/1]", "Inês Carvalho boosted 🎉")
	named(t, root, "#boost_4 > a[href=/users/3]", "Olu Adeyemi boosted at last!")
	named(t, root, "#boost_3 button.boost__delete", "Delete this boost")
}

func TestFileIsANamedDownload(t *testing.T) {
	root := parseFragment(t, site.AppendMessage(nil, file(), cast))
	named(t, root, "#presentation_message_abc123 a[download]", "Download tide tables 100-.pdf")
	named(t, root, ".message__actions-grid a[download]", "Download")
	want := "/rails/active_storage/blobs/redirect/" + keys.BlobID(1) + "/tide%20tables%20100-.pdf?disposition=attachment"
	for _, a := range find(root, "a[download]") {
		if got := attr(a, "href"); got != want {
			t.Errorf("download leads to %q, want %q", got, want)
		}
	}
	if len(find(root, "[data-action=reply#reply]")) != 0 {
		t.Error("a file can be replied to, want texts only")
	}
}

func TestMessageOfAMissingAuthorIsAStubInItsPlace(t *testing.T) {
	root := parseFragment(t, site.AppendMessage(nil, orphan(), cast))
	wants(t, root, "> #message_abc123.message.message--failed[data-message-id=12][data-message-timestamp=1795694400123]")
	if got := content(root); !strings.Contains(got, "can’t be shown") {
		t.Errorf("stub says %q", got)
	}
	if strings.Contains(content(root), "tide clock") {
		t.Error("stub shows the body")
	}
}

func TestEmojiAloneAreMarked(t *testing.T) {
	for body, want := range map[string]bool{
		"🎉": true, "<div>🎉🔥</div>": true, "<p>❤️</p>": true,
		"<p>🎉!</p>": false, "<p>🔥 💯</p>": false, "<p>:)</p>": false, "": false, "<p></p>": false, "<p>早上好</p>": false,
		"<p>🎉早</p>": false, "🎉&amp;": false, "<": false, "<p>&#x1F389;</p>": true,
	} {
		m := with(text(), func(m *chat.Message) { m.Body = body })
		root := parseFragment(t, site.AppendMessage(nil, m, cast))
		if got := len(find(root, "> .message--emoji")) == 1; got != want {
			t.Errorf("%q is emoji only: %v, want %v", body, got, want)
		}
	}
}

func TestFragmentsAreTheSameUnderEveryHost(t *testing.T) {
	fragment := site.AppendMessages(nil, []*chat.Message{text(), boosted(), file(), orphan()}, cast)
	for _, host := range []string{"http:", "https:", "example.org", "//"} {
		if bytes.Contains(fragment, []byte(host)) {
			t.Errorf("fragment holds %q: links must be relative", host)
		}
	}
	if bytes.Contains(fragment, []byte("authenticity_token")) {
		t.Error("fragment holds a token, which belongs to one viewer")
	}
}

func TestStreamsNameTheirActionAndTarget(t *testing.T) {
	room := &chat.SidebarRoom{Room: *harbour}
	for name, c := range map[string]struct {
		frame    []byte
		selector string
	}{
		"posted":         {site.AppendMessagePosted(nil, text(), cast), "> turbo-stream[action=append][target=messages_rooms_open_5] > template"},
		"posted many":    {site.AppendMessagesPosted(nil, []*chat.Message{text()}, cast), "> turbo-stream[action=append][target=messages_rooms_open_5] > template"},
		"edited":         {site.AppendMessageEdited(nil, text(), cast), "> turbo-stream[action=replace][target=presentation_message_abc123][maintain_scroll=true] > template > #presentation_message_abc123"},
		"replaced":       {site.AppendMessageReplaced(nil, text(), cast), "> turbo-stream[action=replace][target=message_abc123] > template > #message_abc123"},
		"deleted":        {view.AppendMessageDeleted(nil, "abc123"), "> turbo-stream[action=remove][target=message_abc123]"},
		"boosted":        {site.AppendBoostAdded(nil, text(), &boosted().Boosts[0]), "> turbo-stream[action=append][target=boosts_message_abc123][maintain_scroll=true] > template > #boost_3"},
		"boost removed":  {view.AppendBoostRemoved(nil, 3), "> turbo-stream[action=remove][target=boost_3]"},
		"room created":   {site.AppendRoomCreated(nil, room), "> turbo-stream[action=prepend][target=shared_rooms] > template > a#list_rooms_open_5"},
		"room converted": {site.AppendRoomUpdated(nil, room, chat.Closed), "> turbo-stream[action=replace][target=list_rooms_closed_5] > template > a#list_rooms_open_5"},
		"room deleted":   {view.AppendRoomDeleted(nil, harbour), "> turbo-stream[action=remove][target=list_rooms_open_5]"},
		"ping opened":    {site.AppendDirectOpened(nil, &chat.SidebarDirect{Room: *ping, Members: []chat.Author{dana}}), "> turbo-stream[action=prepend][target=direct_rooms] > template > a#list_rooms_direct_7"},
		"any":            {view.AppendStream(nil, view.Update, "a<b", "", []byte("<i>x</i>")), "> turbo-stream[action=update] > template > i"},
		"any removal":    {view.AppendStream(nil, view.Remove, "x", "", nil), "> turbo-stream[action=remove][target=x]"},
	} {
		t.Run(name, func(t *testing.T) {
			root := parseFragment(t, c.frame)
			wants(t, root, c.selector, "> turbo-stream")
			if strings.Contains(c.selector, "action=remove") == (len(find(root, "template")) == 1) {
				t.Errorf("template in %s", c.frame)
			}
		})
	}
	root := parseFragment(t, view.AppendMessageVanished(nil, 12))
	if got, want := attr(one(t, root, "> turbo-stream[action=remove]"), "targets"), "[data-message-id='12']"; got != want {
		t.Errorf("vanished message is %s, want %s", got, want)
	}
	if got := site.AppendMessagesPosted(nil, nil, cast); len(got) != 0 {
		t.Errorf("no messages make the frame %s", got)
	}
}

func TestSidebarRowsCarryWhatSortsAndMarksThem(t *testing.T) {
	var b []byte
	b = site.AppendSidebarRoom(b, &chat.SidebarRoom{Room: *harbour, Unread: true})
	b = site.AppendSidebarRoom(b, &chat.SidebarRoom{Room: *quiet})
	b = site.AppendSidebarDirect(b, &chat.SidebarDirect{Room: *ping, Unread: true, Members: []chat.Author{dana}})
	root := parseFragment(t, b)
	wants(t, root,
		"a#list_rooms_open_5.room.btn.unread[href=/rooms/5][data-room-id=5][data-rooms-list-target=room][data-badge-dot-target=unread][data-sorted-list-target=item]",
		"a#list_rooms_closed_6.room.btn[data-sorted-list-name=Quiet]",
		"a#list_rooms_direct_7.direct.unread[data-room-id=7][data-sorted-list-number=1795694400123][data-sorted-list-target=item]",
	)
	named(t, root, "#list_rooms_open_5", "Harbour <exhibit>")
	named(t, root, "#list_rooms_direct_7", "Ping with Dana")
	if len(find(root, "#list_rooms_closed_6.unread")) != 0 {
		t.Error("a read room is marked unread")
	}
}

func TestPingOfManyShowsFacesAndInitialsAndSaysNames(t *testing.T) {
	root := parseFragment(t, site.AppendSidebarDirect(nil, &chat.SidebarDirect{Room: *ping, Members: []chat.Author{ines, dana, olu, robot, {ID: 6, Name: "mei tanaka"}}}))
	named(t, root, "a", "Ping with Inês Carvalho, Dana Levi, Olu Adeyemi, Lamplighter, and mei tanaka")
	if got := content(one(t, root, ".direct__author [aria-hidden=true]")); got != "IC + DL + OA + L + mt" {
		t.Errorf("initials are %q", got)
	}
	if got := len(find(root, ".avatar__group > img")); got != 4 {
		t.Errorf("%d faces, want 4", got)
	}
}

func TestDirectNameIsASentence(t *testing.T) {
	for want, others := range map[string][]chat.Author{
		"":                          nil,
		"Dana Levi":                 {dana},
		"Dana Levi and Olu Adeyemi": {dana, olu},
		"Dana Levi, Olu Adeyemi, and Lamplighter": {dana, olu, robot},
	} {
		if got := view.DirectName(others); got != want {
			t.Errorf("name is %q, want %q", got, want)
		}
	}
}

// faceNamed renders one of faces.
func faceNamed(t *testing.T, name string) *html.Node {
	t.Helper()
	for _, f := range faces() {
		if f.name == name {
			return rendered(t, func(w io.Writer) error { return f.render(w) })
		}
	}
	t.Fatalf("no face %s", name)
	return nil
}
