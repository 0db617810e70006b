import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

/**
 * Put before a statement whose text comes again and again and takes longer to plan than to run (a page of a list: 3 ms to 1 ms):
 * each session then plans it once. Only for statements whose columns no migration changes under a running server.
 */
export const kept: RawBuilder<unknown> = sql.raw('/* kept */')
const mark = '/* kept */'

/** A plan of a long statement takes some 300 KB in each session of the pool. */
const maxNames = 48
const maxCounted = 1_000
const worthKeeping = 3

/** Names with this prefix stand for the same text on every client, which the embedded engine relies on. */
const prefix = 'kept_'
export const isKeptName = (name: string): boolean => name.startsWith(prefix)

/** Names the texts that come often; the others stay without. */
export class StatementNames {
  readonly #names = new Map<string, string>()
  readonly #seen = new Map<string, number>()

  nameOf(text: string): string | undefined {
    if (!text.startsWith(mark)) return undefined
    const known = this.#names.get(text)
    if (known !== undefined || this.#names.size >= maxNames) return known
    const times = (this.#seen.get(text) ?? 0) + 1
    if (this.#seen.size >= maxCounted) this.#seen.clear()
    this.#seen.set(text, times)
    if (times < worthKeeping) return undefined
    const name = prefix + createHash('sha256').update(text).digest('base64url').slice(0, 32)
    this.#names.set(text, name)
    this.#seen.delete(text)
    return name
  }
}
