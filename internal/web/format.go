package web

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// format is a representation that an answer may have.
type format uint8

const (
	formatOther format = iota // something we never offer
	formatHTML
	formatTurboStream
	formatJSON
	formatJS
	formatSVG
	formatText
	formatAny // "Accept: */*" alone: whatever there is
)

// formatNames are the suffixes a path may end with.
var formatNames = map[string]format{
	"html": formatHTML, "turbo_stream": formatTurboStream, "json": formatJSON,
	"js": formatJS, "svg": formatSVG, "text": formatText, "txt": formatText,
}

// mediaTypes are the names that an Accept header may list.
var mediaTypes = map[string]format{
	"text/html": formatHTML, "application/xhtml+xml": formatHTML,
	"text/vnd.turbo-stream.html": formatTurboStream,
	"application/json":           formatJSON, "text/x-json": formatJSON, "application/jsonrequest": formatJSON,
	"text/javascript": formatJS, "application/javascript": formatJS, "application/x-javascript": formatJS,
	"image/svg+xml": formatSVG, "text/plain": formatText, "*/*": formatAny,
}

const (
	typeHTML        = "text/html; charset=utf-8"
	typeTurboStream = "text/vnd.turbo-stream.html; charset=utf-8"
	typeJSON        = "application/json; charset=utf-8"
	typeText        = "text/plain; charset=utf-8"
)

// acceptLimit bounds how many media ranges of a header are looked at.
const acceptLimit = 64

// wanted tells which representations a request asks for, best first. A suffix
// decides alone; else the Accept header does, except that a list which ends in
// "*/*" is what browsers send for a page and means HTML.
func wanted(suffix, accept string, xhr bool) []format {
	if suffix != "" {
		return []format{formatNames[suffix]}
	}
	accept = strings.TrimSpace(accept)
	switch {
	case accept == "" && xhr:
		return []format{formatJS}
	case accept == "", !xhr && browserLike(accept):
		return []format{formatHTML}
	}
	return parseAccept(accept)
}

// browserLike reports a list of several ranges among which "*/*" is one.
func browserLike(accept string) bool {
	list := strings.Split(accept, ",")
	if len(list) < 2 {
		return false
	}
	return slices.ContainsFunc(list, func(one string) bool {
		name, _, _ := strings.Cut(one, ";")
		return strings.TrimSpace(name) == "*/*"
	})
}

// parseAccept orders the known formats of a list by their quality; what is
// refused (q=0) or malformed is left out, what is unknown stays as formatOther.
func parseAccept(accept string) []format {
	type choice struct {
		format  format
		quality float64
	}
	var choices []choice
	for one := range strings.SplitSeq(accept, ",") {
		name, parameters, _ := strings.Cut(one, ";")
		name = strings.ToLower(strings.TrimSpace(name))
		if name == "" || len(choices) == acceptLimit {
			continue
		}
		if quality := qualityOf(parameters); quality > 0 {
			for _, f := range formatsNamed(name) {
				choices = append(choices, choice{f, quality})
			}
		}
	}
	slices.SortStableFunc(choices, func(a, b choice) int { return cmp.Compare(b.quality, a.quality) })
	formats := make([]format, len(choices))
	for i, c := range choices {
		formats[i] = c.format
	}
	return formats
}

func formatsNamed(mediaRange string) []format {
	switch mediaRange {
	case "text/*":
		return []format{formatHTML, formatTurboStream, formatJS, formatText}
	case "application/*":
		return []format{formatJSON}
	case "image/*":
		return []format{formatSVG}
	}
	return []format{mediaTypes[mediaRange]}
}

// qualityOf reads q from the parameters of a list element: 1 when there is
// none, 0 when it isn't a number from 0 to 1.
func qualityOf(parameters string) float64 {
	for one := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(one, "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		quality, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(quality >= 0 && quality <= 1) {
			return 0
		}
		return quality
	}
	return 1
}

// pick chooses among what a handler offers; the first is what "anything" gets.
func pick(wanted []format, offered ...format) (format, bool) {
	for _, f := range wanted {
		if f == formatAny {
			return offered[0], true
		}
		if slices.Contains(offered, f) {
			return f, true
		}
	}
	return formatOther, false
}
