import { fold } from "./text.js"

// foundRanges gives the places in a text where words of the query are found,
// as [start, end]. The index knows words by their stem, so a word that begins
// like a query word counts ("boat" finds "boats"), the whole of it.
export function foundRanges(text, query) {
  const wanted = words(query).map(({ word }) => stem(fold(word)))
  if (wanted.length === 0) return []
  return words(text)
    .filter(({ word }) => wanted.some(stem => fold(word).startsWith(stem)))
    .map(({ word, start }) => [start, start + word.length])
}

function words(text) {
  return [...text.matchAll(/[\p{L}\p{M}\p{N}_]+/gu)].map(match => ({ word: match[0], start: match.index }))
}

function stem(word) {
  return word.length > 4 ? word.replace(/(?:ing|ed|es|s|e|y)$/, "") : word
}
