package chat

import (
	"context"
	"fmt"
	"net/netip"
	"strings"

	"hearth/internal/rails"
	"hearth/sqlite"
)

// Banned reports whether writes from this address are refused.
func (r *Reader) Banned(ip string) (bool, error) {
	if ip == "" {
		return false, nil
	}
	banned, err := exists(r.q, `SELECT 1 FROM bans WHERE ip_address = ?1`, ip)
	if err != nil {
		return false, fmt.Errorf("look for ban of %s: %w", ip, err)
	}
	return banned, nil
}

// Deactivate puts somebody, or a bot, out for good: they keep their messages and
// their pings, and somebody else may take their address. ErrForbidden unless by is
// an administrator, ErrNotFound unless user is active.
func (c *Chat) Deactivate(ctx context.Context, by User, user UserID) error {
	err := c.write(ctx, func(w *writer) error {
		u, err := w.activeUnder(by.ID, user)
		if err != nil {
			return err
		}
		for _, sql := range []string{
			`DELETE FROM memberships WHERE user_id = ?1 AND room_id NOT IN (SELECT id FROM rooms WHERE type = 'Rooms::Direct')`,
			`DELETE FROM push_subscriptions WHERE user_id = ?1`,
			`DELETE FROM searches WHERE user_id = ?1`,
		} {
			if err := w.exec(sql, user); err != nil {
				return err
			}
		}
		email := strings.ReplaceAll(u.Email, "@", "-deactivated-"+rails.NewUUID()+"@")
		err = w.exec(`UPDATE users SET email_address = ?1, updated_at = ?2 WHERE id = ?3`, orNull(email), w.now, user)
		if err != nil {
			return err
		}
		return w.putOut(user, Deactivated)
	})
	if err != nil {
		return fmt.Errorf("deactivate user %d: %w", user, err)
	}
	return nil
}

// Ban puts somebody out, and with them the addresses of their sessions; then it
// deletes their messages, some at a time. ErrInvalid, and nothing is changed, when
// one of the addresses is private: everybody behind the same proxy has it.
func (c *Chat) Ban(ctx context.Context, by User, user UserID) error {
	err := c.write(ctx, func(w *writer) error {
		if _, err := w.activeUnder(by.ID, user); err != nil {
			return err
		}
		addresses, err := w.addresses(user)
		if err != nil {
			return err
		}
		for _, ip := range addresses {
			if !public(ip) {
				return fmt.Errorf("%w: %s is not a public address", ErrInvalid, ip)
			}
		}
		for _, ip := range addresses {
			err := w.exec(`INSERT INTO bans (user_id, ip_address, created_at, updated_at) VALUES (?1, ?2, ?3, ?3)`, user, ip, w.now)
			if err != nil {
				return err
			}
		}
		return w.putOut(user, Banned)
	})
	if err == nil {
		err = c.deleteMessagesOf(context.WithoutCancel(ctx), user) // who asked may hang up
	}
	if err != nil {
		return fmt.Errorf("ban user %d: %w", user, err)
	}
	return nil
}

// Unban lets somebody in again. Their messages stay deleted.
func (c *Chat) Unban(ctx context.Context, by User, user UserID) error {
	err := c.write(ctx, func(w *writer) error {
		if err := w.mustAdminister(by.ID); err != nil {
			return err
		}
		if u, err := w.User(user); err != nil {
			return err
		} else if u.Status != Banned {
			return ErrNotFound
		}
		if err := w.exec(`DELETE FROM bans WHERE user_id = ?1`, user); err != nil {
			return err
		}
		return w.exec(`UPDATE users SET status = ?1, updated_at = ?2 WHERE id = ?3`, Active, w.now, user)
	})
	if err != nil {
		return fmt.Errorf("unban user %d: %w", user, err)
	}
	return nil
}

// activeUnder returns an active user, whom by may put out or change.
func (w *writer) activeUnder(by, user UserID) (User, error) {
	if err := w.mustAdminister(by); err != nil {
		return User{}, err
	}
	u, err := w.User(user)
	if err == nil && !u.Active() {
		err = ErrNotFound
	}
	return u, err
}

// putOut ends all sessions of a user, whose sockets are closed after the commit.
func (w *writer) putOut(user UserID, status Status) error {
	if err := w.exec(`DELETE FROM sessions WHERE user_id = ?1`, user); err != nil {
		return err
	}
	w.announce(AccessRevoked{User: user})
	return w.exec(`UPDATE users SET status = ?1, updated_at = ?2 WHERE id = ?3`, status, w.now, user)
}

// addresses returns where a user's sessions are from.
func (r *Reader) addresses(user UserID) ([]string, error) {
	var addresses []string
	err := r.q.Query(`SELECT DISTINCT ip_address FROM sessions WHERE user_id = ?1 AND trim(coalesce(ip_address, '')) <> ''`, func(row sqlite.Row) error {
		addresses = append(addresses, row.Text(0))
		return nil
	}, user)
	return addresses, err
}

func public(ip string) bool {
	a, err := netip.ParseAddr(ip)
	if err != nil {
		return false
	}
	a = a.Unmap()
	return !a.IsLoopback() && !a.IsPrivate() && !a.IsLinkLocalUnicast()
}

// deleteMessagesOf deletes a user's messages, so many in one turn that others
// don't wait long.
func (c *Chat) deleteMessagesOf(ctx context.Context, user UserID) error {
	const some = 50
	return c.inTurns(ctx, func(w *writer) (finished bool, err error) {
		var ids []MessageID
		err = w.q.Query(`SELECT id FROM messages WHERE creator_id = ?1 LIMIT ?2`, func(row sqlite.Row) error {
			ids = append(ids, MessageID(row.Int(0)))
			return nil
		}, user, some)
		if err != nil {
			return false, err
		}
		for _, id := range ids {
			if err := w.deleteAnywhere(id); err != nil {
				return false, err
			}
		}
		return len(ids) < some, nil
	})
}

// deleteAnywhere deletes a message of whatever room.
func (w *writer) deleteAnywhere(id MessageID) error {
	m, err := w.oneMessage(` WHERE m.id = ?1`, id)
	if err != nil {
		return err
	}
	room, err := w.room(`SELECT `+roomColumns+` FROM rooms r WHERE r.id = ?1`, m.RoomID)
	if err != nil {
		return err
	}
	if err := w.deleteMessage(id); err != nil {
		return err
	}
	members, err := w.MemberIDs(room.ID)
	if err != nil {
		return err
	}
	w.announce(MessageDeleted{Message: m, Room: room, Members: members})
	return w.touchRoom(&room)
}
