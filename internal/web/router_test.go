package web

import (
	"slices"
	"testing"

	"hearth/internal/chat"
)

func TestRouterFindsWhatThePathMeans(t *testing.T) {
	tree := newRouter(routes())
	for _, c := range []struct {
		method, path, pattern string
		values                []string
		suffix                string
	}{
		{"GET", "/", "/", nil, ""},
		{"HEAD", "/rooms/5", "/rooms/{id}", []string{"5"}, ""},
		{"GET", "//rooms//5/", "/rooms/{id}", []string{"5"}, ""},
		{"GET", "/rooms/5.html", "/rooms/{id}", []string{"5"}, "html"},
		{"GET", "/rooms/5/@7", "/rooms/{id}/@{message_id}", []string{"5", "7"}, ""},
		{"GET", "/rooms/5/%407", "/rooms/{id}/@{message_id}", []string{"5", "7"}, ""},
		{"GET", "/rooms/opens/new", "/rooms/opens/new", nil, ""},
		{"GET", "/rooms/opens/5", "/rooms/opens/{id}", []string{"5"}, ""},
		{"PUT", "/rooms/opens/5", "/rooms/opens/{id}", []string{"5"}, ""},
		{"GET", "/rooms/5/messages/9", "/rooms/{room_id}/messages/{id}", []string{"5", "9"}, ""},
		{"GET", "/rooms/5/8-abc/messages", "/rooms/{room_id}/{bot_key}/messages", []string{"5", "8-abc"}, ""},
		{"POST", "/rooms/5/8-abc/messages.json", "/rooms/{room_id}/{bot_key}/messages", []string{"5", "8-abc"}, "json"},
		{"GET", "/users/me/sidebar", "/users/{user_id}/sidebar", []string{"me"}, ""},
		{"GET", "/autocompletable/users.json", "/autocompletable/users", nil, "json"},
		{"GET", "/rails/active_storage/disk/a%2Fb/two.part/name.tar.gz", "/rails/active_storage/disk/{encoded_key}/{filename...}", []string{"a/b", "two.part/name.tar.gz"}, ""},
		{"GET", "/rails/active_storage/blobs/abc/x.png", "/rails/active_storage/blobs/{signed_id}/{filename...}", []string{"abc", "x.png"}, ""},
		{"GET", "/rails/active_storage/blobs/redirect/abc/x.png", "/rails/active_storage/blobs/redirect/{signed_id}/{filename...}", []string{"abc", "x.png"}, ""},
		{"GET", "/robots.txt", "/robots.txt", nil, ""},
	} {
		found, ok := tree.find(c.method, c.path)
		if !ok {
			t.Errorf("%s %s: not found", c.method, c.path)
			continue
		}
		if found.route.pattern != c.pattern || !slices.Equal(found.values, c.values) || found.suffix != c.suffix {
			t.Errorf("%s %s = %s %q .%s, want %s %q .%s", c.method, c.path,
				found.route.pattern, found.values, found.suffix, c.pattern, c.values, c.suffix)
		}
	}
	for _, path := range []string{"/nothing", "/rooms/5/6/7/8", "/rooms/%zz", "/rooms/%ff", "/rooms/%00", "/rooms/.", "/rooms/5.", "/join", "/rooms/5/@"} {
		if found, ok := tree.find("GET", path); ok {
			t.Errorf("GET %s = %s, want nothing", path, found.route.pattern)
		}
	}
	if _, ok := tree.find("OPTIONS", "/rooms/5"); ok {
		t.Error("OPTIONS is answered")
	}
}

func TestTwoRoutesForOneAddressAreRefused(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	handler := func(*exchange, *chat.Reader) error { return nil }
	newRouter([]route{{method: get, pattern: "/a/{b}", read: handler}, {method: get, pattern: "/a/{c}", read: handler}})
}

func FuzzRouter(f *testing.F) {
	for _, seed := range []string{"/", "/rooms/5/@7.json", "/rooms//", "/%2F/%2e", "/a.b.c/d", "/rooms/5/x/messages/1/boosts/2"} {
		f.Add(seed)
	}
	tree := newRouter(routes())
	f.Fuzz(func(t *testing.T, path string) {
		found, ok := tree.find("GET", path)
		if ok && len(found.values) != len(found.route.names) {
			t.Errorf("%q: %d values for %s", path, len(found.values), found.route.pattern)
		}
	})
}
