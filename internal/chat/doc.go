// Package chat is the domain: people, rooms, messages and what happens to them.
// Rules and SQL stand together, one file a noun.
//
//	c := chat.New(db, keys, chat.Options{Announce: announcer})
//	err := c.Read(ctx, func(r *chat.Reader) error {
//		room, _, err := r.Room(id, viewer.ID) // ErrNotFound for who is no member
//		if err != nil {
//			return err
//		}
//		page, err = r.LastPage(room)
//		return err
//	})
//	message, err := c.PostMessage(ctx, viewer, chat.Draft{Room: id, Body: "<p>Hello</p>"})
//
// A Reader answers questions about one moment of the database. Every method of
// Chat that changes something is one write: all that belongs to it commits
// together or not at all, and is announced after the commit.
package chat
