import { Controller } from "@hotwired/stimulus"
import { currentUserId } from "../lib/page.js"

// One's own boost shows its delete button on demand.
export default class extends Controller {
  static values = { boosterId: String }

  connect() {
    const text = this.element.querySelector("[role=button]")
    if (this.#mine) text?.setAttribute("aria-expanded", "false")
    else this.#plain(text)
  }

  reveal(event) {
    if (!this.#mine) return
    event.preventDefault()
    const expanded = this.element.classList.toggle("expanded")
    event.currentTarget.setAttribute("aria-expanded", expanded)
    if (expanded) this.element.querySelector(".boost__delete, form button")?.focus()
  }

  remove() {
    this.element.classList.add("boost--deleting")
  }

  get #mine() {
    return this.boosterIdValue === currentUserId()
  }

  // Somebody else's boost does nothing, so it is no button.
  #plain(text) {
    text?.removeAttribute("role")
    text?.removeAttribute("tabindex")
    text?.removeAttribute("aria-describedby")
  }
}
