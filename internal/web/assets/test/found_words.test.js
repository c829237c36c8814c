import assert from "node:assert/strict"
import { test } from "node:test"
import { foundRanges } from "../src/lib/found_words.js"

const found = (text, query) => foundRanges(text, query).map(([start, end]) => text.slice(start, end))

test("words are found whole, whatever their case and ending", () => {
  assert.deepEqual(found("The Boats and a boat; boatswain.", "boat"), ["Boats", "boat", "boatswain"])
  assert.deepEqual(found("Sailing is sailed", "sails"), ["Sailing", "sailed"])
})

test("each word of the query counts", () => {
  assert.deepEqual(found("the tide clock runs", "clock tide"), ["tide", "clock"])
  assert.deepEqual(found("nothing here", ""), [])
})

test("other scripts and accents are found", () => {
  assert.deepEqual(found("Olá Tomás", "tomas"), ["Tomás"])
  assert.deepEqual(found("文字盤 を", "文字"), ["文字盤"])
})
