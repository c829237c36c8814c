import { connectStreamSource, disconnectStreamSource } from "@hotwired/turbo"
import { join } from "./cable.js"

// <turbo-cable-stream-source channel signed-stream-name> renders the turbo
// streams of one Action Cable stream. While the server confirms it, it has the
// attribute "connected"; each confirmation is announced as a bubbling event, so
// that the page can ask for what was said before it.
//
// An element that Turbo moves to the next page keeps its subscription: leaving
// the document only counts when it is still outside a moment later.
export class CableStreamSource extends HTMLElement {
  static observedAttributes = ["channel", "signed-stream-name"]
  #subscription = null

  connectedCallback() {
    if (this.#subscription) return
    connectStreamSource(this)
    this.#subscription = join(
      { channel: this.getAttribute("channel"), signed_stream_name: this.getAttribute("signed-stream-name") },
      {
        received: data => { if (this.isConnected) this.dispatchEvent(new MessageEvent("message", { data })) },
        connected: () => this.#confirmed(),
        disconnected: () => this.removeAttribute("connected")
      }
    )
  }

  disconnectedCallback() {
    setTimeout(() => { if (!this.isConnected) this.#leave() })
  }

  attributeChangedCallback(_name, before, after) {
    if (!this.#subscription || before === after) return
    this.#leave()
    if (this.isConnected) this.connectedCallback()
  }

  #confirmed() {
    this.setAttribute("connected", "")
    this.dispatchEvent(new CustomEvent("stream-source:connected", { bubbles: true }))
  }

  #leave() {
    this.#subscription?.leave()
    this.#subscription = null
    this.removeAttribute("connected")
    disconnectStreamSource(this)
  }
}

if (!customElements.get("turbo-cable-stream-source")) {
  customElements.define("turbo-cable-stream-source", CableStreamSource)
}

// A frame that reloads by morphing compares with markup that has never been connected.
document.addEventListener("turbo:before-morph-attribute", event => {
  if (event.target instanceof CableStreamSource && event.detail.attributeName === "connected") event.preventDefault()
})
