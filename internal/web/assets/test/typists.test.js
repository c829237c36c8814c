import assert from "node:assert/strict"
import { test } from "node:test"
import { Typists } from "../src/lib/typists.js"

test("who has not written for five seconds is no longer writing", () => {
  const typists = new Typists()
  typists.start({ id: 1, name: "Ada" }, 0)
  typists.start({ id: 2, name: "Sam" }, 3000)
  assert.deepEqual(typists.at(4999).map(person => person.id), [1, 2])
  assert.deepEqual(typists.at(5000).map(person => person.id), [2])
})

test("two people of one name are two, and one who stops is gone at once", () => {
  const typists = new Typists()
  typists.start({ id: 1, name: "Sam" }, 0)
  typists.start({ id: 2, name: "Sam" }, 0)
  typists.stop(1)
  assert.deepEqual(typists.at(1).map(person => person.id), [2])
})
