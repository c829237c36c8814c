// What a message's text needs once it is on the page, for this reader.

export function prepareBody(body, userId) {
  for (const link of body.querySelectorAll("a[href]")) {
    const away = link.origin !== location.origin && link.protocol.startsWith("http")
    link.target = away ? "_blank" : "_top"
    if (away) link.rel = "noopener noreferrer"
  }
  const mine = mentionsOf(body, userId)
  mine.forEach(mention => mention.classList.add("mention--me"))
  body.closest(".message")?.classList.toggle("message--mentioned", mine.length > 0)
  colourCode(body)
}

function mentionsOf(body, userId) {
  return [...body.querySelectorAll(".mention")].filter(mention => {
    const link = mention.closest("a[href]") ?? mention.querySelector("a[href]")
    return userId && link?.pathname === `/users/${userId}`
  })
}

async function colourCode(body) {
  const blocks = [...body.querySelectorAll("pre")].filter(plain)
  if (blocks.length === 0) return
  const { highlight } = await import("../highlight.js")
  blocks.filter(block => block.isConnected).forEach(highlight)
}

// plain: a block that holds text, line breaks and tabs (which the editor wraps
// in a span), and one code element at most.
function plain(pre) {
  return !pre.classList.contains("hljs") && !pre.querySelector(":not(br, code, span), code code")
}
