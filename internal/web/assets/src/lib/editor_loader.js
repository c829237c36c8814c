// The editor is as large as everything else five times over, so it is a bundle
// of its own that a page with an editor asks for.
let loading

export function loadEditorWhereNeeded() {
  if (!loading && document.querySelector("lexxy-editor")) loading = import("../editor.js")
}
