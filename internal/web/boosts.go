package web

import (
	"io"
	"net/http"
	"strconv"

	"hearth/internal/chat"
	"hearth/internal/view"
)

func (x *exchange) listBoosts(in *chat.Reader) error {
	return x.boostPage(in, x.server.site.BoostsPage)
}
func (x *exchange) newBoost(in *chat.Reader) error {
	return x.boostPage(in, x.server.site.NewBoostPage)
}

func (x *exchange) boostPage(in *chat.Reader, render func(io.Writer, *view.Layout, *chat.Message) error) error {
	id, err := x.pathMessage("message_id")
	if err != nil {
		return err
	}
	message, err := in.ReachableMessage(x.viewer.ID, id)
	if err != nil {
		return err
	}
	return x.page(in, http.StatusOK, func(w io.Writer, l *view.Layout) error { return render(w, l, message) })
}

func (x *exchange) createBoost() error {
	id, err := x.pathMessage("message_id")
	if err != nil {
		return err
	}
	content, given := x.param("boost[content]")
	if !given {
		return errMissing
	}
	_, err = x.server.chat.Boost(x.r.Context(), *x.viewer, id, content)
	return redirectUnless(x, err, "/messages/"+strconv.FormatInt(int64(id), 10)+"/boosts")
}

func (x *exchange) deleteBoost() error {
	message, err := x.pathMessage("message_id")
	if err != nil {
		return err
	}
	id, err := x.pathID("id")
	if err != nil {
		return err
	}
	if err := x.server.chat.DeleteBoost(x.r.Context(), *x.viewer, message, chat.BoostID(id)); err != nil {
		return err
	}
	return x.head(http.StatusNoContent)
}
