// Which messages stand together, and in which order. Messages are given as
// plain values: { userId, timestamp, sort, id }; a timestamp is in milliseconds.

const FIVE_MINUTES = 5 * 60 * 1000

// threaded: the message goes on under its predecessor's name.
export function threaded(previous, message) {
  return Boolean(previous?.timestamp) && previous.userId === message.userId &&
    Math.abs(message.timestamp - previous.timestamp) <= FIVE_MINUTES
}

// firstOfDay: no predecessor on the same day of the reader's calendar.
export function firstOfDay(previous, message) {
  return !previous?.timestamp || dayOf(previous.timestamp) !== dayOf(message.timestamp)
}

export function dayOf(timestamp) {
  const date = new Date(timestamp)
  return `${date.getFullYear()}-${date.getMonth()}-${date.getDate()}`
}

// compare orders by time, then by id. A message that has no time of the
// server's yet (pending, failed) comes after all that have one.
export function compare(a, b) {
  if (a.sort === null || b.sort === null) return (a.sort === null) - (b.sort === null)
  return a.sort - b.sort || a.id - b.id
}

// valuesOf reads a message element.
export function valuesOf(element) {
  const { userId, messageTimestamp, sortValue, messageId } = element.dataset
  return {
    userId,
    timestamp: Number(messageTimestamp) || 0,
    sort: sortValue ? Number(sortValue) : null,
    id: Number(messageId) || 0
  }
}
