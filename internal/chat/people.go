package chat

import (
	"fmt"
	"strconv"
	"strings"

	"hearth/internal/richtext"
	"hearth/sqlite"
)

// userColumns is what scanUser reads, of a table called u.
const userColumns = `u.id, u.name, u.email_address, u.bio, u.role, u.status, u.bot_token, u.created_at, u.updated_at`

// byName is the order of people in lists.
const byName = ` ORDER BY lower(u.name), u.id`

func scanUser(t *texts, row sqlite.Row) (User, error) {
	u := User{
		ID:       UserID(row.Int(0)),
		Name:     t.copy(row, 1),
		Email:    t.copy(row, 2),
		Bio:      t.copy(row, 3),
		Role:     Role(row.Int(4)),
		Status:   Status(row.Int(5)),
		BotToken: t.copy(row, 6),
	}
	var err error
	if u.CreatedAt, err = t.time(row, 7); err != nil {
		return u, fmt.Errorf("user %d: %w", u.ID, err)
	}
	if u.UpdatedAt, err = t.time(row, 8); err != nil {
		return u, fmt.Errorf("user %d: %w", u.ID, err)
	}
	return u, nil
}

// user returns the first user of a query for userColumns.
func (r *Reader) user(sql string, args ...any) (User, error) {
	var u User
	found, err := r.q.One(sql, func(row sqlite.Row) (err error) {
		u, err = scanUser(&texts{}, row)
		return err
	}, args...)
	if err == nil && !found {
		err = ErrNotFound
	}
	return u, err
}

// users returns all users of a query for userColumns.
func (r *Reader) users(sql string, args ...any) ([]User, error) {
	var t texts
	var users []User
	err := r.q.Query(sql, func(row sqlite.Row) error {
		u, err := scanUser(&t, row)
		users = append(users, u)
		return err
	}, args...)
	return users, err
}

// User returns anybody, whatever their status.
func (r *Reader) User(id UserID) (User, error) {
	u, err := r.user(`SELECT `+userColumns+` FROM users u WHERE u.id = ?1`, id)
	if err != nil {
		return u, fmt.Errorf("load user %d: %w", id, err)
	}
	return u, nil
}

// UserByBotKey returns the active bot that has this key ("<id>-<token>").
func (r *Reader) UserByBotKey(key string) (User, error) {
	number, token, _ := strings.Cut(strings.TrimSpace(key), "-")
	id, err := strconv.ParseInt(number, 10, 64)
	if err != nil || token == "" { // people have no token: an empty one must not find them
		return User{}, fmt.Errorf("bot key: %w", ErrNotFound)
	}
	u, err := r.user(`SELECT `+userColumns+` FROM users u WHERE u.id = ?1 AND u.bot_token = ?2 AND u.role = ?3 AND u.status = ?4`,
		id, token, Bot, Active)
	if err != nil {
		return User{}, fmt.Errorf("bot key: %w", err)
	}
	return u, nil
}

// FirstAdministrator returns the administrator who can be asked for help.
func (r *Reader) FirstAdministrator() (User, error) {
	u, err := r.user(`SELECT `+userColumns+` FROM users u WHERE u.role = ?1 AND u.status = ?2 ORDER BY u.id LIMIT 1`, Administrator, Active)
	if err != nil {
		return u, fmt.Errorf("load first administrator: %w", err)
	}
	return u, nil
}

// HasUsers reports whether anybody has an account.
func (r *Reader) HasUsers() (bool, error) { return exists(r.q, `SELECT 1 FROM users LIMIT 1`) }

// Members returns who is in a room, by name, whatever their status.
func (r *Reader) Members(room RoomID) ([]User, error) {
	users, err := r.users(`SELECT `+userColumns+` FROM memberships m JOIN users u ON u.id = m.user_id WHERE m.room_id = ?1`+byName, room)
	if err != nil {
		return nil, fmt.Errorf("load members of room %d: %w", room, err)
	}
	return users, nil
}

// ActiveUsers returns all active people and bots, by name.
func (r *Reader) ActiveUsers() ([]User, error) {
	users, err := r.users(`SELECT `+userColumns+` FROM users u WHERE u.status = ?1`+byName, Active)
	if err != nil {
		return nil, fmt.Errorf("load users: %w", err)
	}
	return users, nil
}

