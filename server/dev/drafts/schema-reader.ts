import { isObject } from '#schema/is-object.ts'

export type Json = Readonly<Record<string, unknown>>

export const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []

/** Choices of a schema without the null that means "may be empty". */
const choicesOf = ({ anyOf, oneOf }: Json): unknown[] =>
  [anyOf, oneOf].flatMap((list) => (Array.isArray(list) ? list : [])).filter((one) => !isObject(one) || one.type !== 'null')

const deepest = 20

/** Schemas of a document with their references followed and their parts joined. */
export class SchemaReader {
  readonly #document: Json
  /** Place of each joined schema in the document. */
  readonly #origins = new WeakMap<Json, unknown>()
  /** Schemas whose properties are read at the moment, the outermost first. */
  readonly #open: unknown[] = []

  constructor(document: Json) {
    this.#document = document
  }

  at(pointer: string): Json {
    let found: unknown = this.#document
    for (const key of pointer.replace(/^#?\//, '').split('/'))
      found = isObject(found) ? found[decodeURIComponent(key)] : undefined
    if (!isObject(found)) throw new Error(`There is nothing at ${pointer}`)
    return found
  }

  whole(schema: unknown, depth = 0): Json {
    const joined = this.#joined(schema, depth)
    this.#origins.set(joined, this.#originOf(schema))
    return joined
  }

  /** Runs a call that reads the properties of a schema; undefined for a recursive one. */
  inside<T>(schema: Json, read: () => T): T | undefined {
    const origin = this.#origins.get(schema)
    if (this.#open.includes(origin)) return undefined
    this.#open.push(origin)
    const found = read()
    this.#open.pop()
    return found
  }

  #joined(schema: unknown, depth: number): Json {
    if (!isObject(schema) || depth > deepest) return {}
    if (typeof schema.$ref === 'string') return { ...this.whole(this.at(schema.$ref), depth + 1) }
    const parts = Array.isArray(schema.allOf) ? schema.allOf.map((part) => this.whole(part, depth + 1)) : []
    const [only, ...others] = choicesOf(schema)
    if (only && others.length === 0) parts.push(this.whole(only, depth + 1))
    const all = [...parts, schema]
    return {
      ...Object.assign({}, ...all),
      properties: Object.assign({}, ...all.map(({ properties }) => properties)),
      required: all.flatMap(({ required }) => textsOf(required)),
    }
  }

  /** The schema behind references and behind what wraps a single one, by which it is known again. */
  #originOf(schema: unknown, depth = 0): unknown {
    if (!isObject(schema) || depth > deepest) return schema
    if (typeof schema.$ref === 'string') return this.#originOf(this.at(schema.$ref), depth + 1)
    const [only, ...others] = [...(Array.isArray(schema.allOf) ? schema.allOf : []), ...choicesOf(schema)]
    return only && others.length === 0 && !isObject(schema.properties) ? this.#originOf(only, depth + 1) : schema
  }
}
