import { isPreparedName } from './prepared-statements.ts'

// Frontend and backend messages of PostgreSQL's protocol 3.0: one byte of type, four of length (itself included), content.

/** One message: `frame('Q', Buffer.from('rollback\0'))`. */
export function frame(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  const head = Buffer.alloc(5)
  head.write(type, 'latin1')
  head.writeInt32BE(content.length + 4, 1)
  return Buffer.concat([head, content])
}

export const query = (sql: string): Buffer => frame('Q', Buffer.from(`${sql}\0`))

const parameter = (name: string, value: string) => frame('S', Buffer.from(`${name}\0${value}\0`))

/** The server's greeting: authenticated without a password, ready. */
export const greeting = Buffer.concat([
  frame('R', Buffer.alloc(4)),
  parameter('client_encoding', 'UTF8'),
  parameter('server_version', '18.0'),
  parameter('TimeZone', 'UTC'),
  frame('Z', Buffer.from('I')),
])

const letters = {
  query: 0x51,
  parse: 0x50,
  sync: 0x53,
  flush: 0x48,
  terminate: 0x58,
  ready: 0x5a,
  notification: 0x41,
  error: 0x45,
  idle: 0x49,
} as const
const endsBatch = new Set<number>([letters.query, letters.sync, letters.flush])
const copyIn = /(^|;)(\s|--[^\n]*\n|\/\*.*?\*\/)*copy\b[^;]*\bfrom\s+stdin\b/is

const refuse = (message: string) => query(`do $$ begin raise exception using errcode = '0A000', message = '${message}'; end $$`)
const refusals = {
  // COPY would crash the engine.
  copy: refuse('COPY FROM STDIN needs a PostgreSQL server'),
  // All clients share one session, so a statement name is global: allowed only where the name determines the text.
  named: refuse('Named statements need a PostgreSQL server'),
}

function refusalOf(type: number, content: Buffer): Buffer | undefined {
  if (type !== letters.query && type !== letters.parse) return undefined
  const nameEnd = type === letters.parse ? content.indexOf(0) : -1
  if (nameEnd > 0 && !isPreparedName(content.toString('utf8', 0, nameEnd))) return refusals.named
  return copyIn.test(content.toString('utf8', nameEnd + 1)) ? refusals.copy : undefined
}

/**
 * Splits the written bytes into complete messages up to the last one that expects a reply, and the start of the next batch. The
 * messages of a refused statement are replaced by their refusal; those around it stay, since each awaits its own answer.
 */
export function splitBatch(bytes: Buffer): { batch: Buffer; rest: Buffer } {
  const parts: Buffer[] = []
  let start = 0
  let refusal: Buffer | undefined
  for (let at = 0; at + 5 <= bytes.length; ) {
    const type = bytes.readUInt8(at)
    const next = at + 1 + bytes.readInt32BE(at + 1)
    if (next > bytes.length || next <= at) break
    // Terminate would end the engine; closing the stream is sufficient.
    if (type === letters.terminate) return { batch: Buffer.concat(parts), rest: Buffer.alloc(0) }
    refusal ??= refusalOf(type, bytes.subarray(at + 5, next))
    at = next
    if (!endsBatch.has(type)) continue
    parts.push(refusal ?? bytes.subarray(start, next))
    refusal = undefined
    start = next
  }
  return { batch: Buffer.concat(parts), rest: bytes.subarray(start) }
}

/** True when the engine is outside of a transaction after this reply. */
export function isIdle(reply: Buffer): boolean {
  const at = reply.length - 6
  return at >= 0 && reply[at] === letters.ready && reply.readInt32BE(at + 1) === 5 && reply[at + 5] === letters.idle
}

export function notificationsIn(reply: Buffer): { channel: string; payload: string }[] {
  const found: { channel: string; payload: string }[] = []
  for (let at = 0; at + 5 <= reply.length; ) {
    const next = at + 1 + reply.readInt32BE(at + 1)
    if (reply[at] === letters.notification) {
      const [channel = '', payload = ''] = reply.toString('utf8', at + 9, next).split('\0')
      found.push({ channel, payload })
    }
    at = next
  }
  return found
}

/** The fields of an error by their letters: `V` is the severity, `C` the SQLSTATE, `M` the message. */
const errorFields = (content: string): Readonly<Record<string, string>> =>
  Object.fromEntries(content.split('\0').map((field) => [field.slice(0, 1), field.slice(1)]))

/**
 * The error after which a PostgreSQL server ends the session or itself, such as a full disk while a commit is written. The embedded
 * engine answers on with a session in pieces.
 */
export function fatalErrorIn(reply: Buffer): { message: string; code: string } | undefined {
  for (let at = 0; at + 5 <= reply.length; ) {
    const next = at + 1 + reply.readInt32BE(at + 1)
    if (reply[at] === letters.error) {
      const { V: severity, C: code = '', M: message = '' } = errorFields(reply.toString('utf8', at + 5, next))
      if (severity === 'PANIC' || severity === 'FATAL') return { message, code }
    }
    at = next
  }
  return undefined
}
