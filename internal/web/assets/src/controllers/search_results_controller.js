import { Controller } from "@hotwired/stimulus"
import { prepareBody } from "../lib/body.js"
import { foundRanges } from "../lib/found_words.js"
import { currentUserId } from "../lib/page.js"

// Found messages: each for itself, with the words marked, newest in view.
export default class extends Controller {
  static targets = ["message"]
  static values = { query: String }

  connect() {
    this.element.scrollTop = this.element.scrollHeight
  }

  messageTargetConnected(message) {
    const body = message.querySelector("[data-messages-target=body]")
    message.classList.toggle("message--me", message.dataset.userId === currentUserId())
    message.classList.add("message--formatted")
    if (!body) return
    prepareBody(body, currentUserId())
    if (this.queryValue) mark(body, this.queryValue)
  }
}

function mark(body, query) {
  const walker = document.createTreeWalker(body, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) texts.push(walker.currentNode)
  for (const text of texts) {
    if (text.parentElement.closest("mark")) continue
    for (const [start, end] of foundRanges(text.data, query).reverse()) {
      const range = document.createRange()
      range.setStart(text, start)
      range.setEnd(text, end)
      range.surroundContents(document.createElement("mark"))
    }
  }
}
