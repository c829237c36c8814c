import { Controller } from "@hotwired/stimulus"
import { prepareBody } from "../lib/body.js"
import { MessageList } from "../lib/message_list.js"
import { currentUserId, isTouchDevice, prefersReducedMotion } from "../lib/page.js"
import { PAGE, Pages } from "../lib/pages.js"
import { Pending } from "../lib/pending.js"
import { Scroller } from "../lib/scroll.js"
import { newMessages } from "../lib/text.js"

const LIMIT = { above: 320, to: 300 }

// The messages of a room: what comes in live, older and newer pages, and where
// the reader is.
//
// Nothing is appended while the newest page is not loaded: a message after a
// gap would hide the gap for ever. It is counted, and found again by paging.
export default class extends Controller {
  static targets = ["template", "messages", "message", "body", "latest", "count", "label"]
  static values = { pageUrl: String, newest: { type: Boolean, default: true } }

  #held = null   // what came in while the next page was on its way
  #unseen = 0    // new messages that the reader has not scrolled to
  #more = false  // and there are more than were counted
  #heardOf = new Set() // ids of those that came in and aren't on the page
  #older = true  // there may be older messages
  #loading = { older: false, newer: false }

  initialize() {
    this.beforeStream = this.beforeStream.bind(this)
  }

