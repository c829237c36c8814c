import { Controller } from "@hotwired/stimulus"

const ROOM_BELOW = 90
const SEE_SUCCESS = 700
const UP = "popup-orientation-top"

// A details element that opens a menu: Esc and a click elsewhere close it, and
// it opens upwards where there is no room below.
export default class extends Controller {
  connect() {
    this.element.addEventListener("toggle", this.#toggled)
    this.element.addEventListener("keydown", this.#keydown)
    this.element.addEventListener("submit", this.close)
    this.element.addEventListener("click", this.#chosen)
  }

  disconnect() {
    this.element.removeEventListener("toggle", this.#toggled)
    this.element.removeEventListener("keydown", this.#keydown)
    this.element.removeEventListener("submit", this.close)
    this.element.removeEventListener("click", this.#chosen)
    this.#unwatch()
  }

  close = () => {
    this.element.open = false
  }

  #toggled = () => {
    if (!this.element.open) return this.#unwatch()
    document.addEventListener("pointerdown", this.#outside)
    document.addEventListener("focusin", this.#outside)
    document.addEventListener("turbo:before-cache", this.close)
    this.#orient()
  }

  #unwatch() {
    document.removeEventListener("pointerdown", this.#outside)
    document.removeEventListener("focusin", this.#outside)
    document.removeEventListener("turbo:before-cache", this.close)
  }

  #outside = ({ target }) => {
    if (!this.element.contains(target)) this.close()
  }

  #keydown = event => {
    if (event.key !== "Escape" || !this.element.open) return
    event.stopPropagation()
    this.close()
    this.element.querySelector("summary").focus()
  }

  // A choice that leads elsewhere closes; forms close when they are submitted.
  #chosen = ({ target }) => {
    const choice = target.closest("a[href], button:not([type=submit])")
    if (!choice || choice.closest("summary")) return
    if (choice.matches("[data-controller~=copy-to-clipboard]")) setTimeout(this.close, SEE_SUCCESS)
    else requestAnimationFrame(this.close)
  }

  #orient() {
    this.element.classList.remove(UP)
    const menu = this.element.querySelector("summary + *")
    if (!menu) return
    const box = this.element.closest(".messages")?.getBoundingClientRect() ?? { top: 0, bottom: innerHeight }
    const summary = this.element.getBoundingClientRect()
    const below = box.bottom - summary.bottom
    const above = summary.top - box.top
    const height = menu.getBoundingClientRect().height
    if (below < ROOM_BELOW || (below < height && above > below)) this.element.classList.add(UP)
  }
}
