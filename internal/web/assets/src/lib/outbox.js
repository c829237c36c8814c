// Outbox keeps what somebody wrote until the server has it, whatever page they
// are on: sending goes on while they look elsewhere, and what could not be sent
// is there when they come back to the room, in this tab.
export class Outbox {
  #storage
  #sending = new Map() // client id → promise of the answer

  constructor(storage) {
    this.#storage = storage
  }

  // send remembers a message and gives it to deliver, which answers { ok }.
  send(room, message, deliver) {
    this.#change(room, messages => [...messages.filter(({ clientId }) => clientId !== message.clientId), message])
    const answer = deliver(message).then(answer => {
      this.#sending.delete(message.clientId)
      if (answer.ok) this.forget(room, message.clientId)
      return answer
    })
    this.#sending.set(message.clientId, answer)
    return answer
  }

  forget(room, clientId) {
    this.#change(room, messages => messages.filter(message => message.clientId !== clientId))
  }

  // unsent lists a room's messages that are not known to have arrived; answer is
  // there for those still on their way.
  unsent(room) {
    return this.#read(room).map(message => ({ message, answer: this.#sending.get(message.clientId) ?? null }))
  }

  #change(room, change) {
    const messages = change(this.#read(room))
    try {
      if (messages.length > 0) this.#storage.setItem(key(room), JSON.stringify(messages))
      else this.#storage.removeItem(key(room))
    } catch {
      // A full or forbidden storage: the message is still on the page.
    }
  }

  #read(room) {
    try {
      return JSON.parse(this.#storage.getItem(key(room))) ?? []
    } catch {
      return []
    }
  }
}

const key = room => `unsent-${room}`
