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

// mustAdminister is ErrForbidden unless a user runs the account.
func (w *writer) mustAdminister(id UserID) error {
	by, err := w.stillActive(id)
	if err == nil && !by.Administrator() {
		err = ErrForbidden
	}
	return err
}
