// order compares two entries of a list: by number, largest first, where they
// have one; else by name. The answer is what sort() wants.
export function order(a, b) {
  if (a.number !== null || b.number !== null) return (b.number ?? -Infinity) - (a.number ?? -Infinity)
  return a.name.localeCompare(b.name, undefined, { sensitivity: "base" })
}

// misplaced tells whether entries are out of order, so that a list that is in
// order is left alone.
export function misplaced(entries) {
  return entries.some((entry, i) => i > 0 && order(entries[i - 1], entry) > 0)
}
