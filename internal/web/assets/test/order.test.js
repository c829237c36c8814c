import assert from "node:assert/strict"
import { test } from "node:test"
import { misplaced, order } from "../src/lib/order.js"

const named = (...names) => names.map(name => ({ number: null, name }))

test("rooms stand by name, whatever their case", () => {
  assert.deepEqual(named("beta", "Alpha", "gamma").sort(order).map(entry => entry.name), ["Alpha", "beta", "gamma"])
})

test("pings stand by their last word, newest first", () => {
  assert.deepEqual([{ number: 1 }, { number: 3 }, { number: 2 }].sort(order).map(entry => entry.number), [3, 2, 1])
})

test("a list in order is left alone", () => {
  assert.equal(misplaced(named("Alpha", "beta")), false)
  assert.equal(misplaced(named("beta", "Alpha")), true)
  assert.equal(misplaced([]), false)
})
