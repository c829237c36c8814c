// The editor's prompt hears nothing that is typed between its last question
// for people and its list, so whoever types a name in one go would choose from
// people found by its first letter. listenOn has it ask again when it shows
// the list and the name has grown since.
export function listenOn(editor) {
  const prompt = editor.querySelector("lexxy-prompt")
  if (!prompt?.source) return
  const { source } = prompt
  const ask = source.buildListItems
  let asked
  source.buildListItems = filter => ask.call(source, asked = filter ?? "")
  const shown = () => {
    if (prompt.open && editor.contents.textBackUntil(prompt.trigger) !== asked) editor.dispatchEvent(new Event("lexxy:change"))
  }
  new MutationObserver(shown).observe(editor, { subtree: true, attributeFilter: ["class"] })
}
