// What the page's head says about itself and its viewer.

const meta = name => document.head.querySelector(`meta[name="${name}"]`)?.content || null

export const currentUserId = () => meta("current-user-id")
export const currentRoomId = () => meta("current-room-id")
export const csrfToken = () => meta("csrf-token")

// A touch device is one whose only pointers are fingers. A laptop with a touch
// screen has a keyboard with an Enter key that its owner expects to send.
export const isTouchDevice = () => matchMedia("(any-pointer: coarse)").matches && !matchMedia("(any-pointer: fine)").matches

export const prefersReducedMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches

// An icon of the sprite that the page's own markup uses.
export function icon(name, className = "icon") {
  const sprite = document.querySelector("svg use[href*='#i-']")?.getAttribute("href").split("#")[0] ?? ""
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg")
  svg.setAttribute("class", className)
  svg.setAttribute("aria-hidden", "true")
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use")
  use.setAttribute("href", `${sprite}#i-${name}`)
  svg.append(use)
  return svg
}

export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value)
  made.append(...children)
  return made
}
