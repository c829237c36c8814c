import assert from "node:assert/strict"
import { test } from "node:test"
import { attachmentParts, clientId, emojiOnly, fold, newMessages, soundName, writers } from "../src/lib/text.js"

test("a message is emoji only by the server's rule", () => {
  for (const text of ["🔥", "🔥💯", "❤️", "🌊🕰️🎉\n"]) assert.equal(emojiOnly(text), true, text)
  for (const text of ["", "  ", "ok 🔥", "🔥 💯", "👩‍🚀", "1️⃣", ":)"]) assert.equal(emojiOnly(text), false, text)
})

test("a sound is named by how the text starts", () => {
  assert.equal(soundName("/play tada"), "tada")
  assert.equal(soundName(" /play tada now"), "tada")
  assert.equal(soundName("please /play tada"), null)
  assert.equal(soundName("/play"), null)
})

test("the pill says how many messages are new", () => {
  assert.equal(newMessages(0), "")
  assert.equal(newMessages(1), "1 new message")
  assert.equal(newMessages(3), "3 new messages")
  assert.equal(newMessages(40, true), "40+ new messages")
  assert.equal(newMessages(1, true), "1+ new messages")
})

test("writers are named in order, and two of one name are two", () => {
  assert.equal(writers([{ id: 2, name: "Zoë" }, { id: 1, name: "Ada" }]), "Ada, Zoë")
  assert.equal(writers([{ id: 2, name: "Sam" }, { id: 1, name: "Sam" }]), "Sam, Sam")
})

test("client ids are short, of digits and small letters, and differ", () => {
  const ids = Array.from({ length: 2000 }, () => clientId())
  for (const id of ids) assert.match(id, /^[0-9a-z]{10,16}$/)
  assert.equal(new Set(ids).size, ids.length)
  assert.match(clientId(() => 0.5), /^[0-9a-z]{10,16}$/) // "0.5".toString(36) is short
})

test("accents and case don't count", () => {
  assert.equal(fold("Tomás ÅNGSTRÖM"), "tomas angstrom")
})

test("of an attachment's markup only words and a face are used", () => {
  assert.deepEqual(attachmentParts('<span class="mention"><img src="/users/ab--cd/avatar?v=1&amp;w=2"> Tom &amp; Jo</span>'), { text: "Tom & Jo", face: "/users/ab--cd/avatar?v=1&w=2" })
  assert.deepEqual(attachmentParts('<img src="//elsewhere.test/x"><b onclick="no()">Bad</b>'), { text: "Bad", face: null })
  assert.deepEqual(attachmentParts(""), { text: "", face: null })
})
