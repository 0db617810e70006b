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

const anAddress = 'name@example.com'

/** Bounds that every whole number has say nothing, and a form that is filled in by example needs one that can be read. */
function readable({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum
  if (jsonSchema.format === 'email') jsonSchema.examples = [anAddress]
}

/** JSON Schema of a value without references. */
export function plain(schema: z.ZodType): Json {
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any', override: readable })
  return json
}
