import { compare, firstOfDay, threaded, valuesOf } from "./grouping.js"

const dated = node => isMessage(node) && Boolean(node.dataset.messageTimestamp)
const isMessage = node => node?.nodeType === Node.ELEMENT_NODE && node.classList.contains("message")

// MessageList is the element that holds a room's messages, in order, each once.
// It groups what stands together whenever something comes or goes.
export class MessageList {
  #element
  #userId
  #observer

  constructor(element, userId) {
    this.#element = element
    this.#userId = userId
  }

  start() {
    this.all.forEach(message => this.#format(message))
    // Observers run before the next paint, so nobody sees an ungrouped message.
    this.#observer = new MutationObserver(changes => this.#changed(changes))
    this.#observer.observe(this.#element, { childList: true })
  }

  stop() {
    this.#observer?.disconnect()
  }

  // settle groups what has changed at once, for those who measure.
  settle() {
    this.#changed(this.#observer.takeRecords())
  }

  get all() {
    return [...this.#element.children].filter(isMessage)
  }

  // persisted are those that the server has.
  get persisted() {
    return this.all.filter(message => message.dataset.messageId)
  }

  get first() {
    return this.persisted[0]
  }

  get last() {
    return this.persisted.at(-1)
  }

  mine(message) {
    return message.dataset.userId === this.#userId
  }

  // put adds a message or takes it in place of what has its id: of its pending
  // self, or of an older state. The answer says what happened: "added",
  // "replaced", or "kept" when it was there already.
  put(message) {
    const present = document.getElementById(message.id)
    if (!present || present.parentElement !== this.#element) {
      this.#insert(message)
      return "added"
    }
    if (present.dataset.messageId && !newer(message, present)) return "kept"
    const wasPending = !present.dataset.messageId
    present.replaceWith(message)
    if (wasPending) this.#insert(message)
    return "replaced"
  }

  // append and prepend take a page of messages that is in order.
  append(messages) {
    for (const message of messages) this.put(message)
  }

  prepend(messages) {
    const fresh = messages.filter(message => !this.#has(message))
    this.#element.prepend(...fresh)
  }

  // replaceAll shows another page. What is not sent yet stays.
  replaceAll(messages) {
    this.persisted.forEach(message => message.remove())
    const welcome = this.#element.querySelector(":scope > #system_welcome")
    if (welcome) welcome.after(...messages)
    else this.#element.prepend(...messages)
  }

  removeUnsent() {
    this.all.filter(message => message.matches(".pending, .message--failed:not([data-message-id])")).forEach(message => message.remove())
  }

  // trim leaves at most limit messages and removes from "start" or "end".
  trim(from, { above, to }) {
    const messages = this.persisted
    if (messages.length <= above) return false
    const extra = from === "start" ? messages.slice(0, messages.length - to) : messages.slice(to)
    extra.forEach(message => message.remove())
    return true
  }

  // removeAfter drops what comes later than a message.
  removeAfter(message) {
    const limit = valuesOf(message)
    this.persisted.filter(other => compare(valuesOf(other), limit) > 0).forEach(other => other.remove())
  }

  #has(message) {
    return document.getElementById(message.id)?.parentElement === this.#element
  }

  #insert(message) {
    const values = valuesOf(message)
    let after = this.#element.lastElementChild
    while (after && (after === message || (dated(after) && compare(valuesOf(after), values) > 0))) {
      after = after.previousElementSibling
    }
    if (!after) this.#element.prepend(message)
    else if (after.nextElementSibling !== message) after.after(message)
  }

  #changed(changes) {
    const touched = new Set()
    for (const { addedNodes, nextSibling } of changes) {
      addedNodes.forEach(node => touched.add(node))
      touched.add(nextSibling)
    }
    for (const node of [...touched]) touched.add(node?.nextElementSibling)
    for (const node of touched) {
      if (isMessage(node) && node.parentElement === this.#element) this.#format(node)
    }
  }

  #format(message) {
    if (!dated(message)) return // the welcome, or one that could not be shown
    const previous = message.previousElementSibling
    const before = isMessage(previous) ? valuesOf(previous) : null
    const values = valuesOf(message)
    const first = firstOfDay(before, values)
    message.classList.toggle("message--me", this.mine(message))
    message.classList.toggle("message--first-of-day", first)
    message.classList.toggle("message--threaded", !first && threaded(before, values))
    message.classList.add("message--formatted")
  }
}

function newer(message, present) {
  return Number(message.dataset.messageUpdatedAt) > Number(present.dataset.messageUpdatedAt)
}
