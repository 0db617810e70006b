import { titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import type { Secrets } from './secrets.ts'
import { exampleValue } from './steps.ts'

/** A reported value, and the id of its record with its title, if it has another one. */
export type Example = { id: string; value: unknown; title?: string }

/** A finding with its row count and the first examples. */
export type Counted<About> = About & { rows: number; examples: readonly Example[] }

export const mostExamples = 10

/** Counts the rows of one finding and keeps the first examples. */
export class Tally<About extends { kind: string; resource: string; field: string }> {
  readonly #found = new Map<string, About & { rows: number; examples: Example[] }>()
  readonly #secrets: Secrets

  constructor(secrets: Secrets) {
    this.#secrets = secrets
  }

  /** The title says which record it is, unless it is the reported value itself. No secret is in either. */
  example({ resource, name }: { resource: AnyResource; name: string }, row: Row, value: unknown): Example {
    const [id, key, shown] = [String(row.id), titleOf(resource), this.#secrets.shown(name, value)]
    const title = row[key]
    const isTitled = typeof title === 'string' && title !== '' && key !== 'id' && key !== name && !this.#secrets.has(key)
    return isTitled ? { id, value: shown, title } : { id, value: shown }
  }

  add(about: About, example: Example): void {
    const key = `${about.resource} ${about.field} ${about.kind}`
    const known = this.#found.get(key) ?? { ...about, rows: 0, examples: [] }
    known.rows += 1
    if (known.examples.length < mostExamples) known.examples.push(example)
    this.#found.set(key, known)
  }

  clear(): void {
    this.#found.clear()
  }

  get all(): Counted<About>[] {
    return [...this.#found.values()]
  }
}

export const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`

export const exampleText = ({ id, value, title }: Example) =>
  `${title === undefined ? id : `${title} (${id})`}: ${exampleValue(value)}`