  connect() {
    this.list = new MessageList(this.messagesTarget, currentUserId())
    this.scroller = new Scroller(this.messagesTarget, () => this.list.settle())
    this.pages = new Pages(this.pageUrlValue)
    this.list.removeUnsent() // of a page from Turbo's cache; the composer knows what is unsent now
    this.list.start()
    this.#showPlace()
    this.scroller.start()
    this.#older = this.list.persisted.length >= PAGE
    this.#watchEnds()
    this.#onScroll = () => this.#seen()
    this.messagesTarget.addEventListener("scroll", this.#onScroll, { passive: true })
    document.addEventListener("turbo:before-stream-render", this.beforeStream)
    this.element.addEventListener("turbo:frame-render", this.#frameRendered)
    this.element.addEventListener("turbo:before-frame-render", this.#beforeFrameRender)
    this.#updatePill()
  }

  disconnect() {
    document.removeEventListener("turbo:before-stream-render", this.beforeStream)
    this.element.removeEventListener("turbo:frame-render", this.#frameRendered)
    this.element.removeEventListener("turbo:before-frame-render", this.#beforeFrameRender)
    this.messagesTarget.removeEventListener("scroll", this.#onScroll)
    this.ends.disconnect()
    this.scroller.stop()
    this.list.stop()
  }

  bodyTargetConnected(body) {
    prepareBody(body, currentUserId())
  }

  // For the composer.

  get atNewest() {
    return this.newestValue
  }

  // showNewest makes sure that the list ends with the newest message.
  async showNewest() {
    if (!this.newestValue) await this.#loadLast()
    this.scroller.toEnd()
    this.#seen()
  }

  insertPending({ clientId, html, text }) {
    this.list.put(new Pending(this.templateTarget).build({ clientId, html, text }))
    this.scroller.toEnd()
  }

  find(clientId) {
    return document.getElementById(`message_${clientId}`)
  }

  editLast() {
    if (!this.newestValue) return false
    const last = this.list.persisted.findLast(message => this.list.mine(message) && message.querySelector(".message__edit-btn"))
    last?.querySelector(".message__edit-btn").click()
    return Boolean(last)
  }

  // Actions

  async returnToLatest() {
    await this.showNewest()
  }

  // Live changes

  beforeStream(event) {
    const stream = event.detail.newStream
    if (stream.action === "append" && stream.target === this.messagesTarget.id) {
      event.detail.render = async stream => this.#receive([...stream.templateContent.children])
    } else if (stream.hasAttribute("maintain_scroll") || this.#touches(stream)) {
      const render = event.detail.render
      event.detail.render = stream => this.scroller.keep(() => this.#carefully(stream, render))
    }
  }

  #touches(stream) {
    try {
      return stream.targetElements.some(target => this.messagesTarget.contains(target))
    } catch {
      return false
    }
  }

  // A whole message that is replaced while somebody edits it or types a boost
  // on it only takes the new text: what is half typed stays.
  #carefully(stream, render) {
    const target = stream.targetElements[0]
    const busy = stream.action === "replace" && target?.classList.contains("message") && target.querySelector("lexxy-editor, .boost__form")
    if (!busy) return render(stream)
    const fresh = stream.templateContent.querySelector("[data-messages-target=body]")
    const old = target.querySelector("[data-messages-target=body]")
    if (fresh && old) old.replaceWith(fresh)
  }

  #receive(elements) {
    const messages = elements.filter(element => element.classList.contains("message"))
    if (messages.some(message => document.getElementById(message.id))) this.#quietly()
    const missedMore = messages.length >= PAGE
    const follow = this.scroller.nearEnd && !missedMore
    const change = () => messages.reduce((added, message) => added + this.#take(message), 0)
    const added = follow ? change() : this.scroller.keep(change, { follow: false })
    if (missedMore) this.#leaveNewest(messages.at(-1))
    if (follow && this.newestValue) {
      this.scroller.toEnd()
      if (this.list.trim("start", LIMIT)) this.#older = true
      this.scroller.toEnd()
    } else {
      this.#unseen += added
      this.#more ||= missedMore
    }
    this.#watchEnds()
    this.#seen()
  }

  // take answers 1 for a message that is new to the reader.
  #take(message) {
    const present = document.getElementById(message.id)
    if (!present && !this.newestValue) {
      this.#held?.push(message)
      return this.#hearOf(message) && !this.list.mine(message) ? 1 : 0
    }
    return this.list.put(message) === "added" && !this.list.mine(message) ? 1 : 0
  }

  // What stands after a gap comes with every catch-up, and what was written
  // just before the page was made comes with the first.
  #hearOf({ dataset }) {
    const loadedAt = Number(this.messagesTarget.dataset.refreshRoomLoadedAtValue)
    if (Number(dataset.messageTimestamp) <= loadedAt || this.#heardOf.has(dataset.messageId)) return false
    this.#heardOf.add(dataset.messageId)
    return true
  }

  // A catch-up holds the forty oldest of what was missed. If it is full there
  // is more, and whatever stands after it stands after a gap.
  #leaveNewest(last) {
    if (document.getElementById(last.id)) this.list.removeAfter(last)
    this.newestValue = false
  }

  // What replaces its own pending self was read out already.
  #quietly() {
    this.messagesTarget.setAttribute("aria-live", "off")
    clearTimeout(this.quiet)
    this.quiet = setTimeout(() => this.messagesTarget.removeAttribute("aria-live"), 800)
  }

  // Paging

  #watchEnds() {
    this.ends ??= new IntersectionObserver(entries => this.#endsSeen(entries), { root: this.messagesTarget, rootMargin: "600px 0px" })
    this.ends.disconnect()
    const { first, last } = this.list
    if (first && this.#older) this.ends.observe(first)
    if (last && !this.newestValue) this.ends.observe(last)
  }

  #endsSeen(entries) {
    const seen = entries.filter(entry => entry.isIntersecting).map(entry => entry.target)
    if (seen.includes(this.list.first)) this.#loadOlder()
    if (seen.includes(this.list.last)) this.#loadNewer()
  }

  async #loadOlder() {
    await this.#load("older", async () => {
      const page = await this.pages.before(this.list.first.dataset.messageId)
      this.#older = page.length > 0
      this.#pauseMomentum()
      this.scroller.keep(() => this.list.prepend(page), { follow: false })
      if (this.list.trim("end", LIMIT)) this.newestValue = false
    })
  }

  async #loadNewer() {
    if (this.newestValue) return
    await this.#load("newer", async () => {
      this.#held = []
      const page = await this.pages.after(this.list.last.dataset.messageId)
      this.list.append(page)
      if (page.length < PAGE) this.#becomeNewest()
      this.#held = null
      this.scroller.keep(() => { if (this.list.trim("start", LIMIT)) this.#older = true }, { follow: false })
    })
  }

  async #loadLast() {
    this.#held = []
    try {
      this.#quietly()
      const page = await this.pages.last
      this.list.replaceAll(page)
      this.#older = page.length >= PAGE
      this.#becomeNewest()
    } catch (error) {
      console.warn("The newest messages could not be loaded.", error)
    }
    this.#held = null
    this.#watchEnds()
  }

  // One page a direction at a time; a page that fails is asked for again when
  // its end comes into view.
  async #load(direction, work) {
    if (this.#loading[direction]) return
    this.#loading[direction] = true
    let failed = false
    try {
      this.#quietly()
      await work()
    } catch (error) {
      failed = true
      console.warn("A page of messages could not be loaded.", error)
    } finally {
      this.#loading[direction] = false
    }
    if (failed) setTimeout(() => this.element.isConnected && this.#watchEnds(), 3000)
    else this.#watchEnds()
    this.#seen()
  }

  // What came in while the last page was on its way belongs after it.
  #becomeNewest() {
    this.newestValue = true
    this.#heardOf.clear()
    for (const message of this.#held ?? []) this.list.put(message)
  }

  // Phones throw the scrolled list past what was put before it.
  #pauseMomentum() {
    if (!matchMedia("(any-pointer: coarse)").matches) return
    this.messagesTarget.style.overflow = "hidden"
    requestAnimationFrame(() => { this.messagesTarget.style.overflow = "" })
  }

  // The reader's place

  #showPlace() {
    const id = location.pathname.match(/\/@(\d+)$/)?.[1]
    const linked = id && this.list.persisted.find(message => message.dataset.messageId === id)
    if (linked) {
      this.newestValue = false
      linked.classList.add("search-highlight")
      this.scroller.toCentre(linked)
    } else {
      this.scroller.toEnd()
    }
  }

  #seen() {
    if (this.newestValue && this.scroller.nearEnd) {
      this.#unseen = 0
      this.#more = false
    }
    this.#updatePill()
  }

  #updatePill() {
    if (!this.hasLatestTarget) return
    const text = newMessages(this.#unseen, this.#more)
    this.latestTarget.hidden = this.newestValue && this.#unseen === 0
    this.countTarget.textContent = text
    this.labelTarget.classList.toggle("for-screen-reader", text !== "")
  }

  #onScroll = null

  // An edit form scrolls into view; leaving it keeps the place, and one goes on
  // writing in the composer.
  #beforeFrameRender = event => {
    if (!event.target.id.startsWith("edit_message_")) return
    const render = event.detail.render
    this.#editing = editorOf(event.target) !== null
    event.detail.render = (current, fresh) => this.scroller.keep(() => render(current, fresh))
  }

  #frameRendered = event => {
    if (!event.target.id.startsWith("edit_message_")) return
    const editor = editorOf(event.target)
    if (editor) editor.scrollIntoView({ block: "center", behavior: prefersReducedMotion() ? "auto" : "smooth" })
    else if (this.#editing && !isTouchDevice()) document.querySelector("#composer lexxy-editor")?.focus()
    this.#editing = false
  }

  #editing = false
}

function editorOf(frame) {
  return frame.querySelector(".message__body-content--editing")
}
