package chat

import (
	"cmp"
	"fmt"
	"slices"

	"hearth/sqlite"
)

// Sidebar is what somebody sees of all their rooms.
type Sidebar struct {
	Directs      []SidebarDirect // newest activity first
	Shared       []SidebarRoom   // by name
	Placeholders []Author        // active people without a direct conversation with the viewer, oldest first
}

// SidebarRoom is an open or closed room in the sidebar.
type SidebarRoom struct {
	Room   Room
	Unread bool
}

// SidebarDirect is a direct room in the sidebar.
type SidebarDirect struct {
	Room    Room
	Unread  bool
	Members []Author // the others, by name; the viewer when nobody else is in it
}

// sidebarPeople is how many people the sidebar offers in all: those whom the
// viewer talks with and placeholders for more.
const sidebarPeople = 20

// CROSS JOIN begins with the viewer's memberships, however few rooms ANALYZE has
// counted.
const (
	authorColumns   = `u.id, u.name, u.bio, u.role, u.status, u.updated_at`
	sidebarRoomsSQL = `SELECT ` + roomColumns + `, m.unread_at IS NOT NULL FROM memberships m JOIN rooms r ON r.id = m.room_id
	WHERE m.user_id = ?1 AND coalesce(m.involvement, '') <> 'invisible'`
	sidebarMembersSQL = `SELECT m.room_id, ` + authorColumns + ` FROM memberships mine
	CROSS JOIN rooms r ON r.id = mine.room_id AND r.type = 'Rooms::Direct'
	CROSS JOIN memberships m ON m.room_id = r.id CROSS JOIN users u ON u.id = m.user_id
	WHERE mine.user_id = ?1` + byName
	placeholdersSQL = `WITH known (id) AS (
		SELECT ?1 UNION
		SELECT m.user_id FROM memberships mine
		CROSS JOIN rooms r ON r.id = mine.room_id AND r.type = 'Rooms::Direct'
		CROSS JOIN memberships m ON m.room_id = r.id WHERE mine.user_id = ?1)
	SELECT ` + authorColumns + ` FROM users u WHERE u.status = 0 AND u.id NOT IN (SELECT id FROM known)
	ORDER BY u.created_at, u.id LIMIT max(0, ?2 - (SELECT count(*) FROM known))`
)

// Sidebar returns what the viewer sees of all their rooms.
func (r *Reader) Sidebar(viewer UserID) (Sidebar, error) {
	var s Sidebar
	err := r.sidebarRooms(&s, viewer)
	if err == nil {
		err = r.sidebarMembers(&s, viewer)
	}
	if err == nil {
		s.Placeholders, err = r.placeholders(viewer)
	}
	if err != nil {
		return s, fmt.Errorf("load sidebar of user %d: %w", viewer, err)
	}
	return s, nil
}

func (r *Reader) sidebarRooms(s *Sidebar, viewer UserID) error {
	var t texts
	err := r.q.Query(sidebarRoomsSQL, func(row sqlite.Row) error {
		room, err := scanRoom(&t, row)
		if err != nil {
			return err
		}
		if room.Direct() {
			s.Directs = append(s.Directs, SidebarDirect{Room: room, Unread: row.Bool(6)})
		} else {
			s.Shared = append(s.Shared, SidebarRoom{Room: room, Unread: row.Bool(6)})
		}
		return nil
	}, viewer)
	slices.SortFunc(s.Directs, func(a, b SidebarDirect) int {
		return cmp.Or(b.Room.UpdatedAt.Compare(a.Room.UpdatedAt), cmp.Compare(b.Room.ID, a.Room.ID))
	})
	slices.SortFunc(s.Shared, func(a, b SidebarRoom) int {
		return cmp.Or(compareNames(a.Room.Name, b.Room.Name), cmp.Compare(a.Room.ID, b.Room.ID))
	})
	return err
}

// compareNames compares as ORDER BY lower(name) does in SQLite, which knows only
// ASCII's letters.
func compareNames(a, b string) int {
	for i := range min(len(a), len(b)) {
		if c := cmp.Compare(lowerASCII(a[i]), lowerASCII(b[i])); c != 0 {
			return c
		}
	}
	return cmp.Compare(len(a), len(b))
}

func lowerASCII(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

// sidebarMembers fills in who is in the direct rooms.
func (r *Reader) sidebarMembers(s *Sidebar, viewer UserID) error {
	if len(s.Directs) == 0 {
		return nil
	}
	place := make(map[RoomID]int, len(s.Directs))
	for i, d := range s.Directs {
		place[d.Room.ID] = i
	}
	var t texts
	var self Author
	err := r.q.Query(sidebarMembersSQL, func(row sqlite.Row) error {
		i, shown := place[RoomID(row.Int(0))]
		if !shown {
			return nil
		}
		a, err := scanAuthor(&t, row, 1)
		if err != nil {
			return err
		}
		if a.ID == viewer {
			self = a
		} else {
			s.Directs[i].Members = append(s.Directs[i].Members, a)
		}
		return nil
	}, viewer)
	for i := range s.Directs {
		if len(s.Directs[i].Members) == 0 && self.ID != 0 {
			s.Directs[i].Members = []Author{self}
		}
	}
	return err
}

// placeholders returns the people to start a conversation with. There are fewer
// the more conversations there are already, and never fewer than none: to SQLite
// a negative limit is no limit.
func (r *Reader) placeholders(viewer UserID) ([]Author, error) {
	var t texts
	var people []Author
	err := r.q.Query(placeholdersSQL, func(row sqlite.Row) error {
		a, err := scanAuthor(&t, row, 0)
		people = append(people, a)
		return err
	}, viewer, sidebarPeople)
	return people, err
}

// SidebarDirect returns one direct room as the viewer's sidebar shows it, whether
// it is invisible there or not. ErrNotFound when the viewer is not in it or it is
// not direct.
func (r *Reader) SidebarDirect(id RoomID, viewer UserID) (SidebarDirect, error) {
	room, m, err := r.Room(id, viewer)
	if err != nil {
		return SidebarDirect{}, err
	}
	if !room.Direct() {
		return SidebarDirect{}, fmt.Errorf("load direct room %d: %w", id, ErrNotFound)
	}
	members, err := r.Members(id)
	if err != nil {
		return SidebarDirect{}, err
	}
	all := make([]Author, len(members))
	for i := range members {
		all[i] = members[i].Author()
	}
	return SidebarDirect{Room: room, Unread: m.Unread(), Members: Others(all, viewer)}, nil
}

// Others returns members without the viewer, or only the viewer when nobody else
// is among them: what a direct room is called.
func Others(members []Author, viewer UserID) []Author {
	others := slices.DeleteFunc(slices.Clone(members), func(a Author) bool { return a.ID == viewer })
	if len(others) == 0 {
		return members
	}
	return others
}

// inOrderOfName returns people as lists show them.
func inOrderOfName(people map[UserID]Author) []Author {
	sorted := make([]Author, 0, len(people))
	for _, a := range people {
		sorted = append(sorted, a)
	}
	slices.SortFunc(sorted, func(a, b Author) int {
		return cmp.Or(compareNames(a.Name, b.Name), cmp.Compare(a.ID, b.ID))
	})
	return sorted
}
