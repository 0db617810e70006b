import { baseOf, holdsSecret, reasonField, titleOf } from '#schema/definition.ts'
import { type Field, type Fields, holdsFiles } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { type Action, type AnyResource, systemFields } from '#schema/resource.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { ownValue, realChange } from './form-values.ts'
import type { Row, Work } from './resource-rules.ts'

const mask = '•••'

/** A file is logged by name and hash: its content can be proved, but not read. */
const fileTrace = (file: unknown): unknown => (isObject(file) ? { name: file.name, sha256: file.sha256 } : null)

/** Parts of one group, or of one row of a list; an empty secret is empty. */
const tracedParts = (fields: Fields, value: unknown): unknown =>
  isObject(value)
    ? Object.fromEntries(
        Object.entries(value).map(([name, part]) => {
          const field = fields[name]
          return [name, field && part !== null ? tracedValue(field, part) : part]
        }),
      )
    : value

function tracedValue(field: Field, value: unknown): unknown {
  if (field.type === 'secret') return value === null ? null : mask
  if ('fields' in field && holdsSecret(field)) {
    const own = ownValue(field, value)
    return Array.isArray(own) ? own.map((row) => tracedParts(field.fields, row)) : tracedParts(field.fields, own)
  }
  if (!holdsFiles(field)) return ownValue(field, value)
  return Array.isArray(value) ? value.map(fileTrace) : fileTrace(value)
}

const isAudited = (name: string, field: Field) => isStored(field) && !Object.hasOwn(systemFields, name)

/** Stored, non-empty fields of an audit entry; secrets are named but not shown. */
function filledFields(fields: Fields, row: Row): Row {
  const shown = Object.entries(fields).filter(
    ([name, field]) => isAudited(name, field) && row[name] !== null && row[name] !== undefined,
  )
  return Object.fromEntries(shown.map(([name, field]) => [name, tracedValue(field, row[name])]))
}

/** Values of `row` for the changed fields. */
const pick = (fields: Fields, names: readonly string[], row: Row): Row =>
  Object.fromEntries(
    names.flatMap((name) => {
      const field = fields[name]
      return field && isAudited(name, field) ? [[name, tracedValue(field, row[name])]] : []
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

/** Entity type, id and title of an entry's record. */
export function auditSubject(resource: AnyResource, record: Row) {
  const code = record[titleOf(resource)]
  return {
    entityType: baseOf(resource),
    entityId: typeof record.id === 'string' ? record.id : '',
    ...(typeof code === 'string' ? { code } : {}),
  }
}

/** Audits a change: values before and after, of the fields that differ. */
export async function auditChange(work: Work, { action, resource, fields, before, after, reason }: Audited): Promise<void> {
  const names = before && after ? Object.keys(realChange(fields, after, before)) : []
  await work.audit({
    action,
    ...auditSubject(resource, after ?? before ?? {}),
    ...(before ? { before: after ? pick(fields, names, before) : filledFields(fields, before) } : {}),
    ...(after ? { after: before ? pick(fields, names, after) : filledFields(fields, after) } : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  })
}

const traceOfForm = (field: Field | undefined, value: unknown): unknown =>
  field && (holdsSecret(field) || holdsFiles(field)) ? tracedValue(field, value) : value

type AuditedAction = {
  action: string
  resource: AnyResource
  does: Action
  before: Row | undefined
  after: Row | undefined
  values: Row
}

/** Audits an action: its changes of the record, or else the request. */
export async function auditAction(work: Work, { action, resource, does, before, after, values }: AuditedAction): Promise<void> {
  const [why, form] = [reasonField(does), does.form ?? {}]
  const reason = values[why]
  if (before && after && before.version !== after.version) {
    return auditChange(work, { action, resource, fields: resource.fields, before, after, reason })
  }
  const asked = Object.entries(values).filter(([name, value]) => name !== why && value !== null && value !== undefined)
  await work.audit({
    action,
    ...auditSubject(resource, before ?? {}),
    ...(asked.length > 0
      ? { after: Object.fromEntries(asked.map(([name, value]) => [name, traceOfForm(form[name], value)])) }
      : {}),
    ...(typeof reason === 'string' ? { reason } : {}),
  })
}
