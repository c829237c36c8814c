import { Controller } from "@hotwired/stimulus"

// Copies a text. One that starts with a slash is a place on this server.
export default class extends Controller {
  static values = { content: String }

  async copy(event) {
    event.preventDefault()
    const content = this.contentValue.startsWith("/") ? new URL(this.contentValue, location.origin).href : this.contentValue
    this.element.classList.remove("btn--success")
    try {
      await navigator.clipboard.writeText(content)
      this.element.classList.add("btn--success")
      setTimeout(() => this.element.classList.remove("btn--success"), 2000)
    } catch {
      // The browser does not allow it; nothing was copied, and nothing says so.
    }
  }
}
