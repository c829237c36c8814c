import { Controller } from "@hotwired/stimulus"

export default class extends Controller {
  static targets = ["cancel", "submit"]

  submit(event) {
    if (event.isComposing) return
    if (event.type === "keydown") event.preventDefault()
    const form = this.element.matches("form") ? this.element : this.element.querySelector("form")
    if (this.hasSubmitTarget && this.submitTarget.form) this.submitTarget.form.requestSubmit(this.submitTarget)
    else form?.requestSubmit()
  }

  cancel(event) {
    if (event.isComposing || event.defaultPrevented) return
    event.preventDefault()
    event.stopPropagation()
    if (this.hasCancelTarget) this.cancelTarget.click()
  }
}
