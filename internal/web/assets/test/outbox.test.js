import assert from "node:assert/strict"
import { test } from "node:test"
import { Outbox } from "../src/lib/outbox.js"

class Memory {
  #items = new Map()
  getItem(key) { return this.#items.get(key) ?? null }
  setItem(key, value) { this.#items.set(key, value) }
  removeItem(key) { this.#items.delete(key) }
}

const hello = { clientId: "a1", html: "<p>Hello</p>", text: "Hello" }

test("what has arrived is forgotten", async () => {
  const outbox = new Outbox(new Memory())
  const sent = outbox.send(7, hello, async () => ({ ok: true }))
  assert.equal(outbox.unsent(7).length, 1)
  assert.notEqual(outbox.unsent(7)[0].answer, null)
  await sent
  assert.deepEqual(outbox.unsent(7), [])
})

test("what has failed is kept, in its room, also for another page", async () => {
  const storage = new Memory()
  await new Outbox(storage).send(7, hello, async () => ({ ok: false }))
  const later = new Outbox(storage)
  assert.deepEqual(later.unsent(7), [{ message: hello, answer: null }])
  assert.deepEqual(later.unsent(8), [])
  later.forget(7, hello.clientId)
  assert.deepEqual(later.unsent(7), [])
})

test("sending again keeps one copy", async () => {
  const outbox = new Outbox(new Memory())
  await outbox.send(7, hello, async () => ({ ok: false }))
  await outbox.send(7, hello, async () => ({ ok: false }))
  assert.equal(outbox.unsent(7).length, 1)
})

test("a storage that refuses loses nothing that is on the page", async () => {
  const refuses = { getItem() { throw new Error() }, setItem() { throw new Error() }, removeItem() { throw new Error() } }
  const answer = await new Outbox(refuses).send(7, hello, async () => ({ ok: true }))
  assert.deepEqual(answer, { ok: true })
})
