package web

import (
	"io"
	"net/http"

	"hearth/internal/chat"
	"hearth/internal/view"
)

// showSidebar answers with the viewer's own sidebar, whatever id the path has.
func (x *exchange) showSidebar(in *chat.Reader) error {
	mine, err := in.Sidebar(x.viewer.ID)
	if err != nil {
		return err
	}
	return x.page(in, http.StatusOK, func(w io.Writer, l *view.Layout) error {
		return x.server.site.SidebarPage(w, l, &mine)
	})
}
