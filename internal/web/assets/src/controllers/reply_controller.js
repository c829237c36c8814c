import { Controller } from "@hotwired/stimulus"
import { quote } from "../lib/quote.js"

export default class extends Controller {
  static targets = ["author", "link", "body", "permalink"]
  static outlets = ["composer"]

  reply() {
    if (!this.hasComposerOutlet) return
    this.composerOutlet.quote(quote({
      body: this.bodyTarget.querySelector(".lexxy-content, .trix-content") ?? this.bodyTarget,
      author: this.authorTarget.textContent.trim(),
      permalink: this.#permalink
    }))
  }

  get #permalink() {
    const link = this.hasPermalinkTarget ? this.permalinkTarget : this.linkTarget
    return new URL(link.getAttribute("href"), location.origin).href
  }
}
