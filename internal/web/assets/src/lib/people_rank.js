import { fold } from "./text.js"

// rank orders people by how well their name answers a query and leaves out
// those whose name does not: first names that start with it, then those with a
// later word that does, then those where each letter goes on in a word or is
// the first of the next ("jd" finds Jane Doe).
export function rank(people, query) {
  const wanted = fold(query).trim()
  if (!wanted) return [...people]
  return people
    .map((person, position) => ({ person, position, score: score(fold(person.name), wanted) }))
    .filter(({ score }) => score < Infinity)
    .sort((a, b) => a.score - b.score || a.position - b.position)
    .map(({ person }) => person)
}

function score(name, wanted) {
  if (name.startsWith(wanted)) return 0
  const words = name.split(/[\s\-.]+/).filter(Boolean)
  if (words.some(word => word.startsWith(wanted))) return 1
  if (name.includes(` ${wanted}`)) return 1
  return initials(words, wanted.replace(/\s/g, "")) ? 2 : Infinity
}

function initials(words, letters, word = 0, offset = 0) {
  if (letters === "") return true
  const [letter, ...rest] = letters
  const next = rest.join("")
  const goesOn = offset > 0 && words[word][offset] === letter && initials(words, next, word, offset + 1)
  if (goesOn) return true
  for (let i = offset === 0 ? word : word + 1; i < words.length; i++) {
    if (words[i][0] === letter && initials(words, next, i, 1)) return true
  }
  return false
}
