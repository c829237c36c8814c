package view_test

import (
	"bytes"
	"html/template"
	"net/url"
	"path"
	"slices"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"hearth/internal/chat"
	"hearth/internal/view"
)

// hostile are strings that ended an attribute, an element or a script somewhere.
var hostile = []string{
	"x", "Tom & Jerry", `"><script>alert(1)</script>`, `' onmouseover='alert(1)`, "</template></turbo-stream>", "</style><script>",
	"<!--", "-->", "<![CDATA[", "a\x00b", "\u202Etxt.exe", "a\r\nb", "\xff\xfe", "&lt;&amp;&#34;", "${1}{{.}}", "javascript:alert(1)",
	"../../etc/passwd", "..", "a/b?c#d%2F", "`", "🎉", "عربي", "  spaced  ", "=", "a=b onload=c", "\u2028", strings.Repeat("<div>", 50),
}

// hostileMessage has s wherever a message can hold what somebody typed.
func hostileMessage(s string) *chat.Message {
	m := boosted()
	m.ClientID, m.RoomName = s, s
	m.Author.Name, m.Author.Bio = s, "bio "+s
	for i := range m.Boosts {
		m.Boosts[i].Content, m.Boosts[i].Booster.Name = s, s
	}
	m.Attachment = &chat.Blob{ID: 1, Filename: s, ByteSize: 1}
	return m
}

func FuzzFragmentsEscapeLikeTemplates(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	reference := template.Must(template.New("").Parse(`<i id="message_{{.}}" title="{{.}}">{{.}}</i>`))
	plain := shape(parseFragment(f, hostileFragments("x")))
	f.Fuzz(func(t *testing.T, s string) {
		if strings.TrimSpace(s) == "" {
			return // a blank name or bio leaves its part out
		}
		root := parseFragment(t, hostileFragments(s))
		if got := shape(root); !slices.Equal(got, plain) {
			t.Fatalf("%q changes the elements:\ngot  %s\nwant %s", s, got, plain)
		}
		var b bytes.Buffer
		if err := reference.Execute(&b, s); err != nil {
			t.Fatal(err)
		}
		want := parseFragment(t, b.Bytes()).FirstChild
		got := find(root, "> .message")[0]
		same(t, "client id", attr(got, "id"), attr(want, "id"))
		same(t, "author", verbatim(find(got, ".message__author strong")[0]), verbatim(want))
		same(t, "room", verbatim(find(got, ".message__room a")[0]), verbatim(want))
		same(t, "booster", attr(find(got, ".boost__avatar")[0], "title"), attr(want, "title"))
		same(t, "boost", verbatim(find(got, ".boost [role=button]")[0]), verbatim(want))
		same(t, "sidebar room", attr(find(root, "> .room")[0], "data-sorted-list-name"), attr(want, "title"))
		same(t, "frame", attr(find(root, "> turbo-stream[action=remove]")[0], "target"), attr(want, "id"))
		checkDownload(t, s, find(got, "a[download]")[0])
	})
}

// hostileFragments are all fragments with s in them.
func hostileFragments(s string) []byte {
	m := hostileMessage(s)
	room := *harbour
	room.Name = s
	dst := site.AppendMessage(nil, m, cast)
	dst = site.AppendMessageEdited(dst, m, cast)
	dst = site.AppendBoostAdded(dst, m, &m.Boosts[0])
	dst = view.AppendMessageDeleted(dst, s)
	dst = site.AppendSidebarRoom(dst, &chat.SidebarRoom{Room: room})
	dst = site.AppendSidebarDirect(dst, &chat.SidebarDirect{Room: *ping, Members: []chat.Author{m.Author}})
	dst = site.AppendSidebarDirect(dst, &chat.SidebarDirect{Room: *ping, Members: []chat.Author{m.Author, m.Author}})
	return site.AppendPromptItems(dst, []chat.User{{ID: 2, Name: s}})
}

