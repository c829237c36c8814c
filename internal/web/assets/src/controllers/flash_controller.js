import { Controller } from "@hotwired/stimulus"

const READING_TIME = 5000

// A notice goes by itself, but not while somebody reads it.
export default class extends Controller {
  connect() {
    this.element.addEventListener("pointerenter", this.#stay)
    this.element.addEventListener("pointerleave", this.#leave)
    document.addEventListener("turbo:before-cache", this.#remove)
    this.#leave()
  }

  disconnect() {
    clearTimeout(this.timer)
    document.removeEventListener("turbo:before-cache", this.#remove)
  }

  #stay = () => clearTimeout(this.timer)

  #leave = () => {
    clearTimeout(this.timer)
    this.timer = setTimeout(this.#remove, READING_TIME)
  }

  #remove = () => this.element.remove()
}
