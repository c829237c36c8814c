package chat

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

// Sidebar returns what the viewer sees of all their rooms.
func (r *Reader) Sidebar(viewer UserID) (Sidebar, error) { return Sidebar{}, errLater }

// SidebarDirect returns one direct room as the viewer's sidebar shows it.
func (r *Reader) SidebarDirect(room RoomID, viewer UserID) (SidebarDirect, error) {
	return SidebarDirect{}, errLater
}
