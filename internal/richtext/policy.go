package richtext

import "strings"

// An element is what may be shown. What is not listed is removed together with
// everything inside it.
type element struct {
	name        string
	void        bool     // no inside
	transparent bool     // only its inside is shown
	verbatim    bool     // no links are made inside it
	attributes  []string // in the order they are written
}

// elements is the list of allowed elements: that of Rails' sanitizer without img,
// and s, u and mark, which today's editor writes.
var elements = allowedElements()

// everywhere are attributes that any element may have. No id and no name: they
// would shadow properties of the page's scripts.
var everywhere = []string{"class", "title", "lang"}

func allowedElements() map[string]*element {
	elements := map[string]*element{}
	const plain = `abbr acronym address b big br cite dd dfn div dl dt em h1 h2 h3 h4 h5 h6 hr i kbd li
		mark ol p s samp small span strong sub sup tt u ul var
		a blockquote code del figcaption figure ins pre time`
	for _, name := range strings.Fields(plain) {
		elements[name] = &element{name: name}
	}
	for _, name := range []string{"br", "hr"} {
		elements[name].void = true
	}
	for _, name := range []string{"figure", "figcaption"} {
		elements[name].transparent = true
	}
	for _, name := range []string{"a", "code", "pre"} {
		elements[name].verbatim = true
	}
	for name, own := range map[string][]string{
		"a": {"href"}, "blockquote": {"cite"}, "code": {"data-language"}, "del": {"cite", "datetime"},
		"ins": {"cite", "datetime"}, "pre": {"data-language"}, "time": {"datetime"},
	} {
		elements[name].attributes = own
	}
	for _, e := range elements {
		e.attributes = append(e.attributes, everywhere...)
	}
	return elements
}

// isLink reports whether an attribute holds a URL.
func isLink(attribute string) bool { return attribute == "href" || attribute == "cite" }

// schemes are those a link may have; a link without one is relative.
var schemes = map[string]bool{
	"http": true, "https": true, "mailto": true, "tel": true, "sms": true, "ftp": true, "sftp": true, "ssh": true,
	"irc": true, "xmpp": true, "webcal": true, "magnet": true, "news": true, "feed": true, "callto": true,
}

// safeURL returns a link as browsers read it (without spaces around it), if its
// scheme is harmless. One with control characters inside, which browsers skip
// while looking for the scheme, is refused.
func safeURL(url string) (string, bool) {
	url = strings.TrimFunc(url, func(r rune) bool { return r <= ' ' })
	for i := range len(url) {
		switch c := url[i]; {
		case c < ' ' || c == 0x7f:
			return "", false
		case c == ':':
			if !schemes[strings.ToLower(url[:i])] {
				return "", false
			}
			return url, !hasControl(url[i:])
		case c == '/' || c == '?' || c == '#':
			return url, !hasControl(url[i:])
		}
	}
	return url, url != ""
}

func hasControl(text string) bool {
	for i := range len(text) {
		if text[i] < ' ' || text[i] == 0x7f {
			return true
		}
	}
	return false
}

// isWebURL reports whether a link leads to a web server, maybe ours.
func isWebURL(url string) bool {
	return hasPrefixFold(url, "http://") || hasPrefixFold(url, "https://")
}

func hasPrefixFold(s, prefix string) bool {
	return len(s) >= len(prefix) && strings.EqualFold(s[:len(prefix)], prefix)
}

// outward is what links that leave the page carry.
const outward = ` target="_blank" rel="noopener noreferrer"`
