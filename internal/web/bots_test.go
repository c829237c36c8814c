package web

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"hearth/internal/chat"
)

func (s *site) botPath(room, bot string) string {
	return s.roomPath(room) + "/" + s.BotKey(bot) + "/messages"
}

func listed(t testing.TB, got answer) []messageJSON {
	t.Helper()
	expect(t, "list", got, "200")
	var list []messageJSON
	if err := json.Unmarshal([]byte(got.body), &list); err != nil {
		t.Fatalf("%v in %.300s", err, got.body)
	}
	return list
}

func TestBotsSeeMessagesInTheirOwnShape(t *testing.T) {
	s := newSite(t)
	m := s.Post("david", "watercooler", "<div>Hello <strong>bots</strong> &amp; all</div>")
	got := s.visitor().get(s.botPath("watercooler", "bender"))
	if kind := got.header.Get("Content-Type"); kind != typeJSON {
		t.Errorf("Content-Type %q", kind)
	}
	list := listed(t, got)
	if len(list) != 1 {
		t.Fatalf("%d messages, want 1", len(list))
	}
	one := list[0]
	if one.ID != int64(m.ID) || one.Body.PlainText != "Hello bots & all" || one.Room.ID != int64(m.RoomID) || one.Room.URL != "" ||
		one.Creator.ID != int64(s.ID("david")) || one.Creator.Name != "David" || one.Creator.Role != "administrator" {
		t.Errorf("message %+v", one)
	}
	if !regexp.MustCompile(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`).MatchString(one.CreatedAt) {
		t.Errorf("created_at %q", one.CreatedAt)
	}
	if !strings.HasPrefix(one.Body.HTML, `<div class="trix-content">`) || !strings.Contains(one.Body.HTML, "<strong>bots</strong>") {
		t.Errorf("html %q", one.Body.HTML)
	}
	if want := fmt.Sprintf("http://chat.test%s/messages/%d", s.roomPath("watercooler"), m.ID); one.URL != want {
		t.Errorf("url %q, want %q", one.URL, want)
	}
	avatar := s.as("kevin").get(strings.TrimPrefix(one.Creator.AvatarURL, "http://chat.test"))
	expect(t, "the avatar", avatar, "200")
}

func TestBotsPageThroughARoom(t *testing.T) {
	s := newSite(t)
	for i := range 95 {
		s.Post("david", "watercooler", fmt.Sprint("message ", i))
	}
	bot := s.visitor()
	next := regexp.MustCompile(`^<http://chat\.test([^>]+)>; rel="next"$`)
	follow := func(path string) (pages [][]messageJSON) {
		t.Helper()
		for path != "" {
			got := bot.get(path)
			if total := got.header.Get("X-Total-Count"); total != "95" {
				t.Errorf("X-Total-Count %q, want 95", total)
			}
			pages = append(pages, listed(t, got))
			path = ""
			if link := got.header.Get("Link"); link != "" {
				path = next.FindStringSubmatch(link)[1]
			}
		}
		return pages
	}
	backward := follow(s.botPath("watercooler", "bender"))
	if len(backward) != 3 || len(backward[0]) != 40 || len(backward[2]) != 15 {
		t.Fatalf("%d pages backward, want 40, 40 and 15", len(backward))
	}
	if first, last := backward[2][0].Body.PlainText, backward[0][39].Body.PlainText; first != "message 0" || last != "message 94" {
		t.Errorf("from %q to %q", first, last)
	}
	forward := follow(fmt.Sprintf("%s?after=%d", s.botPath("watercooler", "bender"), backward[2][0].ID))
	if len(forward) != 3 || forward[0][0].Body.PlainText != "message 1" || len(forward[2]) != 14 {
		t.Errorf("%d pages forward", len(forward))
	}
	expect(t, "an unknown message", bot.get(s.botPath("watercooler", "bender")+"?before=4242"), "404")
	if list := listed(t, bot.get(fmt.Sprintf("%s?after=%d", s.botPath("watercooler", "bender"), backward[0][39].ID))); len(list) != 0 {
		t.Errorf("%d messages after the last", len(list))
	}
}

func TestWhatABotSaysIsTheBodyAsItComes(t *testing.T) {
	s := newSite(t)
	bot := s.visitor()
	for _, c := range []struct{ kind, body, plain string }{
		{"", "Hello!", "Hello!"},
		{formType, "100% sure & a=b", "100% sure & a=b"},
		{formType, "Hello! %zz", "Hello! %zz"},
		{"application/json", `{"not": "parsed"`, `{"not": "parsed"`},
		{"text/html", "<p>one</p><p>two</p>", "one\n\ntwo"},
		{"text/plain; charset=latin1", "caf\xe9", "caf\uFFFD"},
		{"text/plain", "größer 🎉", "größer 🎉"},
	} {
		got := bot.do("POST", s.botPath("watercooler", "bender"), c.body, "Content-Type", c.kind)
		expect(t, c.body, got, "201")
		id := s.Int(`SELECT max(id) FROM messages`)
		if want := fmt.Sprintf("http://chat.test/messages/%d", id); got.header.Get("Location") != want || got.body != "" {
			t.Errorf("Location %q, body %q; want %q and nothing", got.header.Get("Location"), got.body, want)
		}
		list := listed(t, bot.get(s.botPath("watercooler", "bender")))
		if last := list[len(list)-1]; last.Body.PlainText != c.plain || last.Creator.Role != "bot" {
			t.Errorf("%q became %q by a %s", c.body, last.Body.PlainText, last.Creator.Role)
		}
	}
	before := s.Int(`SELECT count(*) FROM messages`)
	expect(t, "nothing", bot.do("POST", s.botPath("watercooler", "bender"), ""), "422")
	expect(t, "blanks", bot.do("POST", s.botPath("watercooler", "bender"), " \n\t"), "422")
	expect(t, "too much", bot.do("POST", s.botPath("watercooler", "bender"), strings.Repeat("a", maxForm+1)), "413")
	if after := s.Int(`SELECT count(*) FROM messages`); after != before {
		t.Errorf("%d messages more", after-before)
	}
}

func TestBotsChangeOnlyTheirOwnMessages(t *testing.T) {
	s := newSite(t)
	bot := s.visitor()
	mine, others, hidden := s.Post("bender", "watercooler", "mine"), s.Post("david", "watercooler", "others"), s.Post("jz", "secret", "hidden")
	path := func(room string, id chat.MessageID) string {
		return fmt.Sprintf("%s/%d", s.botPath(room, "bender"), id)
	}
	edited := bot.do("PUT", path("watercooler", mine.ID), "changed")
	expect(t, "edit", edited, "200")
	var one messageJSON
	if err := json.Unmarshal([]byte(edited.body), &one); err != nil || one.ID != int64(mine.ID) || one.Body.PlainText != "changed" {
		t.Errorf("edited: %+v, %v", one, err)
	}
	expect(t, "edit by PATCH", bot.do("PATCH", path("watercooler", mine.ID), "changed again"), "200")
	expect(t, "edit another's", bot.do("PUT", path("watercooler", others.ID), "x"), "403")
	expect(t, "edit in a hidden room", bot.do("PUT", path("secret", hidden.ID), "x"), "404")
	expect(t, "edit a hidden room's under an own one", bot.do("PUT", path("watercooler", hidden.ID), "x"), "404")
	expect(t, "edit to nothing", bot.do("PUT", path("watercooler", mine.ID), " "), "422")
	expect(t, "delete another's", bot.do("DELETE", path("watercooler", others.ID), ""), "403")
	expect(t, "delete", bot.do("DELETE", path("watercooler", mine.ID), ""), "204")
	expect(t, "delete again", bot.do("DELETE", path("watercooler", mine.ID), ""), "404")
}
