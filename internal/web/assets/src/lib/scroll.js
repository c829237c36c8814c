// Near the end means that a reader follows the conversation.
export const NEAR = 100

export function distanceToEnd({ scrollTop, scrollHeight, clientHeight }) {
  return Math.max(0, scrollHeight - clientHeight - scrollTop)
}

export function nearEnd(box, near = NEAR) {
  return distanceToEnd(box) <= near
}

// anchorOf picks the first row that is at least partly below the upper edge,
// and says how far from that edge it starts. Rows are in order: a binary search.
export function anchorOf(rows, top, rectOf = row => row.getBoundingClientRect()) {
  let low = 0, high = rows.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (rectOf(rows[middle]).bottom > top) high = middle
    else low = middle + 1
  }
  const row = rows[low]
  return row ? { row, offset: rectOf(row).top - top } : null
}

// Scroller keeps a list where its reader is.
export class Scroller {
  #list
  #settle
  #following = true // was near the end when last looked
  #cleanup = []

  // settle finishes what a change to the list sets going, so that it can be measured.
  constructor(list, settle = () => {}) {
    this.#list = list
    this.#settle = settle
  }

  start() {
    const watch = () => { this.#following = nearEnd(this.#list) }
    const follow = () => { if (this.#following) this.toEnd() }
    this.#list.addEventListener("scroll", watch, { passive: true })
    // Pictures that arrive, a composer that grows and a keyboard that opens
    // must not push the newest message out of sight.
    this.#list.addEventListener("load", follow, { capture: true })
    const resize = new ResizeObserver(follow)
    resize.observe(this.#list)
    this.#cleanup = [
      () => this.#list.removeEventListener("scroll", watch),
      () => this.#list.removeEventListener("load", follow, { capture: true }),
      () => resize.disconnect()
    ]
  }

  stop() {
    this.#cleanup.forEach(clean => clean())
    this.#cleanup = []
  }

  get nearEnd() {
    return nearEnd(this.#list)
  }

  toEnd() {
    this.#settle()
    this.#following = true
    this.#list.scrollTop = this.#list.scrollHeight
  }

  toCentre(row) {
    row.scrollIntoView({ block: "center" })
    this.#following = nearEnd(this.#list)
  }

  // keep runs change, which alters the list at once, and puts the reader back:
  // to the end when they were there, else to the row they look at.
  keep(change, { follow = true } = {}) {
    if (follow && this.nearEnd) {
      const result = change()
      this.#settle()
      this.toEnd()
      return result
    }
    const top = this.#list.getBoundingClientRect().top
    const anchors = [...this.#list.children].filter(row => row.offsetHeight > 0)
    const first = anchorOf(anchors, top)
    const start = first ? anchors.indexOf(first.row) : 0
    const before = anchors.slice(start, start + 20).map(row => [row, row.getBoundingClientRect().top])
    const result = change()
    this.#settle()
    const survivor = before.find(([row]) => row.isConnected)
    if (survivor) {
      this.#list.scrollTop += survivor[0].getBoundingClientRect().top - survivor[1]
    }
    return result
  }
}
