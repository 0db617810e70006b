import { mayRead } from '#schema/definition.ts'
import type { Fault } from '#schema/faults.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isComputed, sourcesOf } from '#schema/form/presets.ts'
import { check, createSchema } from '#schema/record-schema.ts'
import type { Role } from '#schema/roles.ts'
import { topOf } from '#schema/rule.ts'
import type { Row } from './resource-rules.ts'

/** Stands for the name of a field in its schema: definitions may share one field under several names. */
const ownKey = 'value'

/** Creating a schema costs more than using it: one per field. */
const schemas = new WeakMap<Field, ReturnType<typeof createSchema>>()

function schemaOf(field: Field) {
  const schema = schemas.get(field) ?? createSchema({ [ownKey]: field })
  schemas.set(field, schema)
  return schema
}

const under = (name: string, { path, ...fault }: Fault): Fault => ({
  ...fault,
  path: [name, ...path.split('.').slice(1)].join('.'),
})

type Filled = {
  values: Row
  sent: ReadonlySet<string>
  /** Fields that the caller can fill in. */
  writable: Fields
  role: Role
}

/** At the field itself where the caller can correct it, else at the value that the default is made of. */
function placed(fault: Fault, name: string, field: Field, { writable, role }: Filled): Fault {
  if (Object.hasOwn(writable, name)) return fault
  const sources = 'default' in field ? sourcesOf(String(field.default)).map(topOf) : []
  const source = sources.find((path) => Object.hasOwn(writable, path))
  if (source === undefined) return fault
  const { code, params } = fault
  return { path: source, code: 'unfit-default', params: mayRead(field, role) ? { ...params, field: name, why: code } : {} }
}

/** Computed defaults in stored form, as if they were typed, and the faults of those that their field does not take. */
export function settlePresets(fields: Fields, filled: Filled): { values: Row; faults: Fault[] } {
  const values: Record<string, unknown> = { ...filled.values }
  const faults: Fault[] = []
  for (const [name, field] of Object.entries(fields)) {
    const isPreset = 'default' in field && isComputed(field.default) && !filled.sent.has(name)
    if (!isPreset || (values[name] ?? null) === null) continue
    const result = check(schemaOf(field), { [ownKey]: values[name] })
    if (result.ok) values[name] = result.value[ownKey]
    else faults.push(...result.faults.map((fault) => placed(under(name, fault), name, field, filled)))
  }
  return { values, faults }
}
