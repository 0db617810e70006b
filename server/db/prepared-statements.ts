import { createHash } from 'node:crypto'
import { type RawBuilder, sql } from 'kysely'

/**
 * Marks a frequent statement that takes longer to plan than to run (a page of a list: 3 ms to 1 ms): each session prepares it
 * once. Only for statements whose columns no migration changes under a running server.
 */
export const prepared: RawBuilder<unknown> = sql.raw('/* prepared */')
const mark = '/* prepared */'

/** The plan of a long statement takes some 300 KB per session of the pool. */
const maxNames = 48
const maxCounted = 1_000
const worthPreparing = 3

/** A name with this prefix determines its text on every client, which the embedded engine relies on. */
const prefix = 'prepared_'
export const isPreparedName = (name: string): boolean => name.startsWith(prefix)

/** Names frequent statements; others stay unnamed. */
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
    if (times < worthPreparing) return undefined
    const name = prefix + createHash('sha256').update(text).digest('base64url').slice(0, 32)
    this.#names.set(text, name)
    this.#seen.delete(text)
    return name
  }
}