// checkDownload compares a download's path with the name that it shows.
func checkDownload(t *testing.T, filename string, a *html.Node) {
	t.Helper()
	u, err := url.Parse(attr(a, "href"))
	if err != nil {
		t.Fatalf("%q makes a link that can't be parsed: %v", filename, err)
	}
	if u.Host != "" || u.Scheme != "" || u.RawQuery != "disposition=attachment" || u.Fragment != "" {
		t.Errorf("%q leads elsewhere: %s", filename, u)
	}
	if n := strings.Count(u.EscapedPath(), "/"); n != 6 {
		t.Errorf("%q makes %d steps of the path %s, want 6", filename, n, u.EscapedPath())
	}
	if path.Clean(u.Path) != u.Path {
		t.Errorf("%q makes a path that browsers walk: %s", filename, u.Path)
	}
	if strings.ContainsAny(u.Path[strings.LastIndex(u.Path, "/"):], "\u202E%$|:;<>?*\"\\\t\r\n") {
		t.Errorf("%q keeps an unsafe character in %s", filename, u.Path)
	}
}

func FuzzPagesKeepTheirShape(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	plain := shape(parsePage(f, hostilePages(f, "x")))
	f.Fuzz(func(t *testing.T, s string) {
		if strings.TrimSpace(s) == "" {
			return
		}
		if got := shape(parsePage(t, hostilePages(t, s))); !slices.Equal(got, plain) {
			t.Fatalf("%q changes the elements:\ngot  %s\nwant %s", s, got, plain)
		}
	})
}

// hostilePages are pages with s wherever somebody may have typed it, one after another.
func hostilePages(t testing.TB, s string) []byte {
	l := layout()
	person := chat.User{ID: 1, Name: s, Bio: s, Email: s, UpdatedAt: noon}
	l.Viewer, l.Account, l.Alert = &person, &chat.Account{Name: s, JoinCode: s, CustomStyles: "x" + s}, s
	room := roomShown()
	named := *harbour
	named.Name = s
	room.Room, room.Welcome = &named, true
	var b bytes.Buffer
	for _, err := range []error{
		site.RoomPage(&b, l, room),
		site.EditRoomPage(&b, l, &view.RoomSettings{Room: &named, Type: chat.Closed, Members: []chat.User{person}, Administer: true}),
		site.SearchPage(&b, l, &view.Search{Query: s, Recent: []string{s}}),
		site.PersonPage(&b, l, &person),
		site.JoinPage(&b, l, &view.SignUp{Code: s, Name: s, Email: s, Problem: s, Helper: &person}),
		site.SignInPage(&b, l, &view.SignIn{Email: s, Helper: &person}),
		site.EditMessagePage(&b, l, &view.MessageShown{Message: hostileMessage(s), People: cast}),
		site.NewBoostPage(&b, l, hostileMessage(s)),
		site.SidebarPage(&b, l, &chat.Sidebar{Placeholders: []chat.Author{person.Author()}}),
	} {
		if err != nil {
			t.Fatalf("%q: %v", s, err)
		}
	}
	return b.Bytes()
}

// shape lists the elements with the names of their attributes. Classes are left
// out: whether a boost is an emoji and a search is the current one shows there.
func shape(root *html.Node) []string {
	var shape []string
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		tag := n.Data
		for _, a := range n.Attr {
			if a.Key != "class" {
				tag += " " + a.Key
			}
		}
		shape = append(shape, tag)
	}
	return shape
}

// verbatim is the whole text of an element as it stands.
func verbatim(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// same compares what a browser makes of both. A bare CR reads back as LF, which
// only the append functions prevent.
func same(t *testing.T, what, got, want string) {
	t.Helper()
	lines := strings.NewReplacer("\r\n", "\n", "\r", "\n")
	if lines.Replace(got) != lines.Replace(want) {
		t.Errorf("%s is %q, html/template makes it %q", what, got, want)
	}
}
