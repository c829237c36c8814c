const FORGET = 5000

// Typists remembers who is writing. Each start counts for five seconds.
export class Typists {
  #seen = new Map() // id → { id, name, at }

  start(person, now) {
    this.#seen.set(person.id, { ...person, at: now })
  }

  stop(id) {
    this.#seen.delete(id)
  }

  at(now) {
    for (const [id, { at }] of this.#seen) {
      if (now - at >= FORGET) this.#seen.delete(id)
    }
    return [...this.#seen.values()]
  }
}
