import { Controller } from "@hotwired/stimulus"

// The switch "Everyone" leads to the form of the other kind of room.
export default class extends Controller {
  visit() {
    this.element.click()
  }
}
