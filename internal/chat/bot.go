package chat

import (
	"context"
	"fmt"

	"hearth/internal/rails"
)

// CreateBot makes a bot, which gets into every open room. ErrForbidden unless by
// is an administrator.
func (c *Chat) CreateBot(ctx context.Context, by User, name string) (User, error) {
	var bot User
	err := c.write(ctx, func(w *writer) error {
		if err := w.mustAdminister(by.ID); err != nil {
			return err
		}
		var err error
		bot, err = w.insertUser(User{Name: name, Role: Bot, BotToken: rails.NewBotToken()}, "")
		return err
	})
	if err != nil {
		return User{}, fmt.Errorf("create bot: %w", err)
	}
	return bot, nil
}

// ResetBotKey gives an active bot another token; the old key is void. ErrForbidden
// unless by is an administrator.
func (c *Chat) ResetBotKey(ctx context.Context, by User, bot UserID) error {
	err := c.write(ctx, func(w *writer) error {
		u, err := w.activeUnder(by.ID, bot)
		if err == nil && !u.Bot() {
			err = ErrNotFound
		}
		if err != nil {
			return err
		}
		return w.exec(`UPDATE users SET bot_token = ?1, updated_at = ?2 WHERE id = ?3`, rails.NewBotToken(), w.now, bot)
	})
	if err != nil {
		return fmt.Errorf("reset key of bot %d: %w", bot, err)
	}
	return nil
}

// mustAdminister is ErrForbidden unless a user runs the account.
func (w *writer) mustAdminister(id UserID) error {
	by, err := w.stillActive(id)
	if err == nil && !by.Administrator() {
		err = ErrForbidden
	}
	return err
}
