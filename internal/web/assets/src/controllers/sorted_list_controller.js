import { Controller } from "@hotwired/stimulus"
import { misplaced, order } from "../lib/order.js"

// Keeps a list in order when entries come, or when their number changes.
export default class extends Controller {
  static targets = ["item"]

  connect() {
    this.observer = new MutationObserver(() => this.#sort())
    this.observer.observe(this.element, { childList: true, subtree: true, attributeFilter: ["data-sorted-list-number", "data-sorted-list-name"] })
    this.#sort()
  }

  disconnect() {
    this.observer.disconnect()
  }

  #sort() {
    const entries = this.itemTargets.map(item => ({ item, ...valuesOf(item) }))
    if (!misplaced(entries)) return
    const focused = document.activeElement
    this.element.append(...entries.sort(order).map(({ item }) => item))
    if (this.element.contains(focused) && document.activeElement !== focused) focused.focus({ preventScroll: true })
  }
}

function valuesOf({ dataset }) {
  const number = dataset.sortedListNumber
  return { number: number === undefined ? null : Number(number), name: dataset.sortedListName ?? "" }
}
