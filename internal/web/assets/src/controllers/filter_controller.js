import { Controller } from "@hotwired/stimulus"
import { fold } from "../lib/text.js"

const PAUSE = 300

// Hides the entries whose name lacks what is typed.
export default class extends Controller {
  static targets = ["input", "list"]

  connect() {
    this.inputTarget.addEventListener("input", this.#typed)
    this.inputTarget.addEventListener("keydown", this.#keydown)
  }

  disconnect() {
    clearTimeout(this.timer)
    this.inputTarget.removeEventListener("input", this.#typed)
    this.inputTarget.removeEventListener("keydown", this.#keydown)
  }

  #typed = () => {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.#filter(), PAUSE)
  }

  // Enter in the filter must not save the form around it.
  #keydown = event => {
    if (event.key === "Enter") event.preventDefault()
    if (event.key === "Escape" && this.inputTarget.value) {
      event.stopPropagation()
      this.inputTarget.value = ""
      this.#filter()
    }
  }

  #filter() {
    const wanted = fold(this.inputTarget.value.trim())
    this.listTarget.classList.toggle("filter--active", wanted !== "")
    for (const entry of this.listTarget.querySelectorAll("[data-value]")) {
      const matches = fold(entry.dataset.value).includes(wanted)
      entry.hidden = !matches
      entry.classList.toggle("selected", wanted !== "" && matches)
    }
  }
}
