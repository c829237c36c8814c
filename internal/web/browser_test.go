package web

import "testing"

func TestOldBrowsersAreTurnedAway(t *testing.T) {
	const (
		mac    = "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) "
		win    = "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
		iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS "
		ios    = " like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
	)
	for _, c := range []struct {
		name, userAgent string
		blocked         bool
	}{
		{"nothing", "", false},
		{"curl", "curl/8.5.0", false},
		{"a word", "Mozilla", false},
		{"Safari 17.1", mac + "Version/17.1 Safari/605.1.15", true},
		{"Safari 17.2", mac + "Version/17.2 Safari/605.1.15", false},
		{"Safari 18", mac + "Version/18.0 Safari/605.1.15", false},
		{"Safari without a version", mac + "Safari/605.1.15", false},
		{"Chrome 119", win + "Chrome/119.0.0.0 Safari/537.36", true},
		{"Chrome 120", win + "Chrome/120.0.0.0 Safari/537.36", false},
		{"Edge on Chrome 119", win + "Chrome/119.0.0.0 Safari/537.36 Edg/119.0.0.0", true},
		{"Edge on Chrome 121", win + "Chrome/121.0.0.0 Safari/537.36 Edg/121.0.0.0", false},
		{"old Edge", win + "Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763", false},
		{"Firefox 120", "Mozilla/5.0 (X11; Linux x86_64; rv:109.0) Gecko/20100101 Firefox/120.0", true},
		{"Firefox 121", "Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0", false},
		{"Opera 103", win + "Chrome/117.0.0.0 Safari/537.36 OPR/103.0.0.0", true},
		{"Opera 104", win + "Chrome/118.0.0.0 Safari/537.36 OPR/104.0.0.0", false},
		{"IE 11", "Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko", true},
		{"IE 9", "Mozilla/5.0 (compatible; MSIE 9.0; Windows NT 6.1)", true},
		{"Chrome on iOS", iphone + "17_4" + ios + "CriOS/119.0.1 Mobile/15E148 Safari/604.1", true},
		{"Chrome 120 on old iOS", iphone + "16_1" + ios + "CriOS/120.0.1 Mobile/15E148 Safari/604.1", false},
		{"Firefox on iOS 17.1", iphone + "17_1" + ios + "FxiOS/130.0 Mobile/15E148 Safari/605.1.15", true},
		{"Firefox on iOS 17.2", iphone + "17_2_1" + ios + "FxiOS/115.0 Mobile/15E148 Safari/605.1.15", false},
		{"a crawler", "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html) Chrome/90.0 Safari/537.36", false},
		{"Lighthouse", win + "Chrome/90.0.0.0 Safari/537.36 Chrome-Lighthouse", false},
		{"Android's own browser", "Mozilla/5.0 (Linux; U; Android 4.0.3) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30", false},
		{"broken parentheses", "Mozilla/5.0 ((( Chrome/1.0", false},
	} {
		if got := unsupportedBrowser(c.userAgent); got != c.blocked {
			t.Errorf("%s: blocked %v, want %v", c.name, got, c.blocked)
		}
	}
}

func FuzzUserAgent(f *testing.F) {
	for _, seed := range []string{"", "Mozilla/5.0 (X) Chrome/99", "OPR/", "Chrome/9999999999999999999999", "(((", "Safari/1 Version/0.0"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, userAgent string) {
		if unsupportedBrowser(userAgent) && unsupportedBrowser("robot "+userAgent) &&
			!unsupportedBrowser(userAgent+" MSIE ") {
			t.Errorf("%q: Internet Explorer passes", userAgent)
		}
	})
}
