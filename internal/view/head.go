package view

import "strings"

// head holds what is the same on every page of a process.
type head struct{ metas, links, editor string }

func newHead(opt Options) head {
	return head{
		metas: `<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover, interactive-widget=resizes-content">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#fcfbf9">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#171513">
<meta name="view-transition" content="same-origin">
<meta name="mobile-web-app-capable" content="yes">
<meta name="apple-mobile-web-app-capable" content="yes">
<meta name="turbo-prefetch" content="true">
<link rel="icon" href="` + opt.Asset("favicon.svg") + `" type="image/svg+xml">
<script type="module" src="` + opt.Asset("application.js") + `" data-turbo-track="reload"></script>
`,
		links:  `<link rel="stylesheet" href="` + opt.Asset("application.css") + `" data-turbo-track="reload">` + "\n",
		editor: `<link rel="modulepreload" href="` + opt.Asset("editor.js") + `">` + "\n",
	}
}

// top is appendTop for templates.
func (s *Site) top(p *page) markup { return s.appendTop(make([]byte, 0, 3072), p) }

// appendTop appends every page's part up to where its own begins.
func (s *Site) appendTop(dst []byte, p *page) []byte {
	dst = append(dst, "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<title>"...)
	dst = escape(dst, p.Title)
	dst = append(dst, "</title>\n"...)
	if p.CSRFToken != "" {
		dst = append(dst, "<meta name=\"csrf-param\" content=\"authenticity_token\">\n"...)
		dst = appendMeta(dst, "csrf-token", p.CSRFToken)
	}
	if !p.Full() {
		return append(dst, "</head>\n<body>\n"...)
	}
	dst = append(dst, s.head.metas...)
	dst = appendMeta(dst, "action-cable-url", p.Cable())
	if p.VAPIDKey != "" {
		dst = appendMeta(dst, "vapid-public-key", p.VAPIDKey)
	}
	dst = appendViewer(dst, p)
	dst = append(dst, s.head.links...)
	if p.Account != nil && p.Account.CustomStyles != "" {
		dst = append(dst, `<style data-turbo-track="reload">`...)
		dst = append(dst, strings.ReplaceAll(p.Account.CustomStyles, "</", `<\/`)...) // may not end the element
		dst = append(dst, "</style>\n"...)
	}
	if p.Room != nil {
		dst = append(dst, s.head.editor...)
	}
	dst = append(dst, "</head>\n<body class=\""...)
	dst = append(dst, p.Class()...)
	return append(dst, "\" data-controller=\"local-time soft-keyboard\">\n<a class=\"skip-navigation\" href=\"#main-content\">Skip to main content</a>\n"...)
}

// appendViewer says to the page's scripts who looks, and at which room.
func appendViewer(dst []byte, p *page) []byte {
	if p.Reload {
		dst = appendMeta(dst, "turbo-visit-control", "reload")
	}
	if p.Viewer == nil {
		return dst
	}
	dst = append(dst, `<meta name="current-user-id" content="`...)
	dst = appendInt(dst, p.Viewer.ID)
	dst = append(dst, "\">\n"...)
	dst = appendMeta(dst, "current-user-name", p.Viewer.Name)
	if p.Room != nil {
		dst = append(dst, `<meta name="current-room-id" content="`...)
		dst = appendInt(dst, p.Room.ID)
		dst = append(dst, "\">\n"...)
		dst = appendMeta(dst, "turbo-cache-control", "no-preview")
	}
	return dst
}

func appendMeta(dst []byte, name, content string) []byte {
	dst = append(dst, `<meta name="`...)
	dst = append(dst, name...)
	dst = append(dst, `" content="`...)
	dst = escape(dst, content)
	return append(dst, "\">\n"...)
}
