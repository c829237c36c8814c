// The editor's prompt hears nothing that is typed between its last question
// for people and its list, so whoever types a name in one go would choose from
// people found by its first letter. listenOn has it ask again when it shows
// the list and the name has grown since. Enter and Tab wait for a list that is not
// older than the name: whoever typed @gra must not get the first @g.
export function listenOn(editor) {
  const prompt = editor.querySelector("lexxy-prompt")
  if (!prompt?.source) return
  const { source } = prompt
  const ask = source.buildListItems
  let asked, answered, waiting
  source.buildListItems = async filter => {
    const name = asked = filter ?? ""
    const people = await ask.call(source, name)
    if (name === asked) answered = name
    return people
  }
  const typed = () => editor.contents.textBackUntil(prompt.trigger)
  const shown = () => {
    if (!prompt.open) waiting = null
    else if (typed() !== asked) editor.dispatchEvent(new Event("lexxy:change"))
    else if (waiting && asked === answered) {
      const { key, target } = waiting
      waiting = null
      target.dispatchEvent(new KeyboardEvent("keydown", { key, code: key, bubbles: true, cancelable: true }))
    }
  }
  editor.addEventListener("keydown", event => {
    waiting = null
    if ((event.key !== "Enter" && event.key !== "Tab") || event.isComposing || !prompt.open || typed() === answered) return
    waiting = event
    event.preventDefault()
    event.stopImmediatePropagation()
  }, { capture: true })
  new MutationObserver(shown).observe(editor, { subtree: true, childList: true, attributeFilter: ["class"] })
}
