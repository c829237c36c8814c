import { Controller } from "@hotwired/stimulus"

// Opens and closes what the selector finds. Opening moves the focus inside,
// closing brings it back to the button that opened.
export default class extends Controller {
  static values = { selector: String }

  toggle() {
    const target = document.querySelector(this.selectorValue)
    if (!target) return
    const open = target.classList.toggle("open")
    this.#tell(target, open)
    if (open) {
      target.addEventListener("keydown", this.#escape)
      target.querySelector("a[href], button")?.focus()
    } else {
      target.removeEventListener("keydown", this.#escape)
      document.querySelector(`[aria-controls="${target.id}"]`)?.focus()
    }
  }

  #tell(target, open) {
    document.querySelectorAll(`[aria-controls="${target.id}"]`).forEach(button => button.setAttribute("aria-expanded", open))
  }

  #escape = event => {
    if (event.key === "Escape" && !event.defaultPrevented) this.toggle()
  }
}
