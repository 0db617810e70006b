import { allFields, fieldOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { invalid, type Problem, problem, type ShownFault } from '#server/base/problems.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { choicesName, setIndexName, uniqueIndexName } from '#server/engine/sql/table-plan.ts'
import { showFaults } from './show-faults.ts'

type Refusal = { code: string; constraint?: string; detail?: string }

const isRefusal = (error: unknown): error is Refusal =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && /^[0-9A-Z]{5}$/.test(error.code)

const faultAt = (resource: AnyResource, path: string): ShownFault => {
  const label = fieldOf(resource, path)?.label
  return { path, code: 'duplicate', ...(label ? { label } : {}) }
}

/** Fields of a violated unique index: by its name for a definition's, by the error detail for a hand-written one. */
function duplicateFields(resources: readonly AnyResource[], { constraint, detail }: Refusal): string[] {
  const names = [...new Set(resources.flatMap(({ fields }) => Object.keys(fields)))]
  const table = resources[0] ? tableOf(resources[0]) : ''
  const own = names.filter((name) => uniqueIndexName(table, name) === constraint)
  if (own.length > 0) return own
  const columns = /^Key \((.+?)\)=\(/.exec(detail ?? '')?.[1] ?? ''
  return names.filter((name) => new RegExp(`\\b${name}\\b`).test(columns))
}

/** Fields of a violated composite key; undefined for any other error. */
const sharedSet = (resources: readonly AnyResource[], { constraint }: Refusal): readonly string[] | undefined =>
  resources
    .flatMap((resource) => (resource.unique ?? []).map((set) => ({ set, table: tableOf(resource) })))
    .find(({ set, table }) => setIndexName(table, set) === constraint)?.set

function duplicate(resources: readonly AnyResource[], refusal: Refusal): Problem {
  const [resource] = resources
  const together = sharedSet(resources, refusal)
  const fields = together ?? duplicateFields(resources, refusal)
  const faults = fields.map((path) => faultAt(resources.find((one) => fieldOf(one, path)) ?? resource ?? nothing, path))
  return together ? problem('duplicate-together', { faults }, refusal) : problem('duplicate', { faults }, refusal)
}
const nothing: AnyResource = { name: '', label: { one: ['', ''], many: ['', ''] }, fields: {} }

function noChoice(resources: readonly AnyResource[], { constraint }: Refusal): Problem {
  const faults = resources.flatMap((resource) =>
    Object.keys(resource.fields)
      .filter((name) => choicesName(tableOf(resource), name) === constraint)
      .flatMap((path) => showFaults([{ path, code: 'not-a-choice' }], allFields(resource))),
  )
  return invalid(faults)
}

const dataException = /^22/

/** Maps a database error to a problem: duplicate value, unknown choice, value out of range. Other errors pass through. */
export function asProblem(error: unknown, resources: readonly AnyResource[]): unknown {
  if (!isRefusal(error)) return error
  if (error.code === '23505') return duplicate(resources, error)
  if (error.code === '23514') return noChoice(resources, error)
  return dataException.test(error.code) ? problem('invalid', {}, error) : error
}
