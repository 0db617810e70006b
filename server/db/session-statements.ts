import { isKeptName } from './prepared-statements.ts'
import { frame } from './wire-messages.ts'

const parse = 'P'.charCodeAt(0)
const failure = 'E'.charCodeAt(0)

function* messagesIn(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const next = at + 1 + bytes.readInt32BE(at + 1)
    yield bytes.subarray(at, next)
    at = next
  }
}

const keptNameOf = (message: Buffer): string | undefined => {
  const name = message[0] === parse ? message.toString('utf8', 5, message.indexOf(0, 5)) : ''
  return isKeptName(name) ? name : undefined
}

/**
 * The statements that the one session of the embedded engine has planned. Each client of the driver believes to be alone and sends
 * the text again: what is planned already is left out of what it sends.
 */
export class SessionStatements {
  readonly #planned = new Set<string>()

  /** The messages to send and the prepared statements that they need. */
  prepare(batch: Buffer): { batch: Buffer; names: readonly string[] } {
    const names: string[] = []
    const parts: Buffer[] = []
    for (const message of messagesIn(batch)) {
      const name = keptNameOf(message)
      if (name) names.push(name)
      if (name && this.#planned.has(name)) continue
      // An earlier attempt may have left the name behind.
      if (name) parts.push(frame('C', Buffer.from(`S${name}\0`)))
      parts.push(message)
    }
    return { batch: names.length > 0 ? Buffer.concat(parts) : batch, names }
  }

  /** After a failure it is not known how far the session has come. */
  settle(names: readonly string[], reply: Buffer): void {
    if (names.length === 0) return
    const failed = [...messagesIn(reply)].some((message) => message[0] === failure)
    for (const name of names) {
      if (failed) this.#planned.delete(name)
      else this.#planned.add(name)
    }
  }

  forget(): void {
    this.#planned.clear()
  }
}
