import assert from "node:assert/strict"
import { test } from "node:test"
import { compare, firstOfDay, threaded } from "../src/lib/grouping.js"

const noon = new Date(2026, 10, 30, 12).getTime()
const minutes = n => n * 60_000
const by = (userId, timestamp) => ({ userId, timestamp })

test("messages of one person within five minutes stand together", () => {
  assert.equal(threaded(by("1", noon), by("1", noon + minutes(5))), true)
  assert.equal(threaded(by("1", noon), by("1", noon + minutes(5) + 1)), false)
  assert.equal(threaded(by("1", noon), by("2", noon)), false)
})

test("the first message stands under no name but its own", () => {
  assert.equal(threaded(null, by("1", noon)), false)
  assert.equal(threaded(by("1", 0), by("1", noon)), false)
})

test("a day begins with the reader's own midnight", () => {
  const before = new Date(2026, 10, 30, 23, 59, 59).getTime()
  const after = new Date(2026, 11, 1, 0, 0, 1).getTime()
  assert.equal(firstOfDay(by("1", before), by("1", after)), true)
  assert.equal(firstOfDay(by("1", after), by("1", after + minutes(1))), false)
  assert.equal(firstOfDay(null, by("1", noon)), true)
})

test("messages stand in the order of their time, then of their id", () => {
  const rows = [{ sort: 5, id: 9 }, { sort: null, id: 0 }, { sort: 5, id: 8 }, { sort: 4, id: 10 }]
  assert.deepEqual(rows.sort(compare).map(row => row.id), [10, 8, 9, 0])
})
