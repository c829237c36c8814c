import assert from "node:assert/strict"
import { test } from "node:test"
import { rank } from "../src/lib/people_rank.js"

const people = ["Anna Jones", "Jane Doe", "John Dane", "Tomás Oliveira", "Mary-Ann Lee", "田中 芽衣 Mei"].map(name => ({ name }))
const found = query => rank(people, query).map(person => person.name)

test("names that start with the query come first, later words after them", () => {
  assert.deepEqual(found("jo"), ["John Dane", "Anna Jones"])
  assert.deepEqual(found("ann"), ["Anna Jones", "Mary-Ann Lee"])
})

test("letters may go on in the next word", () => {
  assert.deepEqual(found("jd"), ["Jane Doe", "John Dane"])
  assert.deepEqual(found("jado"), ["Jane Doe"])
  assert.deepEqual(found("mal"), ["Mary-Ann Lee"])
})

test("accents and case don't count, and other scripts do", () => {
  assert.deepEqual(found("TOMAS"), ["Tomás Oliveira"])
  assert.deepEqual(found("芽"), ["田中 芽衣 Mei"])
})

test("who does not answer the query is left out", () => {
  assert.deepEqual(found("xyz"), [])
  assert.equal(found("").length, people.length)
})
