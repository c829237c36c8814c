// The browser's Action Cable client under Node. It obeys commands, one JSON object a
// line on stdin, and reports what happens to its subscriptions, one a line on stdout.
import { createInterface } from "node:readline"
import WebSocket from "ws"

// What the library expects of a browser.
globalThis.addEventListener = () => {}
globalThis.removeEventListener = () => {}
globalThis.document = { visibilityState: "visible" }

const { adapters, createConsumer, ConnectionMonitor } = await import("@rails/actioncable")

const [url, origin] = process.argv.slice(2)
const report = (event) => process.stdout.write(JSON.stringify(event) + "\n")

// A browser sends the page's origin by itself.
adapters.WebSocket = class extends WebSocket {
  constructor(url, protocols) {
    super(url, protocols, { headers: { Origin: origin } })
    this.on("close", (code) => report({ event: "closed", code }))
  }
}
adapters.logger = { log() {} }
ConnectionMonitor.staleThreshold = 1 // reconnect soon: the tests have no 6 seconds

const consumer = createConsumer(url)
const subscriptions = {}

const commands = {
  subscribe({ name, params }) {
    subscriptions[name] = consumer.subscriptions.create(params, {
      connected: ({ reconnected }) => report({ event: "connected", name, reconnected }),
      disconnected: ({ willAttemptReconnect }) => report({ event: "disconnected", name, willAttemptReconnect }),
      rejected: () => report({ event: "rejected", name }),
      received: (message) => report({ event: "received", name, message }),
    })
  },
  perform({ name, action, data }) {
    subscriptions[name].perform(action, data)
  },
  unsubscribe({ name }) {
    subscriptions[name].unsubscribe()
  },
}

for await (const line of createInterface({ input: process.stdin })) {
  const command = JSON.parse(line)
  commands[command.do](command)
}
consumer.disconnect()
