import { attachmentParts, emojiOnly, soundName } from "./text.js"
import { element, icon } from "./page.js"

// Pending makes the message that its writer sees until the server has answered.
// The page's template holds a whole message; its ids end in a placeholder.
export class Pending {
  #template

  constructor(template) {
    this.#template = template
  }

  build({ clientId, html, text, now = new Date() }) {
    const holder = document.createElement("template")
    holder.innerHTML = this.#template.innerHTML.replaceAll("__client_message_id__", clientId)
    const message = holder.content.firstElementChild
    message.dataset.messageTimestamp = now.getTime()
    message.querySelectorAll("time").forEach(time => { time.dateTime = now.toISOString() })
    message.classList.toggle("message--emoji", emojiOnly(text))
    const body = message.querySelector(".lexxy-content") ?? message.querySelector("[data-messages-target=body]")
    const sound = soundName(text)
    if (sound) body.textContent = `Playing ${sound}…`
    else body.replaceChildren(...readable(html))
    return message
  }
}

// fail says that a message was not sent, and what one can do.
export function fail(message, reason, { retry, discard }) {
  message.classList.remove("pending")
  message.classList.add("message--failed")
  const again = element("button", { type: "button", class: "btn btn--text" }, "Try again")
  const drop = element("button", { type: "button", class: "btn btn--text muted" }, "Discard")
  const state = element("div", { class: "message__state", role: "status" },
    element("span", {}, icon("alert", "icon icon--small"), reason), again, drop)
  again.addEventListener("click", () => { unfail(message); retry() })
  drop.addEventListener("click", () => { message.remove(); discard() })
  message.querySelector(".message__state")?.remove()
  ;(message.querySelector(".message__body") ?? message).append(state)
}

function unfail(message) {
  message.classList.remove("message--failed")
  message.classList.add("pending")
  message.querySelector(".message__state")?.remove()
}

// readable turns the editor's value into what will be shown: a mention as the
// person's name, other attachments as their text.
function readable(html) {
  const parsed = new DOMParser().parseFromString(html, "text/html")
  for (const attachment of parsed.querySelectorAll("action-text-attachment")) {
    const { text, face } = attachmentParts(attachment.getAttribute("content") ?? "")
    const mention = attachment.getAttribute("content-type")?.endsWith(".mention")
    if (mention) attachment.replaceWith(element("span", { class: "mention" }, ...(face ? [element("img", { class: "avatar", alt: "", src: face })] : []), text))
    else attachment.replaceWith(text)
  }
  return [...parsed.body.childNodes].map(node => document.importNode(node, true))
}
