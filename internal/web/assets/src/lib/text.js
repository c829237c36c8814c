// Sentences and small decisions about text. No document needed.

const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}|\uFE0F)+$/u

// emojiOnly is the server's rule, for messages that it has not seen yet. Emoji
// with spaces between don't count.
export function emojiOnly(text) {
  return EMOJI.test(text.trim())
}

// soundName is the name in "/play name", as soon as the text starts that way.
export function soundName(text) {
  return text.trim().match(/^\/play (\w+)/)?.[1] ?? null
}

export function newMessages(count, more = false) {
  if (count === 0) return ""
  return `${count}${more ? "+" : ""} new ${count === 1 && !more ? "message" : "messages"}`
}

// writers is who writes, by name; two people of one name are two.
export function writers(people) {
  return people.map(person => person.name).sort((a, b) => a.localeCompare(b)).join(", ")
}

export function clientId(random = Math.random) {
  let id = ""
  while (id.length < 10) id += random().toString(36).slice(2)
  return id.slice(0, 16)
}

// fold makes text comparable: no accents, no case.
export function fold(text) {
  return text.normalize("NFD").replace(/\p{Mark}/gu, "").toLocaleLowerCase()
}

export function decodeEntities(html) {
  return new DOMParser().parseFromString(html, "text/html").documentElement.textContent
}

// attachmentParts reads the words and the face out of an attachment's markup.
// Anything can be pasted into an editor, so the markup is not parsed, let alone
// used: even a parser that runs nothing complains about the scripts in it.
export function attachmentParts(content) {
  const face = content.match(/<img\b[^>]*\ssrc="(\/users\/[^"]+)"/i)?.[1] ?? null
  const text = content.replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name) => ENTITIES[name]).trim()
  return { text, face: face?.replaceAll("&amp;", "&") ?? null }
}

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'", nbsp: "\u00a0" }
