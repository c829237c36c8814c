// quote makes what a reply starts with: the message's text as a quotation, who
// said it, and an empty line. Faces and embeds don't belong in a quotation; a
// message that is only an embed is quoted by its link.
export function quote({ body, author, permalink }) {
  const copy = body.cloneNode(true)
  for (const mention of copy.querySelectorAll(".mention, [sgid]")) mention.replaceWith(mention.textContent.trim())
  const embedLink = copy.querySelector("actiontext-opengraph-embed a[href], .og-embed a[href]")?.href
  for (const extra of copy.querySelectorAll("actiontext-opengraph-embed, .og-embed, figure, img, button, svg")) extra.remove()
  for (const old of copy.querySelectorAll("blockquote + cite, blockquote")) old.remove()
  const doc = document.implementation.createHTMLDocument()
  const block = doc.createElement("blockquote")
  if (copy.textContent.trim()) {
    block.append(...doc.importNode(copy, true).childNodes)
  } else if (embedLink) {
    const link = doc.createElement("a")
    link.href = link.textContent = embedLink
    block.append(link)
  } else {
    block.textContent = body.textContent.trim()
  }
  const cite = doc.createElement("cite")
  const link = doc.createElement("a")
  link.href = permalink
  link.textContent = "#"
  cite.append(author, " ", link)
  return `${block.outerHTML}${cite.outerHTML}<p><br></p>`
}
