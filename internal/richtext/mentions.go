package richtext

import (
	"slices"
	"strings"

	"golang.org/x/net/html"

	"hearth/internal/rails"
)

// Mentions returns whom a body mentions with a signature of ours, in order and
// once each: who is told about the message. Room membership is the caller's to check.
func Mentions(stored string, keys *rails.Keys) []int64 {
	return mentioned(stored, func(sgid string) (int64, bool) {
		id, err := keys.VerifyMentionSGID(sgid)
		return id, err == nil
	})
}

// MentionIDs returns everybody whom Render will ask for, once each, so that they
// can be loaded first; it may name more. Bodies without mentions cost next to
// nothing.
func MentionIDs(stored string) (ids []int64) {
	f := fast{body: stored}
	for {
		i := strings.IndexByte(f.body[f.at:], '<')
		if i < 0 {
			return ids
		}
		f.at += i + 1
		if !hasPrefixFold(f.body[f.at:], attachmentTag) {
			continue
		}
		tag := f
		tag.at += len(attachmentTag)
		values, ok := tag.attachmentTag()
		if !ok || !strings.HasPrefix(f.body[f.at:], attachmentTag) {
			return mentioned(stored, rails.UnverifiedMention)
		}
		if id, ok := rails.UnverifiedMention(values[sgidValue]); ok && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
}

func mentioned(stored string, read func(sgid string) (int64, bool)) (ids []int64) {
	if !mayHoldAttachment(stored) {
		return nil
	}
	tokens := html.NewTokenizer(strings.NewReader(valid(stored)))
	for {
		switch tokens.Next() {
		case html.ErrorToken:
			return ids
		case html.StartTagToken, html.SelfClosingTagToken:
			if id, ok := read(sgidOf(tokens)); ok && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
}

// mayHoldAttachment reports whether the tag of an attachment, in whatever case,
// stands somewhere, be it in a comment.
func mayHoldAttachment(stored string) bool {
	for {
		i := strings.IndexByte(stored, '<')
		if i < 0 {
			return false
		}
		stored = stored[i+1:]
		if hasPrefixFold(stored, attachmentTag) {
			return true
		}
	}
}

// sgidOf returns the sgid of the tag at hand if it is an attachment's.
func sgidOf(tokens *html.Tokenizer) string {
	name, more := tokens.TagName()
	if string(name) != attachmentTag {
		return ""
	}
	sgid, found := "", false
	for more {
		var key, value []byte
		key, value, more = tokens.TagAttr()
		if string(key) == "sgid" && !found {
			sgid, found = string(value), true
		}
	}
	return sgid
}
