package view_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"hearth/internal/chat"
	"hearth/internal/view"
)

func TestAnAccountsOwnLogoStandsAtTheDoorAndInTheSidebar(t *testing.T) {
	changed := time.Date(2026, 11, 30, 17, 0, 5, 0, time.UTC)
	for name, own := range map[string]bool{"without": false, "with": true} {
		l := &view.Layout{Account: &chat.Account{Name: "Marlow", HasLogo: own, UpdatedAt: changed}, Viewer: &chat.User{ID: 1, Name: "Ines"}}
		var door, sidebar bytes.Buffer
		if err := site.SignInPage(&door, l, &view.SignIn{}); err != nil {
			t.Fatal(err)
		}
		if err := site.SidebarPage(&sidebar, l, &chat.Sidebar{}); err != nil {
			t.Fatal(err)
		}
		for page, html := range map[string]string{"sign-in": door.String(), "sidebar": sidebar.String()} {
			if got := strings.Contains(html, `src="/account/logo?v=20261130170005"`); got != own {
				t.Errorf("%s %s a logo: shows it %t", page, name, got)
			}
		}
	}
}
