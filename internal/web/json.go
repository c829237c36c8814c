package web

import (
	"encoding/json"
	"io"
	"time"

	"hearth/internal/chat"
	"hearth/internal/richtext"
)

// The bots' representations. Times are UTC with milliseconds, addresses absolute
// and of the request's own host.

type userJSON struct {
	ID        int64  `json:"id"`
	Name      string `json:"name"`
	Role      string `json:"role"`
	AvatarURL string `json:"avatar_url"`
}

type bodyJSON struct {
	PlainText string `json:"plain_text"`
	HTML      string `json:"html"`
}

type idJSON struct {
	ID  int64  `json:"id"`
	URL string `json:"url,omitempty"`
}

type messageJSON struct {
	ID        int64    `json:"id"`
	CreatedAt string   `json:"created_at"`
	Body      bodyJSON `json:"body"`
	Creator   userJSON `json:"creator"`
	Room      idJSON   `json:"room"`
	URL       string   `json:"url"`
}

type boostJSON struct {
	ID        int64    `json:"id"`
	Content   string   `json:"content"`
	CreatedAt string   `json:"created_at"`
	Booster   userJSON `json:"booster"`
	Message   idJSON   `json:"message"`
}

const timeJSON = "2006-01-02T15:04:05.000Z"

func (x *exchange) json(status int, value any) error {
	return x.write(status, typeJSON, func(w io.Writer) error { return json.NewEncoder(w).Encode(value) })
}

func (x *exchange) avatarURL(id chat.UserID, updatedAt time.Time) string {
	return x.baseURL() + x.server.site.AvatarURL(id, updatedAt)
}

func (x *exchange) userJSON(a chat.Author) userJSON {
	return userJSON{ID: int64(a.ID), Name: a.Name, Role: a.Role.String(), AvatarURL: x.avatarURL(a.ID, a.UpdatedAt)}
}

func (x *exchange) messagesJSON(in *chat.Reader, messages []*chat.Message) ([]messageJSON, error) {
	people, err := x.people(in, messages...)
	if err != nil {
		return nil, err
	}
	list := make([]messageJSON, len(messages))
	for i, m := range messages {
		list[i] = messageJSON{
			ID: int64(m.ID), CreatedAt: m.CreatedAt.UTC().Format(timeJSON),
			Body:    bodyJSON{PlainText: plainText(m, people)},
			Creator: x.userJSON(m.Author), Room: idJSON{ID: int64(m.RoomID)},
			URL: x.baseURL() + messagePath(m),
		}
		if m.HasBody {
			list[i].Body.HTML = `<div class="trix-content">` + string(richtext.Render(m.Body, people)) + `</div>`
		}
	}
	return list, nil
}

// plainText is what a message says in words; that of a file is its name.
func plainText(m *chat.Message, people richtext.People) string {
	text := richtext.PlainText(m.Body, people)
	if text == "" && m.Attachment != nil {
		return m.Attachment.Filename
	}
	return text
}

func (x *exchange) messageJSON(in *chat.Reader, status int, m *chat.Message) error {
	list, err := x.messagesJSON(in, []*chat.Message{m})
	if err != nil {
		return err
	}
	return x.json(status, list[0])
}
