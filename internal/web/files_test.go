package web

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hearth/internal/chat"
	"hearth/internal/chat/chattest"
)

// store puts a file into the storage folder, as an upload would have.
func (s *site) store(key, filename, contentType, content string) int64 {
	s.t.Helper()
	folder := filepath.Join(s.Dir, "files", key[:2], key[2:4])
	if err := os.MkdirAll(folder, 0o755); err != nil {
		s.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(folder, key), []byte(content), 0o644); err != nil {
		s.t.Fatal(err)
	}
	s.Exec(`INSERT INTO active_storage_blobs (key, filename, content_type, metadata, service_name, byte_size, checksum, created_at)
		VALUES (?1, ?2, ?3, '{"identified":true}', 'local', ?4, '', '2026-01-01 00:00:00')`, key, filename, contentType, len(content))
	return s.Int(`SELECT id FROM active_storage_blobs WHERE key = ?1`, key)
}

func (s *site) attach(blob int64, record string, id int64, name string) {
	s.Exec(`INSERT INTO active_storage_attachments (name, record_type, record_id, blob_id, created_at) VALUES (?1, ?2, ?3, ?4, '2026-01-01 00:00:00')`, name, record, id, blob)
}

func TestLinksToStoredFilesLeadToTheirBytes(t *testing.T) {
	s := newSite(t)
	text := strings.Repeat("0123456789", 100)
	for _, c := range []struct {
		key, filename, kind, query string
		servedAs, disposition      string
	}{
		{"aaaa1", "moon.jpg", "image/jpeg", "", "image/jpeg", `inline; filename="moon.jpg"; filename*=UTF-8''moon.jpg`},
		{"aaaa2", "moon.jpg", "image/jpeg", "?disposition=attachment", "image/jpeg", `attachment; filename="moon.jpg"; filename*=UTF-8''moon.jpg`},
		{"aaaa3", "page.html", "text/html", "", "application/octet-stream", `attachment; filename="page.html"; filename*=UTF-8''page.html`},
		{"aaaa4", "x.svg", "image/svg+xml", "?disposition=inline", "application/octet-stream", `attachment; filename="x.svg"; filename*=UTF-8''x.svg`},
		{"aaaa5", "notes.txt", "text/plain", "?disposition=inline", "text/plain", `attachment; filename="notes.txt"; filename*=UTF-8''notes.txt`},
		{"aaaa6", "größe \"a/b\".pdf", "application/pdf", "", "application/pdf", `inline; filename="gr%3F%3Fe -a-b-.pdf"; filename*=UTF-8''gr%C3%B6%C3%9Fe%20-a-b-.pdf`},
		{"aaaa7", "none", "", "", "application/octet-stream", `attachment; filename="none"; filename*=UTF-8''none`},
	} {
		id := s.store(c.key, c.filename, c.kind, text)
		b := s.visitor() // no login is needed
		for _, alias := range []string{"redirect/", ""} {
			got := b.get("/rails/active_storage/blobs/" + alias + escapeSegment(s.Keys.BlobID(id)) + "/whatever" + c.query)
			if got.status != 302 || got.header.Get("Cache-Control") != "max-age=300, private" {
				t.Errorf("%s: %s, Cache-Control %q", c.filename, got.where(), got.header.Get("Cache-Control"))
				continue
			}
			file := b.get(strings.TrimPrefix(got.header.Get("Location"), "http://chat.test"))
			expect(t, c.filename, file, "200")
			if file.body != text || file.header.Get("Content-Type") != c.servedAs || file.header.Get("Content-Disposition") != c.disposition {
				t.Errorf("%s: %d bytes as %s, %s; want %s, %s", c.filename, len(file.body), file.header.Get("Content-Type"), file.header.Get("Content-Disposition"), c.servedAs, c.disposition)
			}
			if got := file.header.Get("Cache-Control"); got != "max-age=3600, public" {
				t.Errorf("%s: Cache-Control %q", c.filename, got)
			}
		}
		proxied := b.get("/rails/active_storage/blobs/proxy/" + escapeSegment(s.Keys.BlobID(id)) + "/whatever" + c.query)
		if proxied.body != text || proxied.header.Get("Cache-Control") != "max-age=3155695200, public, immutable" {
			t.Errorf("%s proxied: %d bytes, Cache-Control %q", c.filename, len(proxied.body), proxied.header.Get("Cache-Control"))
		}
	}
}

