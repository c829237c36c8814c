// SendQueue sends one thing after another, in the order they were given: what
// somebody writes arrives in the order it was written. One that fails does not
// stop those behind it.
export class SendQueue {
  #send
  #busy
  #waiting = []
  #running = false

  // send does the work and may throw; busy is told true and false.
  constructor(send, busy = () => {}) {
    this.#send = send
    this.#busy = busy
  }

  // push answers when the item was sent or has failed; it never throws.
  push(item) {
    return new Promise(resolve => {
      this.#waiting.push({ item, resolve })
      if (!this.#running) this.#run()
    })
  }

  get length() {
    return this.#waiting.length + (this.#running ? 1 : 0)
  }

  async #run() {
    this.#running = true
    this.#busy(true)
    while (this.#waiting.length > 0) {
      const { item, resolve } = this.#waiting.shift()
      try {
        await this.#send(item)
        resolve({ ok: true })
      } catch (error) {
        resolve({ ok: false, error })
      }
    }
    this.#running = false
    this.#busy(false)
  }
}
