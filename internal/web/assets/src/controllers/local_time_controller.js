import { Controller } from "@hotwired/stimulus"
import { clock, dayAndClock, separator, title } from "../lib/times.js"

// Times in the reader's own zone. Day separators say Today and Yesterday, so
// they are written anew at midnight.
export default class extends Controller {
  static targets = ["time", "date"]

  connect() {
    this.#waitForMidnight()
  }

  disconnect() {
    clearTimeout(this.midnight)
  }

  timeTargetConnected(element) {
    this.#write(element, element.closest(".searches__results") ? dayAndClock : clock)
  }

  dateTargetConnected(element) {
    this.#write(element, separator)
  }

  #write(element, format) {
    const date = new Date(element.dateTime)
    if (Number.isNaN(date.getTime())) return
    element.textContent = format(date)
    element.title = title(date)
  }

  #waitForMidnight() {
    const next = new Date()
    next.setHours(24, 0, 1, 0)
    this.midnight = setTimeout(() => {
      this.dateTargets.forEach(element => this.dateTargetConnected(element))
      this.#waitForMidnight()
    }, next - Date.now())
  }
}
