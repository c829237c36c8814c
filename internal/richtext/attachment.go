package richtext

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"

	"hearth/internal/rails"
)

// Content types of what messages hold besides text.
const (
	mentionType = "application/vnd.campfire.mention"
	embedType   = "application/vnd.actiontext.opengraph-embed"
)

// missingMark stands for an attachment that can't be shown.
const missingMark = "☒"

type attachmentKind int

const (
	unknownAttachment attachmentKind = iota
	mentionAttachment
	embedAttachment
	contentAttachment // HTML of its own
	imageAttachment   // a picture elsewhere
)

// An attachment is what an action-text-attachment element says.
type attachment struct {
	kind   attachmentKind
	sgid   string
	userID int64 // of a mention
	node   *html.Node
}

func attachmentOf(n *html.Node) attachment {
	a := attachment{node: n, sgid: attribute(n, "sgid")}
	contentType := attribute(n, "content-type")
	switch {
	case contentType == embedType:
		a.kind = embedAttachment
	case a.sgid != "":
		var ok bool
		if a.userID, ok = rails.UnverifiedMention(a.sgid); ok {
			a.kind = mentionAttachment
		}
	case strings.Contains(contentType, "html") && attribute(n, "content") != "":
		a.kind = contentAttachment
	case strings.HasPrefix(contentType, "image/") && attribute(n, "url") != "":
		a.kind = imageAttachment
	}
	return a
}

// appendMention writes a mention as people see it: picture and name.
func appendMention(dst []byte, sgid string, p Person) []byte {
	dst = append(dst, `<span class="mention" sgid="`...)
	dst = append(AppendEscape(dst, sgid), `"><a href="/users/`...)
	dst = strconv.AppendInt(dst, p.ID, 10)
	dst = append(dst, `" class="btn avatar" title="`...)
	dst = append(AppendEscape(dst, p.Title), `" data-turbo-frame="_top"><img src="`...)
	dst = append(AppendEscape(dst, p.AvatarURL), `" alt="" aria-hidden="true" loading="lazy"></a>@`...)
	return append(appendText(dst, p.Name), "</span>"...)
}

// An embed is the preview of a web page.
type embed struct {
	href, title, description, image string
}

// Longest title and description shown, in characters.
const (
	maxEmbedTitle       = 280
	maxEmbedDescription = 560
)

// embedOf reads a preview from the attributes that the old editor wrote, or
// from the HTML that today's writes instead.
func embedOf(n *html.Node) (e embed, ok bool) {
	e = embed{
		href:        attribute(n, "href"),
		title:       attribute(n, "filename"),
		description: attribute(n, "caption"),
		image:       attribute(n, "url"),
	}
	if e.href == "" && e.title == "" {
		e = embedFromContent(attribute(n, "content"))
	}
	return e.finished()
}

// finished returns the preview as it is shown; one without any title is none.
func (e embed) finished() (embed, bool) {
	e.href = webURL(e.href)
	e.image = webURL(e.image)
	e.title = truncate(strings.TrimSpace(e.title), maxEmbedTitle)
	e.description = truncate(strings.TrimSpace(e.description), maxEmbedDescription)
	if e.title == "" {
		e.title = truncate(e.href, maxEmbedTitle)
	}
	return e, e.title != ""
}

func embedFromContent(content string) (e embed) {
	root, err := parse(valid(content))
	if err != nil {
		return embed{}
	}
	for n := range root.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		switch {
		case n.Data == "a" && e.href == "" && insideClass(n, "og-embed__title"):
			e.href, e.title = attribute(n, "href"), textOf(n)
		case hasClass(n, "og-embed__title") && e.title == "":
			e.title = textOf(n)
		case hasClass(n, "og-embed__description") && e.description == "":
			e.description = textOf(n)
		case n.Data == "img" && e.image == "":
			e.image = attribute(n, "src")
		}
	}
	return e
}

func webURL(url string) string {
	url, ok := safeURL(url)
	if !ok || !isWebURL(url) {
		return ""
	}
	return url
}

func insideClass(n *html.Node, class string) bool {
	for range 3 {
		if n = n.Parent; n == nil {
			return false
		}
		if hasClass(n, class) {
			return true
		}
	}
	return false
}

func hasClass(n *html.Node, class string) bool {
	for name := range strings.FieldsSeq(attribute(n, "class")) {
		if name == class {
			return true
		}
	}
	return false
}

func textOf(n *html.Node) string {
	var text strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			text.WriteString(d.Data)
		}
	}
	return text.String()
}

// truncate cuts a text to at most limit characters, the last of them an ellipsis.
func truncate(text string, limit int) string {
	count, cut := 0, 0
	for i := range text {
		if count == limit-1 {
			cut = i
		}
		if count++; count > limit {
			return text[:cut] + "…"
		}
	}
	return text
}

// profilePictures are where Twitter's are, which are shown small and round.
const profilePictures = "https://pbs.twimg.com/profile_images"

func appendEmbed(dst []byte, e embed) []byte {
	avatar := strings.Contains(e.image, profilePictures)
	if avatar {
		dst = append(dst, `<actiontext-opengraph-embed class="cf-twitter-avatar"><div class="og-embed og-embed--twitter-avatar">`...)
	} else {
		dst = append(dst, `<actiontext-opengraph-embed><div class="og-embed">`...)
	}
	dst = append(dst, `<div class="og-embed__content"><div class="og-embed__title">`...)
	if e.href == "" {
		dst = appendText(dst, e.title)
	} else {
		dst = append(AppendEscape(append(dst, `<a href="`...), e.href), '"')
		dst = append(append(dst, outward...), '>')
		dst = append(appendText(dst, e.title), "</a>"...)
	}
	dst = append(dst, "</div>"...)
	if e.description != "" {
		dst = append(dst, `<div class="og-embed__description">`...)
		dst = append(appendText(dst, e.description), "</div>"...)
	}
	dst = append(dst, "</div>"...)
	if e.image != "" {
		dst = append(AppendEscape(append(dst, `<div class="og-embed__image"><img src="`...), e.image),
			`" class="image" alt="" loading="lazy" referrerpolicy="no-referrer"></div>`...)
	}
	return append(dst, "</div></actiontext-opengraph-embed>"...)
}

// samePage reports whether two addresses lead to the same page, knowing that
// Twitter has two names and that what follows "?" doesn't matter there.
func samePage(a, b string) bool {
	return a != "" && tweetless(a) == tweetless(b)
}

func tweetless(url string) string {
	for _, host := range []string{"https://x.com/", "https://twitter.com/", "https://www.twitter.com/", "https://www.x.com/"} {
		if hasPrefixFold(url, host) {
			path, _, _ := strings.Cut(url[len(host):], "?")
			return "https://twitter.com/" + path
		}
	}
	return url
}
