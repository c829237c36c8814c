package web

import (
	"html"
	"net/http"
	"strconv"

	"hearth/internal/chat"
)

// completion is a person as the form of a new ping wants them.
type completion struct {
	Name      string `json:"name"` // escaped for HTML
	Value     int64  `json:"value"`
	AvatarURL string `json:"avatar_url"`
	SGID      string `json:"sgid"`
}

// autocompleteUsers answers with active people whose name has the text in it:
// as JSON for "query", as the editor's elements for "filter".
func (x *exchange) autocompleteUsers(in *chat.Reader) error {
	filter, editor := x.param("filter")
	query := x.text("query")
	offered := []format{formatJSON, formatHTML}
	if editor {
		query, offered = filter, []format{formatHTML, formatJSON}
	}
	chosen, ok := pick(x.wants, offered...)
	if !ok {
		return errNotAcceptable
	}
	room, err := x.roomParam()
	if err != nil {
		return err
	}
	page := pageNumber(x.text("page"))
	users, total, err := in.Autocomplete(x.viewer.ID, query, room, page)
	if err != nil {
		return err
	}
	if chosen == formatHTML {
		return x.append(http.StatusOK, typeHTML, func(dst []byte) []byte {
			return x.server.site.AppendPromptItems(dst, users)
		})
	}
	header := x.w.Header()
	header.Set("X-Total-Count", strconv.Itoa(total))
	if page*completionsPerPage < total {
		header.Set("Link", "<"+x.baseURL()+x.pageAddress(page+1)+`>; rel="next"`)
	}
	return x.completions(users)
}

// completionsPerPage is chat's page size, for telling whether there is another.
const completionsPerPage = 20

func (x *exchange) completions(users []chat.User) error {
	list := make([]completion, len(users))
	for i := range users {
		u := &users[i]
		list[i] = completion{
			Name: html.EscapeString(u.Name), Value: int64(u.ID),
			AvatarURL: x.avatarURL(u.ID, u.UpdatedAt), SGID: x.server.keys.MentionSGID(int64(u.ID)),
		}
	}
	return x.json(http.StatusOK, list)
}

// roomParam reads the room that completions are limited to; 0 means all.
func (x *exchange) roomParam() (chat.RoomID, error) {
	text := x.text("room_id")
	if text == "" {
		return 0, nil
	}
	id, err := strconv.ParseInt(text, 10, 64)
	if err != nil || id <= 0 {
		return 0, chat.ErrNotFound
	}
	return chat.RoomID(id), nil
}

// pageNumber reads the number of a page: what is none is the first.
func pageNumber(text string) int {
	page, err := strconv.Atoi(text)
	if err != nil || page < 1 || page > 1_000_000 {
		return 1
	}
	return page
}

// pageAddress is this request's path and query with another page.
func (x *exchange) pageAddress(page int) string {
	query := x.r.URL.Query()
	query.Set("page", strconv.Itoa(page))
	return x.r.URL.EscapedPath() + "?" + query.Encode()
}
