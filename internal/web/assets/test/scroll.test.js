import assert from "node:assert/strict"
import { test } from "node:test"
import { anchorOf, distanceToEnd, nearEnd } from "../src/lib/scroll.js"

test("near the end is within a hundred pixels", () => {
  assert.equal(nearEnd({ scrollTop: 800, scrollHeight: 1400, clientHeight: 500 }), true)
  assert.equal(nearEnd({ scrollTop: 799, scrollHeight: 1400, clientHeight: 500 }), false)
})

test("a list that bounces beyond its end is at its end", () => {
  assert.equal(distanceToEnd({ scrollTop: 930, scrollHeight: 1400, clientHeight: 500 }), 0)
})

test("the anchor is the first row that is partly in view", () => {
  const rows = Array.from({ length: 50 }, (_, i) => ({ top: i * 40 - 1010, bottom: i * 40 - 970 }))
  const { row, offset } = anchorOf(rows, 100, row => row)
  assert.equal(row, rows.find(row => row.bottom > 100))
  assert.equal(offset, row.top - 100)
  assert.equal(anchorOf([], 100, row => row), null)
})
