import assert from "node:assert/strict"
import { test } from "node:test"
import { SendQueue } from "../src/lib/send_queue.js"

function deferred() {
  let resolve, reject
  const promise = new Promise((yes, no) => { resolve = yes; reject = no })
  return { promise, resolve, reject }
}

test("things are sent one after another, in the order given", async () => {
  const log = [], gates = { a: deferred(), b: deferred() }
  const queue = new SendQueue(async item => { log.push(`start ${item}`); await gates[item].promise; log.push(`end ${item}`) })
  const both = [queue.push("a"), queue.push("b")]
  assert.equal(queue.length, 2)
  gates.b.resolve() // the second would be ready first
  gates.a.resolve()
  await Promise.all(both)
  assert.deepEqual(log, ["start a", "end a", "start b", "end b"])
  assert.equal(queue.length, 0)
})

test("one that fails says so and does not stop those behind it", async () => {
  const queue = new SendQueue(async item => { if (item === "bad") throw new Error("no") })
  const [bad, good] = await Promise.all([queue.push("bad"), queue.push("good")])
  assert.equal(bad.ok, false)
  assert.equal(bad.error.message, "no")
  assert.equal(good.ok, true)
})

test("it is busy from the first to the last", async () => {
  const busy = []
  const queue = new SendQueue(async () => {}, state => busy.push(state))
  await Promise.all([queue.push(1), queue.push(2)])
  await queue.push(3)
  assert.deepEqual(busy, [true, false, true, false])
})
