import assert from "node:assert/strict"
import { test } from "node:test"
import { calendarDays, separator } from "../src/lib/times.js"

test("days are counted by midnights, not by hours", () => {
  assert.equal(calendarDays(new Date(2026, 10, 29, 23, 59), new Date(2026, 10, 30, 0, 1)), 1)
  assert.equal(calendarDays(new Date(2026, 10, 30, 0, 1), new Date(2026, 10, 30, 23, 59)), 0)
  assert.equal(calendarDays(new Date(2026, 2, 28, 12), new Date(2026, 2, 30, 1)), 2) // a clock change lies between
})

test("a separator says the year only of another year", () => {
  const now = new Date(2026, 10, 30, 12)
  assert.match(separator(new Date(2025, 10, 20), now), /2025/)
  assert.doesNotMatch(separator(new Date(2026, 10, 20), now), /2026/)
  assert.notEqual(separator(new Date(2026, 10, 29), now), separator(now, now))
})
