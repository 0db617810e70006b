import { reasonField, titleOf } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { type Action, type AnyResource, systemFields } from '#schema/resource.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { ownValue, realChange } from './form-values.ts'
import type { Row, Work } from './resource-rules.ts'

const mask = '•••'

const isTold = (name: string, field: Field) => isStored(field) && !Object.hasOwn(systemFields, name)

/** Stored, non-empty fields of an audit entry; secrets are named but not shown. */
function told(fields: Fields, row: Row): Row {
  const shown = Object.entries(fields).filter(
    ([name, field]) => isTold(name, field) && row[name] !== null && row[name] !== undefined,
  )
  return Object.fromEntries(shown.map(([name, field]) => [name, field.type === 'secret' ? mask : ownValue(field, row[name])]))
}

/** The values of `row` for the fields that a change concerns. */
const pick = (fields: Fields, names: readonly string[], row: Row): Row =>
  Object.fromEntries(
    names.flatMap((name) => {
      const field = fields[name]
      return field && isTold(name, field) ? [[name, field.type === 'secret' ? mask : ownValue(field, row[name])]] : []
    }),
  )

type Audited = {
  action: string
  resource: AnyResource
  fields: Fields
  before?: Row | undefined
  after?: Row | undefined
  reason?: unknown
}

/** Writes the entry of a change: what a record had and has, of the fields that differ. */
export async function auditChange(work: Work, { action, resource, fields, before, after, reason }: Audited): Promise<void> {
  const record = after ?? before ?? {}
  const names = before && after ? Object.keys(realChange(fields, after, before)) : []
  const code = record[titleOf(resource)]
  await work.audit({
    action,
    entityType: resource.subset?.of ?? resource.name,
    entityId: String(record.id),
    ...(typeof code === 'string' ? { code } : {}),
    ...(before ? { before: after ? pick(fields, names, before) : told(fields, before) } : {}),
    ...(after ? { after: before ? pick(fields, names, after) : told(fields, after) } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  })
}

type AuditedAction = {
  action: string
  resource: AnyResource
  does: Action
  before: Row | undefined
  after: Row | undefined
  values: Row
}

/** Writes the entry of an action: what it changed of the record, or else what was asked for. */
export async function auditAction(work: Work, { action, resource, does, before, after, values }: AuditedAction): Promise<void> {
  const [why, form] = [reasonField(does), does.form ?? {}]
  const reason = values[why]
  if (before && after && before.version !== after.version) {
    return auditChange(work, { action, resource, fields: resource.fields, before, after, reason })
  }
  const code = before?.[titleOf(resource)]
  const secrets = new Set(Object.keys(form).filter((name) => form[name]?.type === 'secret'))
  const asked = Object.entries(values).filter(([name, value]) => name !== why && value !== null && value !== undefined)
  await work.audit({
    action,
    entityType: resource.subset?.of ?? resource.name,
    entityId: typeof before?.id === 'string' ? before.id : '',
    ...(typeof code === 'string' ? { code } : {}),
    ...(asked.length > 0
      ? { after: Object.fromEntries(asked.map(([name, value]) => [name, secrets.has(name) ? mask : value])) }
      : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  })
}