func TestPartsOfAFileCanBeAskedFor(t *testing.T) {
	s := newSite(t)
	id := s.store("bbbb1", "ten.txt", "text/plain", "0123456789")
	path := "/rails/active_storage/blobs/proxy/" + escapeSegment(s.Keys.BlobID(id)) + "/ten.txt"
	b := s.visitor()
	for ranges, want := range map[string]struct {
		status int
		body   string
	}{
		"bytes=2-4": {206, "234"}, "bytes=-2": {206, "89"}, "bytes=8-": {206, "89"}, "bytes=20-30": {416, ""}, "bytes=5-2": {416, ""}, "": {200, "0123456789"},
	} {
		got := b.get(path, "Range", ranges)
		if got.status != want.status || want.body != "" && got.body != want.body {
			t.Errorf("Range %q: %d %q, want %d %q", ranges, got.status, got.body, want.status, want.body)
		}
	}
	if got := b.get(path, "Range", "bytes=0-1,4-5"); got.status != 206 || !strings.HasPrefix(got.header.Get("Content-Type"), "multipart/byteranges") {
		t.Errorf("two ranges: %d %s", got.status, got.header.Get("Content-Type"))
	}
	if got := b.do("HEAD", path, ""); got.body != "" || got.header.Get("Content-Length") != "10" {
		t.Errorf("HEAD: %q, Content-Length %s", got.body, got.header.Get("Content-Length"))
	}
	os.Remove(filepath.Join(s.Dir, "files", "bb", "bb", "bbbb1"))
	expect(t, "its bytes are gone", b.get(path), "404")
}

const onePixel = "GIF89a\x01\x00\x01\x00\x80\x00\x00\xff\xff\xff\x00\x00\x00!\xf9\x04\x01\x00\x00\x00\x00,\x00\x00\x00\x00\x01\x00\x01\x00\x00\x02\x02D\x01\x00;"

func TestAvatarsArePicturesOrInitials(t *testing.T) {
	s := newSite(t)
	b := s.as("kevin")
	avatar := func(name string) answer {
		u := s.User(name)
		got := b.get(s.server.site.AvatarURL(u.ID, u.UpdatedAt))
		expect(t, name, got, "200")
		if cache := got.header.Get("Cache-Control"); cache != "max-age=1800, public, stale-while-revalidate=604800" {
			t.Errorf("%s: Cache-Control %q", name, cache)
		}
		if cookies := got.header.Values("Set-Cookie"); len(cookies) > 0 {
			t.Errorf("%s: cookies in what others may keep: %q", name, cookies)
		}
		return got
	}
	initials := avatar("lou")
	if initials.header.Get("Content-Type") != "image/svg+xml" {
		t.Errorf("initials as %s", initials.header.Get("Content-Type"))
	}
	expectIn(t, "initials", initials.body, ">LL</text>", `fill="`+avatarColor(s.ID("lou"))+`"`)
	expect(t, "initials again", b.get(s.server.site.AvatarURL(s.ID("lou"), s.User("lou").UpdatedAt), "If-None-Match", initials.header.Get("ETag")), "304")
	s.Exec(`UPDATE users SET name = 'A <b> & C D' WHERE id = ?1`, s.ID("lou"))
	renamed := avatar("lou")
	expectIn(t, "another name at once", renamed.body, "textLength")
	if renamed.header.Get("ETag") == initials.header.Get("ETag") {
		t.Error("the ETag of other initials is the same")
	}
	if bot := avatar("bender"); bot.body != string(botPicture) {
		t.Error("a bot has no robot's face")
	}

	s.attach(s.store("cccc1", "me.gif", "text/html", onePixel), "User", int64(s.ID("david")), "avatar")
	if got := avatar("david"); got.body != onePixel || got.header.Get("Content-Type") != "image/gif" {
		t.Errorf("a GIF came as %s, %d bytes", got.header.Get("Content-Type"), len(got.body))
	}
	s.attach(s.store("cccc2", "me.png", "image/png", "<svg onload=alert(1)>"), "User", int64(s.ID("jz")), "avatar")
	if got := avatar("jz"); got.header.Get("Content-Type") != "image/svg+xml" || strings.Contains(got.body, "onload") {
		t.Errorf("what calls itself a PNG came as %s", got.header.Get("Content-Type"))
	}
	s.attach(s.store("cccc3", "me.gif", "image/gif", onePixel+strings.Repeat("x", pictureMax)), "User", int64(s.ID("jason")), "avatar")
	if got := avatar("jason"); got.header.Get("Content-Type") != "image/svg+xml" {
		t.Error("a picture beyond the limit was sent")
	}
}

