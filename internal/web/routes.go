package web

import "net/http"

const (
	get   = http.MethodGet
	post  = http.MethodPost
	patch = http.MethodPatch
	del   = http.MethodDelete
)

// routes is the table of everything that is answered, besides the socket at
// "/cable" and the files below "/assets/".
func routes() []route {
	return []route{
		// entry
		{method: get, pattern: "/", access: person, read: (*exchange).root},
		{method: get, pattern: "/first_run", access: anyone, read: (*exchange).newFirstRun},
		{method: post, pattern: "/first_run", access: anyone, write: (*exchange).createFirstRun},
		{method: get, pattern: "/session/new", access: anyone, read: (*exchange).newSession},
		{method: post, pattern: "/session", access: anyone, write: (*exchange).createSession},
		{method: del, pattern: "/session", access: person, write: (*exchange).deleteSession},
		{method: get, pattern: "/join/{join_code}", access: recognised, read: (*exchange).newJoin},
		{method: post, pattern: "/join/{join_code}", access: recognised, write: (*exchange).createJoin},
		{method: get, pattern: "/account/logo", access: anyone, read: (*exchange).showLogo},

		// people
		{method: get, pattern: "/users/{id}", access: person, read: (*exchange).showUser},
		{method: get, pattern: "/users/{token}/avatar", access: person, read: (*exchange).showAvatar},
		{method: get, pattern: "/users/{user_id}/sidebar", access: person, read: (*exchange).showSidebar},
		{method: get, pattern: "/autocompletable/users", access: person, read: (*exchange).autocompleteUsers},

		// rooms
		{method: get, pattern: "/rooms", access: person, read: (*exchange).listRooms},
		{method: get, pattern: "/rooms/{id}", access: person, read: (*exchange).showRoom},
		{method: get, pattern: "/rooms/{id}/@{message_id}", access: person, read: (*exchange).showRoom},
		{method: del, pattern: "/rooms/{id}", access: person, write: (*exchange).deleteRoom},
		{method: get, pattern: "/rooms/{room_id}/refresh", access: person, read: (*exchange).refreshRoom},
		{method: get, pattern: "/rooms/{room_id}/involvement", access: person, read: (*exchange).showInvolvement},
		{method: patch, pattern: "/rooms/{room_id}/involvement", access: person, write: (*exchange).updateInvolvement},
		{method: get, pattern: "/rooms/opens/new", access: person, read: (*exchange).newOpen},
		{method: post, pattern: "/rooms/opens", access: person, write: (*exchange).createOpen},
		{method: get, pattern: "/rooms/opens/{id}", access: person, read: (*exchange).showTyped},
		{method: get, pattern: "/rooms/opens/{id}/edit", access: person, read: (*exchange).editOpen},
		{method: patch, pattern: "/rooms/opens/{id}", access: person, write: (*exchange).updateOpen},
		{method: get, pattern: "/rooms/closeds/new", access: person, read: (*exchange).newClosed},
		{method: post, pattern: "/rooms/closeds", access: person, write: (*exchange).createClosed},
		{method: get, pattern: "/rooms/closeds/{id}", access: person, read: (*exchange).showTyped},
		{method: get, pattern: "/rooms/closeds/{id}/edit", access: person, read: (*exchange).editClosed},
		{method: patch, pattern: "/rooms/closeds/{id}", access: person, write: (*exchange).updateClosed},
		{method: get, pattern: "/rooms/directs/new", access: person, read: (*exchange).newDirect},
		{method: post, pattern: "/rooms/directs", access: person, write: (*exchange).createDirect},
		{method: get, pattern: "/rooms/directs/{id}/edit", access: person, read: (*exchange).editDirect},
		{method: del, pattern: "/rooms/directs/{id}", access: person, write: (*exchange).deleteDirect},

		// messages
		{method: get, pattern: "/rooms/{room_id}/messages", access: person, read: (*exchange).listMessages},
		{method: post, pattern: "/rooms/{room_id}/messages", access: person, write: (*exchange).createMessage},
		{method: post, pattern: "/messages", access: person, write: (*exchange).roomGone},
		{method: get, pattern: "/rooms/{room_id}/messages/{id}", access: person, read: (*exchange).showMessage},
		{method: get, pattern: "/rooms/{room_id}/messages/{id}/edit", access: person, read: (*exchange).editMessage},
		{method: patch, pattern: "/rooms/{room_id}/messages/{id}", access: person, write: (*exchange).updateMessage},
		{method: del, pattern: "/rooms/{room_id}/messages/{id}", access: person, write: (*exchange).deleteMessage},
		{method: get, pattern: "/messages/{message_id}/boosts", access: person, read: (*exchange).listBoosts},
		{method: get, pattern: "/messages/{message_id}/boosts/new", access: person, read: (*exchange).newBoost},
		{method: post, pattern: "/messages/{message_id}/boosts", access: person, write: (*exchange).createBoost},
		{method: del, pattern: "/messages/{message_id}/boosts/{id}", access: person, write: (*exchange).deleteBoost},
		{method: get, pattern: "/searches", access: person, read: (*exchange).showSearches},
		{method: post, pattern: "/searches", access: person, write: (*exchange).createSearch},
		{method: del, pattern: "/searches/clear", access: person, write: (*exchange).clearSearches},

		// bots
		{method: get, pattern: "/rooms/{room_id}/{bot_key}/messages", access: personOrBot, read: (*exchange).botListMessages, format: "json"},
		{method: post, pattern: "/rooms/{room_id}/{bot_key}/messages", access: personOrBot, write: (*exchange).botCreateMessage, format: "json"},
		{method: patch, pattern: "/rooms/{room_id}/{bot_key}/messages/{id}", access: personOrBot, write: (*exchange).botUpdateMessage, format: "json"},
		{method: del, pattern: "/rooms/{room_id}/{bot_key}/messages/{id}", access: personOrBot, write: (*exchange).botDeleteMessage, format: "json"},
		{method: post, pattern: "/rooms/{room_id}/{bot_key}/messages/{message_id}/boosts", access: personOrBot, write: (*exchange).botCreateBoost, format: "json"},
		{method: del, pattern: "/rooms/{room_id}/{bot_key}/messages/{message_id}/boosts/{id}", access: personOrBot, write: (*exchange).botDeleteBoost, format: "json"},

		// stored files; whoever has the link may have the file
		{method: get, pattern: "/rails/active_storage/blobs/redirect/{signed_id}/{filename...}", access: outside, read: (*exchange).redirectToBlob},
		{method: get, pattern: "/rails/active_storage/blobs/proxy/{signed_id}/{filename...}", access: outside, read: (*exchange).proxyBlob},
		{method: get, pattern: "/rails/active_storage/blobs/{signed_id}/{filename...}", access: outside, read: (*exchange).redirectToBlob},
		{method: get, pattern: "/rails/active_storage/disk/{encoded_key}/{filename...}", access: outside, write: (*exchange).showDiskFile},

		// machines
		{method: get, pattern: "/up", access: outside, write: (*exchange).up, quiet: true},
		{method: get, pattern: "/robots.txt", access: outside, write: (*exchange).robots},
	}
}
