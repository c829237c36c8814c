import { Controller } from "@hotwired/stimulus"
import { renderStreamMessage } from "@hotwired/turbo"
import { connection } from "../lib/cable.js"
import { Outbox } from "../lib/outbox.js"
import { csrfToken, isTouchDevice } from "../lib/page.js"
import { fail } from "../lib/pending.js"
import { SendQueue } from "../lib/send_queue.js"
import { clientId } from "../lib/text.js"

const PATIENCE = 5000      // without a connection before the composer closes
const SEND_TIMEOUT = 30_000
const RICH_TEXT = "composer--rich-text"
const NOT_SENT = "Not sent. Your text is kept."

const outbox = new Outbox(sessionStorage)

export default class extends Controller {
  static targets = ["fields", "text", "clientId", "richText", "state"]
  static outlets = ["messages"]
  static values = { roomId: Number }

  initialize() {
    this.queue = new SendQueue(item => this.#deliver(item), busy => this.#busy(busy))
    this.shown = Promise.resolve() // the pending messages appear in order, too
  }

  connect() {
    this.element.addEventListener("keydown", this.#keydown, { capture: true })
    document.addEventListener("keydown", this.#pageKeydown)
    connection.addEventListener("up", this.#up)
    connection.addEventListener("down", this.#down)
    if (!connection.up) this.#down()
    this.#whenReady(() => { if (!isTouchDevice() && nothingFocused()) this.textTarget.focus() })
  }

  disconnect() {
    this.element.removeEventListener("keydown", this.#keydown, { capture: true })
    document.removeEventListener("keydown", this.#pageKeydown)
    connection.removeEventListener("up", this.#up)
    connection.removeEventListener("down", this.#down)
    clearTimeout(this.closing)
  }

  // Actions

  submit(event) {
    event.preventDefault()
    if (this.fieldsTarget.disabled || this.#blank) return
    const message = { clientId: clientId(), html: this.textTarget.value, text: this.textTarget.toString() }
    this.#clear()
    this.shown = this.shown.then(() => this.#show(message))
  }

  toggleRichText() {
    this.#richText = !this.element.classList.contains(RICH_TEXT)
    this.textTarget.focus()
  }

  // For the reply controller.
  quote(html) {
    this.textTarget.value = html
    this.textTarget.focus()
    this.textTarget.selection?.placeCursorAtTheEnd?.()
  }

  // Sending

  async #show(message) {
    await this.messagesOutlet.showNewest()
    this.messagesOutlet.insertPending(message)
    this.#send(message)
  }

  #send(message) {
    this.#await(message, outbox.send(this.roomIdValue, message, item => this.queue.push(item)))
  }

  async #await(message, sending) {
    const { ok, error } = await sending
    if (!ok) this.#fail(message, error?.sentence)
  }

  #fail(message, reason = NOT_SENT) {
    const pending = this.hasMessagesOutlet && this.messagesOutlet.find(message.clientId)
    if (!pending) return // they left the room; it is there when they come back
    if (pending.dataset.messageId) return outbox.forget(this.roomIdValue, message.clientId) // it had arrived after all
    fail(pending, reason, {
      retry: () => this.#send(message),
      discard: () => {
        outbox.forget(this.roomIdValue, message.clientId)
        this.textTarget.focus()
      }
    })
  }

  // What was written on an earlier visit and has not arrived is shown again. An
  // outlet is announced before it has connected, so this waits for that.
  messagesOutletConnected(messages) {
    queueMicrotask(() => { if (this.hasMessagesOutlet) this.#recall(messages) })
  }

  #recall(messages) {
    for (const { message, answer } of outbox.unsent(this.roomIdValue)) {
      if (!messages.find(message.clientId)) messages.insertPending(message)
      if (answer) this.#await(message, answer)
      else this.#fail(message)
    }
  }

  // deliver posts one message. The client id is the same at every attempt, so
  // that the server can tell a repeated post from a second one.
  async #deliver({ clientId, html }) {
    this.clientIdTarget.value = clientId
    const body = new FormData()
    body.set("message[body]", html)
    body.set("message[client_message_id]", clientId)
    const answer = await fetch(this.element.action, {
      method: "POST",
      body,
      headers: { Accept: "text/vnd.turbo-stream.html, text/html", "X-CSRF-Token": csrfToken() ?? "" },
      signal: AbortSignal.timeout(SEND_TIMEOUT)
    })
    const text = await answer.text()
    if (answer.redirected) throw refused("Not sent: you are signed out. Your text is kept while this tab is open.")
    if (answer.headers.get("Content-Type")?.startsWith("text/vnd.turbo-stream.html") && answer.ok) return renderStreamMessage(text)
    if (answer.ok) return this.#replaceFrame(text, clientId)
    if (answer.status === 413) throw refused("Not sent: the message is too long. Your text is kept.")
    if (answer.status === 429) throw refused("Not sent: too much at once. Your text is kept.")
    throw refused(NOT_SENT)
  }

  // The room is gone: the answer takes the composer's place.
  #replaceFrame(html, clientId) {
    const frame = new DOMParser().parseFromString(html, "text/html").querySelector("turbo-frame#composer-frame")
    if (!frame) throw refused(NOT_SENT)
    this.messagesOutlet.find(clientId)?.classList.add("message--failed")
    document.getElementById("composer-frame")?.replaceChildren(...frame.childNodes)
  }

  // Keys

  #keydown = event => {
    if (event.key !== "Enter" || event.isComposing || event.keyCode === 229) return
    if (!event.target.closest("[contenteditable]") || !this.textTarget.contains(event.target)) return
    if (this.textTarget.hasOpenPrompt || !this.#sends(event)) return
    event.preventDefault()
    event.stopPropagation()
    this.element.requestSubmit()
  }

  #sends({ ctrlKey, metaKey, shiftKey }) {
    if (isTouchDevice()) return false
    if (ctrlKey || metaKey) return true
    return !shiftKey && !this.element.classList.contains(RICH_TEXT)
  }

  // Up edits my last message, unless it moves in something else.
  #pageKeydown = event => {
    if (event.key !== "ArrowUp" || event.defaultPrevented || event.isComposing) return
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return
    const inComposer = this.textTarget.contains(document.activeElement)
    if ((!inComposer && !nothingFocused()) || !this.#blank || this.textTarget.hasOpenPrompt) return
    if (this.hasMessagesOutlet && this.messagesOutlet.editLast()) event.preventDefault()
  }

  // State

  get #blank() {
    return this.textTarget.isBlank !== false
  }

  set #richText(open) {
    this.element.classList.toggle(RICH_TEXT, open)
    if (this.hasRichTextTarget) this.richTextTarget.setAttribute("aria-pressed", open)
  }

  #busy(busy) {
    if (busy) this.element.setAttribute("aria-busy", "true")
    else this.element.removeAttribute("aria-busy")
  }

  #clear() {
    this.#richText = false
    this.element.reset()
    if (!isTouchDevice() || document.activeElement !== document.body) this.textTarget.focus()
  }

  #up = () => {
    clearTimeout(this.closing)
    this.#close(false)
  }

  #down = () => {
    clearTimeout(this.closing)
    this.closing = setTimeout(() => this.#close(true), PATIENCE)
  }

  #close(closed) {
    const typing = this.textTarget.contains(document.activeElement)
    if (this.fieldsTarget.disabled === closed) return
    this.fieldsTarget.disabled = closed
    this.textTarget.editor?.setEditable?.(!closed)
    if (this.hasStateTarget) this.stateTarget.textContent = closed ? "No connection right now. Your text is kept; send it when the connection is back." : ""
    if (typing && closed) this.wasTyping = true
    if (!closed && this.wasTyping) {
      this.wasTyping = false
      this.textTarget.focus()
    }
  }

  // The editor is defined by a bundle of its own, which may come later.
  #whenReady(then) {
    if (this.textTarget.editor) requestAnimationFrame(then)
    else this.textTarget.addEventListener("lexxy:initialize", then, { once: true })
  }
}

function refused(sentence) {
  return Object.assign(new Error(sentence), { sentence })
}

function nothingFocused() {
  return document.activeElement === document.body || document.activeElement === null
}
