import { Controller } from "@hotwired/stimulus"
import { subscribe } from "../lib/cable.js"
import { currentRoomId } from "../lib/page.js"

const LONG_SLEEP = 60_000
const PICKER = "#direct_rooms_control"

// The sidebar's rooms: which has news, which is open. The frame outlives pages.
//
// It is loaded again once for the first connection and once for each later one,
// since nothing was heard in between; never while its first load is under way,
// and never after the frame has left the page. A new ping that somebody is
// choosing people for stays as it is.
export default class extends Controller {
  static targets = ["room"]

  #loaded = false
  #wanted = false   // a reload that waits for the load under way
  #reloading = false
  #hiddenAt = null
  #askedFor = new Set()

  connect() {
    this.#loaded = this.element.hasAttribute("complete")
    this.#listen()
    this.element.addEventListener("turbo:before-frame-render", this.#beforeRender)
    this.element.addEventListener("turbo:before-morph-element", this.#beforeMorph)
    this.element.addEventListener("turbo:frame-load", this.#frameLoaded)
    this.element.addEventListener("turbo:submit-start", this.#submitted)
    document.addEventListener("turbo:load", this.#pageLoaded)
    document.addEventListener("visibilitychange", this.#visibilityChanged)
    this.#pageLoaded()
  }

  disconnect() {
    setTimeout(() => { if (!this.element.isConnected) this.#deafen() }) // else it was moved to the next page
    this.element.removeEventListener("turbo:before-frame-render", this.#beforeRender)
    this.element.removeEventListener("turbo:before-morph-element", this.#beforeMorph)
    this.element.removeEventListener("turbo:frame-load", this.#frameLoaded)
    this.element.removeEventListener("turbo:submit-start", this.#submitted)
    document.removeEventListener("turbo:load", this.#pageLoaded)
    document.removeEventListener("visibilitychange", this.#visibilityChanged)
  }

  // A room that comes in live may be the open one.
  roomTargetConnected(room) {
    this.#markCurrent(room)
  }

  #listen() {
    this.unreads ??= subscribe("UnreadRoomsChannel", {
      connected: () => this.#reload(),
      received: ({ roomId }) => this.#unread(roomId)
    })
    this.reads ??= subscribe("ReadRoomsChannel", { received: ({ room_id }) => this.#read(room_id) })
  }

  #deafen() {
    this.unreads?.unsubscribe()
    this.reads?.unsubscribe()
    this.unreads = this.reads = null
  }

  #unread(id) {
    const rooms = this.#roomsOf(id)
    if (rooms.length === 0) return this.#lookFor(id)
    for (const room of rooms) {
      if (String(id) !== currentRoomId()) room.classList.add("unread")
      if (room.dataset.sortedListNumber) room.dataset.sortedListNumber = Date.now()
    }
    this.dispatch("changed")
  }

  // A room that is not in the list became ours just now, or is one that its
  // member hid: asking once tells.
  #lookFor(id) {
    if (this.#askedFor.has(id)) return
    this.#askedFor.add(id)
    this.#reload()
  }

  #read(id) {
    this.#roomsOf(id).forEach(room => room.classList.remove("unread"))
    this.dispatch("changed")
  }

  #roomsOf(id) {
    return this.roomTargets.filter(room => room.dataset.roomId === String(id))
  }

  #markCurrent(room, id = currentRoomId()) {
    const current = id !== null && room.dataset.roomId === id
    if (current) {
      room.setAttribute("aria-current", "page")
      room.classList.remove("unread")
    } else {
      room.removeAttribute("aria-current")
    }
  }

  #pageLoaded = () => {
    this.roomTargets.forEach(room => this.#markCurrent(room))
    this.dispatch("changed")
  }

  // Loading

  #reload() {
    if (!this.element.isConnected) return
    if (!this.#loaded || this.#reloading) {
      this.#wanted = true
      return
    }
    this.#wanted = false
    this.#reloading = true
    Promise.resolve(this.element.reload()).catch(() => {}).finally(() => {
      this.#reloading = false
      if (this.#wanted) this.#reload()
    })
  }

  #frameLoaded = event => {
    if (event.target !== this.element) return
    this.#pageLoaded()
    // Turbo tells before it has finished; only then can it load again.
    this.element.loaded.then(() => {
      this.#loaded = true
      if (this.#wanted) this.#reload()
    })
  }

  #beforeRender = event => {
    if (event.target !== this.element) return
    event.detail.newFrame.querySelectorAll("[data-room-id]").forEach(room => this.#markCurrent(room))
  }

  #beforeMorph = event => {
    if (event.target.matches(PICKER) && event.target.querySelector("form.directs--new, form[data-controller~=autocomplete]")) event.preventDefault()
  }

  // A form's answer shall show in the sidebar of the next page.
  #submitted = () => {
    this.element.removeAttribute("data-turbo-permanent")
  }

  #visibilityChanged = () => {
    if (document.hidden) {
      this.#hiddenAt = Date.now()
    } else {
      if (this.#hiddenAt && Date.now() - this.#hiddenAt > LONG_SLEEP) this.#reload()
      this.#hiddenAt = null
    }
  }
}
