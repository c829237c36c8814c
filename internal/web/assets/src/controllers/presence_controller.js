import { Controller } from "@hotwired/stimulus"
import { subscribe } from "../lib/cable.js"

const STEADY = 5000    // a glance at another tab is no absence
const REFRESH = 50_000 // the server forgets after 60 s

// Tells the server whether this room is looked at. Subscribing counts as
// present, so a page that connects in the background says soon that it is not.
export default class extends Controller {
  static values = { roomId: Number }

  #told = null // what the server believes: present or not; null before it confirms

  connect() {
    if (document.documentElement.hasAttribute("data-turbo-preview")) return
    this.channel = subscribe({ channel: "PresenceChannel", room_id: this.roomIdValue }, {
      connected: () => { this.#told = true; this.#settle() },
      disconnected: () => { this.#told = null }
    })
    this.refresh = setInterval(() => { if (this.#told) this.channel.perform("refresh") }, REFRESH)
    document.addEventListener("visibilitychange", this.#settle)
  }

  disconnect() {
    document.removeEventListener("visibilitychange", this.#settle)
    clearInterval(this.refresh)
    clearTimeout(this.timer)
    this.channel?.unsubscribe()
  }

  #settle = () => {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.#tell(!document.hidden), STEADY)
  }

  #tell(present) {
    if (this.#told === null || this.#told === present) return
    this.channel.perform(present ? "present" : "absent")
    this.#told = present
  }
}
