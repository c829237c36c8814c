// Package cable speaks Action Cable over WebSockets: it upgrades requests,
// answers subscriptions, and sends what is broadcast on a stream to everybody
// who is subscribed to it. Stream names are strings and payloads are bytes; who
// may hear what is decided by the channels that the caller registers.
//
//	hub := cable.New(cable.Options{
//		Authenticate:  signedIn,
//		OriginAllowed: sameOrigin,
//		Channels:      map[string]func(json.RawMessage) cable.Channel{"ClockChannel": newClock},
//	})
//	go hub.Run(ctx) // pings
//	mux.Handle("/cable", hub)
//	hub.Broadcast("clock", []byte(`"12:00"`))
//	…
//	hub.Shutdown(ctx)
//
// # Who owns what
//
// A socket belongs to one goroutine, its reader, from the upgrade until the
// socket is closed: it reads frames, runs the channels' methods one after
// another, and holds the table of subscriptions. A second goroutine, the writer,
// drains the socket's outbox. Everybody else only puts frames into that outbox,
// which never waits: an outbox that is full means that the client is too slow,
// and its socket is dropped.
//
// Streams are kept in shards, by a hash of the name. A shard is a map under one
// mutex; a broadcast holds it while the frame goes into the outboxes, so that all
// subscribers of a stream get its broadcasts in one order. A goroutine per shard
// would need a queue, and an answer for when that one is full; the lock is held
// for some hundred nanoseconds per subscriber and never while anything waits.
//
// # The protocol
//
// Subprotocol actioncable-v1-json, text frames of JSON. From the server:
//
//	{"type":"welcome"}
//	{"type":"ping","message":1700000000}
//	{"identifier":"…","type":"confirm_subscription"}
//	{"identifier":"…","type":"reject_subscription"}
//	{"identifier":"…","message":…}
//	{"type":"disconnect","reason":"remote","reconnect":true}
//
// From the client, where identifier and data are JSON in a string:
//
//	{"command":"subscribe","identifier":"…"}
//	{"command":"unsubscribe","identifier":"…"}
//	{"command":"message","identifier":"…","data":"…"}
//
// The extension permessage-deflate is never negotiated (docs/decisions/0007).
package cable
