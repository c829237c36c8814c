package rails

import (
	"strings"
	"testing"
)

func TestCSRFTokensAreMaskedAnewAndBoundToTheirForm(t *testing.T) {
	secret := NewCSRFSecret()
	if len(secret) != 43 {
		t.Errorf("secret %q has %d characters, want 43", secret, len(secret))
	}
	page := MaskedCSRFToken(secret)
	if page == MaskedCSRFToken(secret) || len(page) != 86 {
		t.Errorf("page token %q is not masked anew, or not 86 characters", page)
	}
	form := MaskedFormToken(secret, "/rooms/1/messages?x=1", "POST")
	for _, test := range []struct {
		token, path, method string
		want                bool
	}{
		{page, "/anything", "PATCH", true},
		{form, "/rooms/1/messages", "post", true},
		{form, "/rooms/1/messages/", "POST", true},
		{form, "/rooms/1/messages?y=2", "POST", true},
		{form, "/rooms/2/messages", "POST", false},
		{form, "/rooms/1/messages", "DELETE", false},
		{secret, "/", "POST", true},
		{NewCSRFSecret(), "/", "POST", false},
		{"", "/", "POST", false},
		{"*", "/", "POST", false},
		{page[:85], "/", "POST", false},
		{page + "AAAA", "/", "POST", false},
	} {
		if got := ValidCSRFToken(secret, test.token, test.path, test.method); got != test.want {
			t.Errorf("ValidCSRFToken(%q, %s, %s) = %v, want %v", test.token, test.path, test.method, got, test.want)
		}
	}
	for _, wrong := range []string{"", "AAAA", strings.Repeat("A", 86)} {
		if MaskedCSRFToken(wrong) != "" || MaskedFormToken(wrong, "/", "post") != "" || ValidCSRFToken(wrong, wrong, "/", "post") {
			t.Errorf("%q passes for a secret", wrong)
		}
	}
}