var authorsByID = newInQuery(`SELECT id, name, bio, role, status, updated_at FROM users WHERE id IN `, ``)

func scanAuthor(t *texts, row sqlite.Row, first int) (Author, error) {
	a := Author{
		ID:     UserID(row.Int(first)),
		Name:   t.copy(row, first+1),
		Bio:    t.copy(row, first+2),
		Role:   Role(row.Int(first + 3)),
		Status: Status(row.Int(first + 4)),
	}
	var err error
	if a.UpdatedAt, err = t.time(row, first+5); err != nil {
		return a, fmt.Errorf("user %d: %w", a.ID, err)
	}
	return a, nil
}

// People returns those of ids that exist: what mentions in a body need.
func (r *Reader) People(ids []UserID) (map[UserID]Author, error) {
	people := make(map[UserID]Author, len(ids))
	if err := r.loadPeople(&texts{}, people, int64s(ids)); err != nil {
		return nil, err
	}
	return people, nil
}

func (r *Reader) loadPeople(t *texts, people map[UserID]Author, ids []int64) error {
	err := authorsByID.query(r.q, ids, func(row sqlite.Row) error {
		a, err := scanAuthor(t, row, 0)
		people[a.ID] = a
		return err
	})
	if err != nil {
		return fmt.Errorf("load people: %w", err)
	}
	return nil
}

// Mentioned returns everybody whom the bodies of messages mention.
func (r *Reader) Mentioned(messages ...*Message) (map[UserID]Author, error) {
	var ids []UserID
	for _, m := range messages {
		ids = append(ids, mentions(m.Body)...)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	return r.People(ids)
}

// mentions returns the ids of whom a body mentions, by the rule for showing it.
func mentions(body string) []UserID {
	if !strings.Contains(body, "sgid") {
		return nil
	}
	var ids []UserID
	for _, id := range richtext.MentionIDs(body) {
		ids = append(ids, UserID(id))
	}
	return ids
}

// plainText returns a body's text with the names that people have now.
func plainText(body string, people map[UserID]Author) string {
	return richtext.PlainText(body, func(id int64) (richtext.Person, bool) {
		a, ok := people[UserID(id)]
		return richtext.Person{ID: id, Name: a.Name, Title: a.Title()}, ok
	})
}

// autocompleteSize is how many people one page of completions has.
const autocompleteSize = 20

// Autocomplete returns page (from 1) of the active users whose name has query in
// it, 20 a page, by name, and how many there are in all. With a room other than
// 0 only its members count, and viewer has to be one of them.
func (r *Reader) Autocomplete(viewer UserID, query string, room RoomID, page int) (users []User, total int, err error) {
	from := ` FROM users u WHERE u.status = 0 AND u.name LIKE ?1 ESCAPE '\'`
	args := []any{likeAnywhere(query)}
	if room != 0 {
		if _, err := r.Membership(room, viewer); err != nil {
			return nil, 0, fmt.Errorf("complete people: %w", err)
		}
		from += ` AND u.id IN (SELECT user_id FROM memberships WHERE room_id = ?2)`
		args = append(args, room)
	}
	_, err = r.q.One(`SELECT count(*)`+from, func(row sqlite.Row) error {
		total = int(row.Int(0))
		return nil
	}, args...)
	if err != nil {
		return nil, 0, fmt.Errorf("complete people: %w", err)
	}
	skip := (max(page, 1) - 1) * autocompleteSize
	if skip >= total {
		return nil, total, nil
	}
	users, err = r.users(`SELECT `+userColumns+from+byName+fmt.Sprintf(` LIMIT ?%d OFFSET ?%d`, len(args)+1, len(args)+2),
		append(args, autocompleteSize, skip)...)
	if err != nil {
		return nil, 0, fmt.Errorf("complete people: %w", err)
	}
	return users, total, nil
}

// likeAnywhere returns the LIKE pattern (ESCAPE '\') for what has text in it.
func likeAnywhere(text string) string {
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
}
