import { createConsumer } from "@rails/actioncable"
import { currentUserId } from "./page.js"

// One socket for the whole page. It opens with the first subscription, so
// pages of people who are signed out never connect.
let consumer

// A page that is left may be kept for the way back, socket and all: its reader
// would count as present. It hangs up, and calls again when it is shown again.
addEventListener("pagehide", () => consumer?.disconnect())
addEventListener("pageshow", event => { if (event.persisted) consumer?.connect() })

export function subscribe(params, callbacks = {}) {
  consumer ??= createConsumer()
  return consumer.subscriptions.create(params, callbacks)
}

// Streams are shared: several elements may ask for the same one, for a moment
// even the old and the new one of a frame that loads again. The server confirms
// a subscription once, so whoever comes later hears it from here.
const streams = new Map() // identifier → { subscription, listeners, confirmed }

export function join(params, listener) {
  const identifier = JSON.stringify(params)
  const stream = streams.get(identifier) ?? open(params, identifier)
  stream.listeners.add(listener)
  if (stream.confirmed) listener.connected()
  return { leave: () => leave(stream, listener, identifier) }
}

function open(params, identifier) {
  const stream = { listeners: new Set(), confirmed: false }
  const tell = (confirmed, name, data) => {
    stream.confirmed = confirmed
    for (const listener of [...stream.listeners]) listener[name](data)
  }
  streams.set(identifier, stream)
  stream.subscription = subscribe(params, {
    connected: () => tell(true, "connected"),
    disconnected: () => tell(false, "disconnected"),
    rejected: () => {
      streams.delete(identifier) // whoever asks again is to ask the server
      tell(false, "disconnected")
    },
    received: data => tell(true, "received", data)
  })
  return stream
}

function leave(stream, listener, identifier) {
  stream.listeners.delete(listener)
  if (stream.listeners.size > 0) return
  stream.subscription.unsubscribe()
  if (streams.get(identifier) === stream) streams.delete(identifier)
}

// connection tells whether the server hears us. Events: "up" and "down".
class Connection extends EventTarget {
  up = false
  #subscription = null

  start() {
    if (this.#subscription || !currentUserId()) return
    this.#subscription = subscribe("HeartbeatChannel", {
      connected: () => this.#change(true),
      disconnected: () => this.#change(false),
      rejected: () => this.#change(false)
    })
    addEventListener("online", () => { if (!this.up) consumer.connection.reopen() })
  }

  #change(up) {
    this.up = up
    this.dispatchEvent(new Event(up ? "up" : "down"))
  }
}

export const connection = new Connection()
