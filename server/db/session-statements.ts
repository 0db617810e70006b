import { isPreparedName } from './prepared-statements.ts'
import { frame } from './wire-messages.ts'

const [parse = 0, bind = 0, close = 0, ofStatement = 0, failure = 0] = Buffer.from('PBCSE')
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

/** The statement that a message prepares, binds or closes; an unnamed one is empty. */
function statementOf(message: Buffer): string | undefined {
  if (message[0] === parse) return textAt(message, 5)
  if (message[0] === close && message[5] === ofStatement) return textAt(message, 6)
  return message[0] === bind ? textAt(message, message.indexOf(0, 5) + 1) : undefined
}

function hasFailure(reply: Buffer): boolean {
  for (let at = 0; at + 5 <= reply.length; at += 1 + reply.readInt32BE(at + 1)) if (reply[at] === failure) return true
  return false
}

/**
 * Statements prepared in the embedded engine's only session. Each driver client assumes a session of its own and prepares
 * again: the text is remembered instead, and prepared before a statement is bound that the session may not have. None is closed,
 * since others use it.
 */
export class SessionStatements {
  readonly #texts = new Map<string, Buffer>()
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
      const name = statementOf(message)
      const isPrepared = name !== undefined && isPreparedName(name)
      // One that begins no transaction: it belongs to a prepared statement, and `begin` is none.
      staysIdle &&= isPrepared || others.has(message[0])
      if (isPrepared && message[0] === bind) {
        names.push(name)
        parts.push(...this.#preparing(name), message)
      } else if (isPrepared) {
        if (message[0] === parse) this.#texts.set(name, Buffer.from(message))
      } else parts.push(message)
    }
    return { batch: Buffer.concat(parts), names, staysIdle }
  }

  /** An earlier attempt may have left the name behind. */
  #preparing(name: string): Buffer[] {
    const text = this.#planned.has(name) ? undefined : this.#texts.get(name)
    return text ? [frame('C', Buffer.from(`S${name}\0`)), text] : []
  }

  /** After a failure the state of the session's statements is unknown: it may have refused to prepare one for an aborted transaction. */
  settle(names: readonly string[], reply: Buffer): void {
    if (names.length === 0) return
    const failed = hasFailure(reply)
    for (const name of names) {
      if (failed) this.#planned.delete(name)
      else this.#planned.add(name)
    }
  }

  forget(): void {
    this.#planned.clear()
  }
}
