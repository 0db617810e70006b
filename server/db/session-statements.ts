import { isPreparedName } from './prepared-statements.ts'
import { frame } from './wire-messages.ts'

const [parse = 0, bind = 0, failure = 0] = Buffer.from('PBE')
/** Describe, execute, sync: they do what their statement says. */
const others: ReadonlySet<number | undefined> = new Set(Buffer.from('DES'))

function* messagesIn(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at + 5 <= bytes.length; ) {
    const next = at + 1 + bytes.readInt32BE(at + 1)
    yield bytes.subarray(at, next)
    at = next
  }
}

const textAt = (message: Buffer, from: number) => message.toString('utf8', from, message.indexOf(0, from))

/** True for a message that begins no transaction: it belongs to a prepared statement, and `begin` is none. */
function isOfPrepared(message: Buffer): boolean {
  if (message[0] === bind) return isPreparedName(textAt(message, message.indexOf(0, 5) + 1))
  return message[0] === parse ? isPreparedName(textAt(message, 5)) : others.has(message[0])
}

const preparedNameOf = (message: Buffer): string | undefined => {
  const name = message[0] === parse ? textAt(message, 5) : ''
  return isPreparedName(name) ? name : undefined
}

/**
 * Statements prepared in the embedded engine's only session. Each driver client assumes a session of its own and prepares
 * again: messages for statements already prepared are dropped.
 */
export class SessionStatements {
  readonly #planned = new Set<string>()

  /**
   * The messages to send, and the names of the prepared statements that they need. `staysIdle`: they leave an idle session idle,
   * whatever comes of them.
   */
  prepare(batch: Buffer): { batch: Buffer; names: readonly string[]; staysIdle: boolean } {
    const names: string[] = []
    const parts: Buffer[] = []
    let staysIdle = true
    for (const message of messagesIn(batch)) {
      staysIdle &&= isOfPrepared(message)
      const name = preparedNameOf(message)
      if (name) names.push(name)
      if (name && this.#planned.has(name)) continue
      // An earlier attempt may have left the name behind.
      if (name) parts.push(frame('C', Buffer.from(`S${name}\0`)))
      parts.push(message)
    }
    return { batch: names.length > 0 ? Buffer.concat(parts) : batch, names, staysIdle }
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
