// Times in the reader's own language and zone.

const format = options => new Intl.DateTimeFormat(undefined, options)
const time = format({ timeStyle: "short" })
const full = format({ dateStyle: "full", timeStyle: "short" })
const day = format({ weekday: "long", day: "numeric", month: "long" })
const dayAndYear = format({ weekday: "long", day: "numeric", month: "long", year: "numeric" })
const shortDay = format({ day: "numeric", month: "long" })
const shortDayAndYear = format({ day: "numeric", month: "long", year: "numeric" })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" })

export const clock = date => time.format(date)
export const title = date => full.format(date)

// calendarDays counts midnights between two moments of the reader's calendar.
export function calendarDays(from, to) {
  const midnight = date => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate())
  return Math.round((midnight(to) - midnight(from)) / 86_400_000)
}

// separator names a day: Today, Yesterday, or the date.
export function separator(date, now = new Date()) {
  const ago = calendarDays(date, now)
  if (ago === 0 || ago === 1) return capitalise(relative.format(-ago, "day"))
  return (date.getFullYear() === now.getFullYear() ? day : dayAndYear).format(date)
}

// dayAndClock tells day and time on one line.
export function dayAndClock(date, now = new Date()) {
  const ago = calendarDays(date, now)
  if (ago === 0 || ago === 1) return `${capitalise(relative.format(-ago, "day"))}, ${clock(date)}`
  return `${(date.getFullYear() === now.getFullYear() ? shortDay : shortDayAndYear).format(date)}, ${clock(date)}`
}

function capitalise(text) {
  return text.charAt(0).toLocaleUpperCase() + text.slice(1)
}
