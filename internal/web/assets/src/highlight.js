import hljs from "highlight.js/lib/core"
import bash from "highlight.js/lib/languages/bash"
import css from "highlight.js/lib/languages/css"
import diff from "highlight.js/lib/languages/diff"
import go from "highlight.js/lib/languages/go"
import java from "highlight.js/lib/languages/java"
import javascript from "highlight.js/lib/languages/javascript"
import json from "highlight.js/lib/languages/json"
import python from "highlight.js/lib/languages/python"
import ruby from "highlight.js/lib/languages/ruby"
import rust from "highlight.js/lib/languages/rust"
import sql from "highlight.js/lib/languages/sql"
import xml from "highlight.js/lib/languages/xml"

const languages = { bash, css, diff, go, java, javascript, json, python, ruby, rust, sql, xml }
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language)

// highlight colours one block. The editor writes its lines with br elements.
export function highlight(pre) {
  const code = pre.querySelector("code") ?? pre
  code.querySelectorAll("br").forEach(br => br.replaceWith("\n"))
  const named = pre.dataset.language ?? code.dataset.language
  const text = code.textContent
  const result = hljs.getLanguage(named) ? hljs.highlight(text, { language: named, ignoreIllegals: true }) : hljs.highlightAuto(text)
  code.innerHTML = result.value // hljs escapes the text
  pre.classList.add("hljs")
}
