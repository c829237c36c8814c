import { Controller } from "@hotwired/stimulus"
import { subscribe } from "../lib/cable.js"
import { currentUserId } from "../lib/page.js"
import { writers } from "../lib/text.js"
import { Typists } from "../lib/typists.js"

const ONCE_A = 1000
const ACTIVE = "typing-indicator--active"

// Says that I write, and shows who else does.
export default class extends Controller {
  static targets = ["indicator", "author", "verb"]
  static values = { roomId: Number }

  connect() {
    if (document.documentElement.hasAttribute("data-turbo-preview")) return
    this.typists = new Typists()
    this.lastStart = 0
    this.writing = false
    this.channel = subscribe({ channel: "TypingNotificationsChannel", room_id: this.roomIdValue }, {
      received: data => this.#received(data)
    })
    this.clock = setInterval(() => this.#show(), ONCE_A)
    this.element.addEventListener("lexxy:change", this.#changed)
    this.element.addEventListener("submit", this.#stop)
  }

  disconnect() {
    clearInterval(this.clock)
    this.element.removeEventListener("lexxy:change", this.#changed)
    this.element.removeEventListener("submit", this.#stop)
    this.channel?.unsubscribe()
  }

  #changed = ({ target }) => {
    if (target.isBlank) return this.#stop()
    if (Date.now() - this.lastStart < ONCE_A) return
    this.lastStart = Date.now()
    this.writing = true
    this.channel.perform("start")
  }

  #stop = () => {
    if (!this.writing) return
    this.writing = false
    this.lastStart = 0
    this.channel.perform("stop")
  }

  #received({ action, user }) {
    if (String(user.id) === currentUserId()) return
    if (action === "start") this.typists.start(user, Date.now())
    else this.typists.stop(user.id)
    this.#show()
  }

  #show() {
    const people = this.typists.at(Date.now())
    this.indicatorTarget.classList.toggle(ACTIVE, people.length > 0)
    if (people.length === 0) return // the names stay while the line fades
    this.authorTarget.textContent = writers(people)
    if (this.hasVerbTarget) this.verbTarget.textContent = people.length === 1 ? "is writing" : "are writing"
  }
}
