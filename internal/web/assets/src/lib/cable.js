import { createConsumer } from "@rails/actioncable"
import { currentUserId } from "./page.js"

// One socket for the whole page. It opens with the first subscription, so
// pages of people who are signed out never connect.
let consumer

export function subscribe(params, callbacks = {}) {
  consumer ??= createConsumer()
  return consumer.subscriptions.create(params, callbacks)
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
