import { Controller } from "@hotwired/stimulus"
import { isTouchDevice } from "../lib/page.js"

// A phone shows its keyboard only for a field that a finger focused. A form
// that is still to load has none, so an invisible one holds the keyboard up.
export default class extends Controller {
  open() {
    if (!isTouchDevice()) return
    const field = document.createElement("input")
    field.className = "for-screen-reader input--invisible"
    field.setAttribute("aria-hidden", "true")
    field.tabIndex = -1
    field.style.position = "fixed"
    document.body.append(field)
    field.focus({ preventScroll: true })
    field.addEventListener("blur", () => field.remove(), { once: true })
    setTimeout(() => field.remove(), 3000)
  }
}
