import { Controller } from "@hotwired/stimulus"

// The number of unread rooms on the icon of an installed app.
export default class extends Controller {
  static targets = ["unread"]

  connect() {
    this.element.addEventListener("rooms-list:changed", this.#update)
  }

  disconnect() {
    this.element.removeEventListener("rooms-list:changed", this.#update)
  }

  #update = () => {
    if (!navigator.setAppBadge) return
    const count = this.unreadTargets.filter(room => room.classList.contains("unread")).length
    const done = count > 0 ? navigator.setAppBadge(count) : navigator.clearAppBadge()
    done.catch(() => {}) // the browser may not allow it
  }
}
