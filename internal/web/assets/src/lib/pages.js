// Pages fetches a room's messages, forty at a time.
export class Pages {
  #url

  constructor(url) {
    this.#url = url
  }

  get last() {
    return this.#fetch({})
  }

  before(id) {
    return this.#fetch({ before: id })
  }

  after(id) {
    return this.#fetch({ after: id })
  }

  // The answer is a list of message elements, empty where there are none.
  async #fetch(parameters) {
    const url = new URL(this.#url, location.origin)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    const answer = await fetch(url, { headers: { Accept: "text/html" } })
    if (answer.status === 204) return []
    if (!answer.ok || answer.redirected) throw new Error(`messages: ${answer.status}`)
    return parse(await answer.text())
  }
}

export const PAGE = 40

export function parse(html) {
  const template = document.createElement("template")
  template.innerHTML = html
  return [...template.content.children].filter(child => child.classList.contains("message"))
}
