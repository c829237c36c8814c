import { Controller } from "@hotwired/stimulus"
import { element, currentUserId, icon } from "../lib/page.js"
import { rank } from "../lib/people_rank.js"
import { decodeEntities } from "../lib/text.js"

const PAUSE = 300

// Chooses people by name: suggestions while one types, the chosen as pills.
export default class extends Controller {
  static targets = ["select", "input", "pills"]
  static values = { url: String }

  #people = []
  #selected = 0
  #request = null

  connect() {
    this.inputTarget.setAttribute("autocomplete", "off")
    this.inputTarget.setAttribute("role", "combobox")
    this.inputTarget.setAttribute("aria-expanded", "false")
    this.inputTarget.setAttribute("aria-autocomplete", "list")
    this.inputTarget.addEventListener("input", this.#typed)
    this.inputTarget.addEventListener("keydown", this.#keydown)
    this.inputTarget.addEventListener("blur", this.#left)
    addEventListener("resize", this.#hide)
    this.#changed()
    this.inputTarget.focus()
  }

  disconnect() {
    clearTimeout(this.timer)
    this.#request?.abort()
    this.#hide()
    this.inputTarget.removeEventListener("input", this.#typed)
    this.inputTarget.removeEventListener("keydown", this.#keydown)
    this.inputTarget.removeEventListener("blur", this.#left)
    removeEventListener("resize", this.#hide)
  }

  #typed = () => {
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.#search(), PAUSE)
  }

  async #search() {
    const query = this.inputTarget.value.trim()
    this.#request?.abort()
    if (!query) return this.#hide()
    const request = this.#request = new AbortController()
    try {
      const url = new URL(this.urlValue, location.origin)
      url.searchParams.set("query", query)
      const answer = await fetch(url, { headers: { Accept: "application/json" }, signal: request.signal })
      if (!answer.ok || answer.redirected) return this.#hide()
      const people = (await answer.json()).map(person => ({ id: String(person.value), name: decodeEntities(person.name), face: person.avatar_url }))
      const taken = [...this.selectTarget.options].map(option => option.value).concat(currentUserId())
      this.#people = rank(people.filter(person => !taken.includes(person.id)), query)
      this.#show()
    } catch (error) {
      if (error.name !== "AbortError") this.#hide()
    }
  }

  // The list of suggestions

  #show() {
    this.#hide()
    if (this.#people.length === 0) return
    const id = `${this.inputTarget.id}_suggestions`
    this.list = element("suggestion-select", { id, role: "listbox", "aria-live": "assertive", class: "autocomplete__list" })
    this.#people.forEach((person, i) => this.list.append(this.#option(person, i)))
    document.body.append(this.list)
    this.inputTarget.setAttribute("aria-controls", id)
    this.inputTarget.setAttribute("aria-expanded", "true")
    this.#place()
    this.#select(0)
  }

  #option(person, i) {
    const option = element("suggestion-option", { role: "option", value: person.id, id: `${this.inputTarget.id}_suggestion_${person.id}`, class: "autocomplete__item" },
      faceOf(person), element("span", { class: "autocompletable__name" }, person.name))
    option.addEventListener("pointerdown", event => event.preventDefault()) // keeps the focus in the field
    option.addEventListener("click", () => { this.#select(i); this.#choose() })
    return option
  }

  #place() {
    const field = this.inputTarget.getBoundingClientRect()
    const style = this.list.style
    style.insetInlineStart = `${Math.max(8, Math.min(field.left, innerWidth - this.list.offsetWidth - 8))}px`
    const below = innerHeight - field.bottom
    if (below < this.list.offsetHeight + 8 && field.top > below) style.insetBlockEnd = `${innerHeight - field.top + 4}px`
    else style.insetBlockStart = `${field.bottom + 4}px`
  }

  #hide = () => {
    this.list?.remove()
    this.list = null
    this.inputTarget.setAttribute("aria-expanded", "false")
    this.inputTarget.removeAttribute("aria-activedescendant")
  }

  #left = () => {
    setTimeout(() => { if (document.activeElement !== this.inputTarget) this.#hide() }, 100)
  }

  #select(i) {
    if (!this.list) return
    const options = [...this.list.children]
    this.#selected = (i + options.length) % options.length
    options.forEach((option, n) => option.setAttribute("aria-selected", n === this.#selected))
    options[this.#selected].scrollIntoView({ block: "nearest" })
    this.inputTarget.setAttribute("aria-activedescendant", options[this.#selected].id)
  }

  #keydown = event => {
    if (event.isComposing) return
    if (event.key === "Backspace" && this.inputTarget.value === "") return this.#remove([...this.selectTarget.options].at(-1)?.value)
    if (!this.list) return
    switch (event.key) {
      case "ArrowDown": this.#select(this.#selected + 1); break
      case "ArrowUp": this.#select(this.#selected - 1); break
      case "Enter": case "Tab": case ",": this.#choose(); break
      case "Escape": this.#hide(); event.stopPropagation(); break
      default: return
    }
    event.preventDefault()
  }

  // The chosen

  #choose() {
    const person = this.#people[this.#selected]
    if (!person) return
    this.selectTarget.append(new Option(person.name, person.id, true, true))
    this.#pillBox.append(this.#pill(person))
    this.inputTarget.value = ""
    this.#hide()
    this.#changed()
    this.inputTarget.focus()
  }

  #pill(person) {
    const remove = element("button", { type: "button", class: "btn autocompletable__unselect" },
      icon("close", "icon icon--small"), element("span", { class: "for-screen-reader" }, `Remove ${person.name}`))
    remove.addEventListener("click", () => this.#remove(person.id))
    return element("span", { class: "autocomplete__pill", "data-value": person.id },
      faceOf(person), element("span", { class: "autocompletable__name" }, person.name), remove)
  }

  #remove(id) {
    if (!id) return
    ;[...this.selectTarget.options].filter(option => option.value === id).forEach(option => option.remove())
    this.element.querySelectorAll(".autocomplete__pill").forEach(pill => { if (pill.dataset.value === id) pill.remove() })
    this.#changed()
    this.inputTarget.focus()
  }

  get #pillBox() {
    return this.hasPillsTarget ? this.pillsTarget : this.inputTarget.parentElement
  }

  #changed() {
    const none = this.selectTarget.options.length === 0
    this.element.querySelectorAll("button[type=submit]").forEach(button => { button.disabled = none })
  }
}

function faceOf({ face }) {
  return element("img", { src: face, alt: "", class: "avatar", width: "28", height: "28", loading: "lazy" })
}
