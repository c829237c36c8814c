package view

import "io"

// problem is what an error page says: what happened, whether something is lost,
// what to do.
type problem struct {
	Status              int
	Title, Heading, Say string
	Label               string // of the status, for those who report it
	Again               bool   // trying again can help
}

// unnamed is the status whose page stands for all that have none.
const unnamed = 500

var problems = []problem{
	{400, "We can’t read that (400)", "We can’t read that request", "Something in it is missing or broken. Nothing was changed.", "Bad request", false},
	{403, "That isn’t yours to do (403)", "That isn’t yours to do", "Only an administrator, or the one who made it, can do this. Nothing was changed.", "Not allowed", false},
	{404, "We can’t find that (404)", "There’s no page here", "The address may be mistyped, or the room or message was deleted. Nothing of yours is lost.", "Not found", false},
	{422, "That didn’t work (422)", "That didn’t work", "The page may have been open for too long, or something you entered can’t be used. Nothing was saved: go back, load the page again, and try once more.", "Not accepted", true},
	{429, "Too many requests (429)", "That was too much at once", "Wait a few minutes, then try again. Nothing was changed.", "Too many requests", true},
	{500, "Something went wrong (500)", "Something went wrong on our side", "What you sent may not be saved. Go back and look; if it happens again, tell your administrator when.", "Server error", true},
	{503, "Busy right now (503)", "The server is busy", "It couldn’t take your request just now, and nothing was changed. Try again in a moment.", "Busy", true},
	{507, "The disk is full (507)", "The server’s disk is full", "Nothing was saved, and nothing is lost. Tell whoever runs this server: posting goes on by itself when there is room again.", "Disk full", true},
}

// ErrorPage writes a page about a status that needs nothing else: no viewer, no
// database. A status without a page of its own gets the one for 500.
func (s *Site) ErrorPage(w io.Writer, status int) error {
	for _, p := range problems {
		if p.Status == status {
			return s.render(w, "error", &Layout{}, page{Title: p.Title, BodyClass: "signup", D: p})
		}
	}
	return s.ErrorPage(w, unnamed)
}

// UnsupportedBrowserPage names the browsers in which the chat works.
func (s *Site) UnsupportedBrowserPage(w io.Writer) error {
	return s.render(w, "unsupported_browser", &Layout{}, page{Title: "Unsupported browser", BodyClass: "signup"})
}
