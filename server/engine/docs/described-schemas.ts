import { z } from 'zod'
import { isObject } from '#schema/is-object.ts'
import { schemaNames } from '#server/engine/routes/route-schemas.ts'

export type Json = Record<string, unknown>

export const isZod = (value: unknown): value is z.ZodType => value instanceof z.ZodType

/** JSON Schema of a value; named schemas become references. */
export class Schemas {
  readonly components: Json = {}

  of(schema: unknown): Json {
    if (!isZod(schema)) return isObject(schema) ? { ...schema } : {}
    const name = schemaNames.get(schema)
    if (name === undefined)
      return schema instanceof z.ZodArray ? { type: 'array', items: this.of(schema.element) } : plain(schema)
    this.components[name] ??= plain(schema)
    return { $ref: `#/components/schemas/${name}` }
  }
}

/** JSON Schema of a value without references. */
export function plain(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  return json
}
