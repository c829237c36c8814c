// withoutHandlers takes event handlers (onclick and the like) out of HTML before
// anything parses it. They would not run, neither here nor after the server has
// cleaned the text; but a browser complains about each one that it merely reads
// on a page whose policy forbids inline scripts.
const TAG = /<[a-z][^\s/>]*(?:"[^"]*"|'[^']*'|[^"'>])*>/gi
const ATTRIBUTE = /([\s/]+)([^\s=>/"']+)(\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+))?/g

export function withoutHandlers(html) {
  return html.replace(TAG, tag => tag.replace(ATTRIBUTE, (attribute, _space, name) => /^on/i.test(name) ? "" : attribute))
}
