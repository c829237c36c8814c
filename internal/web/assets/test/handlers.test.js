import assert from "node:assert/strict"
import { test } from "node:test"
import { withoutHandlers } from "../src/lib/handlers.js"

test("handlers go, whatever their quotes", () => {
  assert.equal(withoutHandlers(`<p onclick="a()">x</p>`), `<p>x</p>`)
  assert.equal(withoutHandlers(`<img src=x onerror='a("b")' alt="y">`), `<img src=x alt="y">`)
  assert.equal(withoutHandlers(`<svg/onload=alert(1)>`), `<svg>`)
  assert.equal(withoutHandlers(`<b ONFOCUS = x>y</b><input autofocus onfocus>`), `<b>y</b><input autofocus>`)
})

test("everything else stays as it was", () => {
  for (const html of [
    `<p>5 < 6, onclick="a()" is text</p>`,
    `<a title="see onboarding=1 > 0" href="/?on=1">x</a>`,
    `<action-text-attachment sgid="a--b" content="&lt;span onclick=&quot;x&quot;&gt;"></action-text-attachment>`,
    ""
  ]) assert.equal(withoutHandlers(html), html)
})
