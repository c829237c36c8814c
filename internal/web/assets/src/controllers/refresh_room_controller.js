import { Controller } from "@hotwired/stimulus"
import { renderStreamMessage } from "@hotwired/turbo"

const LONG_SLEEP = 60_000
const MOST_IDS = 320

// Catches up with what happened while nothing could be heard: after each
// confirmation of the room's stream (also the first, since the page is older
// than that) and when the page is looked at again after a minute.
export default class extends Controller {
  static targets = ["message"]
  static values = { url: String, loadedAt: Number }

  #asking = false
  #again = null
  #hiddenAt = null

  connect() {
    this.since = this.loadedAtValue
    this.messageTargets.forEach(message => this.messageTargetConnected(message))
    document.addEventListener("stream-source:connected", this.#connected)
    document.addEventListener("visibilitychange", this.#visibilityChanged)
  }

  disconnect() {
    document.removeEventListener("stream-source:connected", this.#connected)
    document.removeEventListener("visibilitychange", this.#visibilityChanged)
  }

  messageTargetConnected(message) {
    const updated = Number(message.dataset.messageUpdatedAt)
    if (updated > (this.since ?? 0)) this.since = updated
  }

  #connected = event => {
    if (event.target.getAttribute("channel") === "RoomMessagesChannel") this.#refresh("connection")
  }

  #visibilityChanged = () => {
    if (document.hidden) {
      this.#hiddenAt = Date.now()
    } else {
      if (this.#hiddenAt && Date.now() - this.#hiddenAt > LONG_SLEEP) this.#refresh("visibility")
      this.#hiddenAt = null
    }
  }

  async #refresh(reason) {
    if (this.#asking) {
      this.#again = reason
      return
    }
    this.#asking = true
    try {
      const answer = await fetch(this.#address(reason), { headers: { Accept: "text/vnd.turbo-stream.html" } })
      if (answer.ok && !answer.redirected && this.element.isConnected) renderStreamMessage(await answer.text())
    } catch (error) {
      console.warn("What was missed could not be loaded.", error) // the next connection asks again
    } finally {
      this.#asking = false
    }
    if (this.#again && this.element.isConnected) {
      const reason = this.#again
      this.#again = null
      await this.#refresh(reason)
    }
  }

  #address(reason) {
    const url = new URL(this.urlValue, location.origin)
    url.searchParams.set("since", Math.floor(this.since ?? 0))
    url.searchParams.set("reason", reason)
    const ids = this.messageTargets.map(message => message.dataset.messageId).filter(Boolean).slice(-MOST_IDS)
    if (ids.length > 0) url.searchParams.set("ids", ids.join(","))
    return url
  }
}