func TestAvatarColorsFollowTheId(t *testing.T) {
	for id, want := range map[chat.UserID]string{1: avatarColors[11], 2: avatarColors[13], 3: avatarColors[7]} {
		if got := avatarColor(id); got != want {
			t.Errorf("color of %d is %s, want %s", id, got, want)
		}
	}
}

func TestTheLogoIsOursOrTheirs(t *testing.T) {
	s := newSite(t)
	b := s.visitor()
	large, small := b.get("/account/logo?v=1"), b.get("/account/logo?size=small&v=1")
	for name, got := range map[string]answer{"large": large, "small": small} {
		expect(t, name, got, "200")
		if kind := http.DetectContentType([]byte(got.body)); kind != "image/png" || got.header.Get("Content-Type") != kind {
			t.Errorf("%s: %s as %s", name, kind, got.header.Get("Content-Type"))
		}
		if cache := got.header.Get("Cache-Control"); cache != "max-age=300, public, stale-while-revalidate=604800" {
			t.Errorf("%s: Cache-Control %q", name, cache)
		}
	}
	if len(small.body) >= len(large.body) {
		t.Error("the small one isn't smaller")
	}
	expect(t, "again", b.get("/account/logo", "If-None-Match", large.header.Get("ETag")), "304")
	s.attach(s.store("dddd1", "logo.gif", "image/gif", onePixel), "Account", s.Int(`SELECT id FROM accounts`), "logo")
	if got := b.get("/account/logo"); got.body != onePixel {
		t.Errorf("their own logo: %d bytes as %s", len(got.body), got.header.Get("Content-Type"))
	}
}

func TestTheSampleShowsAllItsMessages(t *testing.T) {
	world := chattest.OpenSample(t, chat.Options{})
	s := serving(t, world, Options{})
	s.Exec(`INSERT OR IGNORE INTO memberships (room_id, user_id, involvement, created_at, updated_at)
		SELECT r.id, (SELECT id FROM users WHERE email_address = 'david@example.test'), 'mentions', '2026-01-01 00:00:00', '2026-01-01 00:00:00' FROM rooms r`)
	b := s.visitor()
	b.headers["Cookie"], _ = chattest.Labels(t)["cookies.david"].(string)
	expect(t, "a ready cookie", b.get("/users/me/sidebar"), "200")
	seen := map[string]bool{}
	ids := regexp.MustCompile(`data-message-id="(\d+)"`)
	links := regexp.MustCompile(`href="(/rails/active_storage/[^"]+)"`)
	files := 0
	for _, room := range strings.Split(world.Text(`SELECT group_concat(id) FROM rooms`), ",") {
		text := b.get("/rooms/" + room).body
		for {
			found := ids.FindAllStringSubmatch(text, -1)
			for _, link := range links.FindAllStringSubmatch(text, -1) {
				files++
				expectFile(t, b, link[1])
			}
			for _, id := range found {
				if seen[id[1]] {
					t.Fatalf("message %s shows twice", id[1])
				}
				seen[id[1]] = true
			}
			if len(found) == 0 {
				break
			}
			older := b.get(fmt.Sprintf("/rooms/%s/messages?before=%s", room, found[0][1]))
			if older.status == 204 {
				break
			}
			expect(t, "older", older, "200")
			text = older.body
		}
	}
	if want := world.Int(`SELECT count(*) FROM messages`); int64(len(seen)) != want || want != 763 {
		t.Errorf("%d of %d messages show", len(seen), want)
	}
	if files == 0 {
		t.Error("no attachment has a link")
	}
}

// expectFile follows a link of a page to the bytes of a file.
func expectFile(t testing.TB, b *browser, link string) {
	t.Helper()
	got := b.get(strings.ReplaceAll(link, "&amp;", "&"))
	if got.status != 302 {
		t.Errorf("%s: %s", link, got.where())
		return
	}
	expect(t, link, b.get(strings.TrimPrefix(got.header.Get("Location"), "http://chat.test")), "200")
}
