package web

import (
	"strconv"
	"strings"
)

// browserVersion is major and minor of a browser, or of the system it is part of.
type browserVersion struct{ major, minor int }

func (v browserVersion) before(other browserVersion) bool {
	return v.major < other.major || v.major == other.major && v.minor < other.minor
}

// What the pages' scripts and styles need.
var (
	safariMin  = browserVersion{17, 2}
	chromeMin  = browserVersion{120, 0}
	firefoxMin = browserVersion{121, 0}
	operaMin   = browserVersion{104, 0}
)

// product is one "Name/1.2" of a User-Agent header.
type product struct{ name, version string }

// unsupportedBrowser reports a browser that is known and too old. What isn't
// known, names no version, or is a robot may pass.
func unsupportedBrowser(userAgent string) bool {
	if strings.Contains(userAgent, "MSIE ") || strings.Contains(userAgent, "Trident/") {
		return true
	}
	lower := strings.ToLower(userAgent)
	if userAgent == "" || strings.Contains(lower, "bot") || strings.Contains(lower, "chrome-lighthouse") {
		return false
	}
	products, comments := splitUserAgent(userAgent)
	if len(products) == 0 {
		return false
	}
	switch last := products[len(products)-1]; last.name {
	case "Edge":
		return false
	case "OPR":
		return last.olderThan(operaMin)
	}
	for _, known := range []struct {
		name string
		min  browserVersion
	}{{"CriOS", chromeMin}, {"Chrome", chromeMin}, {"FxiOS", safariMin}, {"Firefox", firefoxMin}} {
		p, found := productNamed(products, known.name)
		switch {
		case !found:
			continue
		case known.name == "FxiOS": // Safari's engine, whatever is around it
			version, ok := systemVersion(comments)
			return ok && version.before(safariMin)
		}
		return p.olderThan(known.min)
	}
	if _, safari := productNamed(products, "Safari"); !safari || strings.Contains(comments, "Android") {
		return false
	}
	version, found := productNamed(products, "Version")
	return found && version.olderThan(safariMin)
}

func (p product) olderThan(min browserVersion) bool {
	version, ok := parseVersion(p.version, '.')
	return ok && version.before(min)
}

func productNamed(products []product, name string) (product, bool) {
	for _, p := range products {
		if p.name == name {
			return p, true
		}
	}
	return product{}, false
}

// splitUserAgent separates the products of a header from its comments, which
// stand in parentheses and are returned as one text.
func splitUserAgent(userAgent string) ([]product, string) {
	var outside, comments strings.Builder
	depth := 0
	for _, c := range userAgent {
		switch {
		case c == '(':
			depth++
			outside.WriteByte(' ')
		case c == ')' && depth > 0:
			depth--
			comments.WriteByte(' ')
		case depth > 0:
			comments.WriteRune(c)
		default:
			outside.WriteRune(c)
		}
	}
	var products []product
	for _, field := range strings.Fields(outside.String()) {
		if name, version, ok := strings.Cut(field, "/"); ok && name != "" {
			products = append(products, product{name, version})
		}
	}
	return products, comments.String()
}

// systemVersion finds the version of iOS in "CPU iPhone OS 17_1 like Mac OS X".
func systemVersion(comments string) (browserVersion, bool) {
	_, after, found := strings.Cut(comments, "OS ")
	if !found {
		return browserVersion{}, false
	}
	text, _, _ := strings.Cut(after, " ")
	return parseVersion(text, '_')
}

func parseVersion(text string, separator byte) (browserVersion, bool) {
	major, rest, _ := strings.Cut(text, string(separator))
	minor, _, _ := strings.Cut(rest, string(separator))
	var version browserVersion
	var err error
	if version.major, err = strconv.Atoi(major); err != nil {
		return browserVersion{}, false
	}
	version.minor, _ = strconv.Atoi(minor) // "17" is 17.0
	return version, true
}
