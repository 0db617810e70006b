import { isPreparedName } from './prepared-statements.ts'
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

const preparedNameOf = (message: Buffer): string | undefined => {
  const name = message[0] === parse ? message.toString('utf8', 5, message.indexOf(0, 5)) : ''
  return isPreparedName(name) ? name : undefined
}

/**
 * Statements prepared in the embedded engine's only session. Each driver client assumes a session of its own and prepares
 * again: messages for statements already prepared are dropped.
 */
export class SessionStatements {
  readonly #planned = new Set<string>()

  /** The messages to send, and the names of the prepared statements that they need. */
  prepare(batch: Buffer): { batch: Buffer; names: readonly string[] } {
    const names: string[] = []
    const parts: Buffer[] = []
    for (const message of messagesIn(batch)) {
      const name = preparedNameOf(message)
      if (name) names.push(name)
      if (name && this.#planned.has(name)) continue
      // An earlier attempt may have left the name behind.
      if (name) parts.push(frame('C', Buffer.from(`S${name}\0`)))
      parts.push(message)
    }
    return { batch: names.length > 0 ? Buffer.concat(parts) : batch, names }
  }

  /** After a failure the state of the session's statements is unknown. */
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
