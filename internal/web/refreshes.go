package web

import (
	"net/http"
	"strconv"
	"strings"
	"time"

	"hearth/internal/chat"
	"hearth/internal/view"
)

// shownMax is how many messages a page keeps at most; it asks about no more.
const shownMax = 320

// refreshRoom tells a page that was away what it has missed: what is new, what
// changed, and which of the messages that it shows are gone.
func (x *exchange) refreshRoom(in *chat.Reader) error {
	room, _, err := x.room(in)
	if err != nil {
		return err
	}
	if _, ok := pick(x.wants, formatTurboStream); !ok {
		return errNotAcceptable
	}
	changes, err := in.Refresh(room, x.since(), x.shownIDs())
	if err != nil {
		return err
	}
	people, err := x.people(in, append(changes.Created, changes.Updated...)...)
	if err != nil {
		return err
	}
	return x.append(http.StatusOK, typeTurboStream, func(dst []byte) []byte {
		dst = x.server.site.AppendMessagesPosted(dst, changes.Created, people)
		for _, m := range changes.Updated {
			dst = x.server.site.AppendMessageReplaced(dst, m, people)
		}
		for _, id := range changes.Vanished {
			dst = view.AppendMessageVanished(dst, id)
		}
		return dst
	})
}

// since is the moment from which a page asks, in milliseconds; what is no number
// means from the beginning.
func (x *exchange) since() time.Time {
	ms, err := strconv.ParseInt(x.text("since"), 10, 64)
	if err != nil || ms < 0 {
		ms = 0
	}
	return time.UnixMilli(min(ms, maxMillis)).UTC()
}

// maxMillis is the end of the year 9999, the last that the database can write.
const maxMillis = 253402300799999

func (x *exchange) shownIDs() []chat.MessageID {
	var ids []chat.MessageID
	for text := range strings.SplitSeq(x.text("ids"), ",") {
		if id, err := strconv.ParseInt(text, 10, 64); err == nil && len(ids) < shownMax {
			ids = append(ids, chat.MessageID(id))
		}
	}
	return ids
}
