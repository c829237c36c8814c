import { Extension, configure } from "@37signals/lexxy"
import { $createParagraphNode, ElementNode, defineExtension } from "lexical"
import { withoutHandlers } from "./lib/handlers.js"
import { listenOn } from "./lib/prompt.js"

// A cite names who is quoted in a reply. It is a block with text and a link.
class CiteNode extends ElementNode {
  $config() {
    return this.config("cite", {
      extends: ElementNode,
      importDOM: { cite: () => ({ conversion: () => ({ node: new CiteNode() }), priority: 1 }) }
    })
  }

  createDOM() {
    return document.createElement("cite")
  }

  updateDOM() {
    return false
  }

  exportDOM() {
    return { element: document.createElement("cite") }
  }

  insertNewAfter(_selection, restoreSelection) {
    const paragraph = $createParagraphNode()
    this.insertAfter(paragraph, restoreSelection)
    return paragraph
  }

  collapseAtStart() {
    const paragraph = $createParagraphNode()
    this.getChildren().forEach(child => paragraph.append(child))
    this.replace(paragraph)
    return true
  }
}

class ChatContent extends Extension {
  get lexicalExtension() {
    return defineExtension({ name: "chat/content", nodes: [CiteNode] })
  }

  get allowedElements() {
    return [
      { tag: "cite", attributes: [] },
      { tag: "actiontext-opengraph-embed", attributes: ["href", "url", "filename", "caption"] },
      { tag: "figure", attributes: [] },
      { tag: "figcaption", attributes: [] },
      { tag: "span", attributes: ["sgid"] },
      { tag: "div", attributes: ["sgid"] }
    ]
  }
}

configure({
  global: { attachmentContentTypeNamespace: "campfire", extensions: [ChatContent] },
  default: { toolbar: { upload: "none" } }
})

// What is set as the editor's value is parsed by it on this page.
customElements.whenDefined("lexxy-editor").then(({ prototype }) => {
  const value = Object.getOwnPropertyDescriptor(prototype, "value")
  Object.defineProperty(prototype, "value", {
    ...value,
    set(html) { value.set.call(this, withoutHandlers(`${html ?? ""}`)) }
  })
})

document.addEventListener("lexxy:initialize", ({ target }) => {
  // The element around the text field has no role, so what the page says about
  // the field belongs to the field, which has it by now.
  target.removeAttribute("aria-multiline")
  listenOn(target)
})
