// Package web is the chat over HTTP: routes (one file a resource), the filters
// that every request passes, and the pages' way out.
//
// A request walks like this, and every step is a file of its own:
//
//	body and parameters → route → browser gate → authentication → bots turned
//	away → CSRF → banned addresses → the handler → ETag → compression
//
// A handler of a GET runs inside one snapshot of the database, together with the
// authentication before it. A handler that changes something runs outside of any
// snapshot and writes through chat's methods. Either way the answer is first
// gathered in memory and sent when the snapshot has ended, so a slow client
// never holds a database connection.
//
// The table of all routes is in routes.go.
package web
