import { describe, expect, it } from 'vitest'
import { callOf, pathOf, rolesForAction } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { Action } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import { holds } from '#schema/rule.ts'
import { constantsOf } from '#server/engine/actions/action-values.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { leaveOut } from './left-out.ts'
import { sampleOf } from './samples.ts'
import { at, creator, fields, type Json, resource, type Subject } from './subject.ts'

const actions = Object.entries<Action>(resource.actions ?? {})
const [stateName, stateField] = fields.find(([, field]) => field.type === 'status' && isStored(field)) ?? []
const states = stateField?.type === 'status' ? Object.keys(stateField.states) : []
const now = '2026-03-02T08:00:00.123Z'

/** True where another action that the role has makes the very same call. */
const hasTwin = (name: string, action: Action, role: Role) =>
  actions.some(
    ([other, its]) =>
      other !== name &&
      callOf(resource, other, its).join(' ') === callOf(resource, name, action).join(' ') &&
      JSON.stringify(constantsOf(its)) === JSON.stringify(constantsOf(action)) &&
      rolesForAction(resource, its).includes(role),
  )

async function sent(subject: Subject, action: Action): Promise<Json> {
  const values: Json = {}
  for (const [name, field] of Object.entries<Field>(action.form ?? {})) {
    if (field.required !== true || 'default' in field) continue
    const isPointing = field.type === 'reference' && pathOf(resource, 'create') !== undefined
    values[name] = isPointing ? (await subject.pointedTo(field.to).catch(() => undefined))?.id : sampleOf(field, subject.next())
  }
  return { ...constantsOf(action), ...values }
}

/** A record in the state; where none can be made, the call is about one that there is not. */
async function recordIn(subject: Subject, state: string | undefined): Promise<Json> {
  if (!creator) return { id: '01890000-0000-7000-8000-000000000000' }
  const { id } = await subject.made()
  if (state) await subject.server.select(`update "${tableOf(resource)}" set "${stateName}" = '${state}' where "id" = '${id}'`)
  return (await subject.server.get(at(id, 'show'), creator)).body
}

type Cell = { name: string; action: Action; role: Role; record: Json; state: string | undefined }

/** Outcome of a cell by the definition. */
function verdictOf({ name, action, role, record }: Cell): 'forbidden' | 'wrong state' | 'open' {
  if (!rolesForAction(resource, action).includes(role) && !hasTwin(name, action, role)) return 'forbidden'
  if (action.on === 'list' || !action.when || !creator) return 'open'
  return holds(action.when, record, { user: { id: 'u1', role }, now }) ? 'open' : 'wrong state'
}

async function tried(subject: Subject, cell: Cell): Promise<void> {
  const { name, action, role, record, state } = cell
  const [method, path] = callOf(resource, name, action)
  const where = `${name} by a ${role}${state ? ` in ${state}` : ''}`
  const verdict = verdictOf(cell)
  if (method === 'GET' || verdict === 'open') return
  const before = creator && (await subject.row(record.id))
  const body = { ...(await sent(subject, action)), ...(action.on === 'list' ? {} : { version: before?.version ?? 1 }) }
  const answer = await subject.server.call(method, path.replace('{id}', String(record.id)), { as: role, body })
  if (creator) expect(await subject.row(record.id), `${where}: the row`).toEqual(before)
  if (verdict === 'forbidden') return expect([403, 404, 405], `${where}: ${answer.text}`).toContain(answer.status)
  expect([400, 403, 404, 409], `${where}: ${answer.text}`).toContain(answer.status)
  const isBySomethingElse = answer.body.code !== 'action.wrong-state'
  if (isBySomethingElse) leaveOut(`${where}, by its state`, `it is refused before that (${answer.body.code})`)
}

/** Every action by every role in every state: refused, and the row as it was, wherever the definition refuses. */
export function actionCells(subject: () => Subject): void {
  if (actions.length === 0) return leaveOut('actions', 'there are none')
  if (!creator) leaveOut('actions in their states', 'no record can be made here; roles are tried')
  if (states.length === 0) leaveOut('actions in their states', 'no stored field of the type status')
  const inStates = creator && states.length > 0 ? states : [undefined]
  const tries = actions.filter(([name, action]) => {
    const why = action.through ? `its call is an action of what ${action.through} points to` : undefined
    const reads = callOf(resource, name, action)[0] === 'GET' ? 'it only reads' : undefined
    if (why ?? reads) leaveOut(name, why ?? reads ?? '')
    return !why && !reads
  })
  if (tries.length === 0) return
  describe('refuses an action where it is not granted', { timeout: 120_000 }, () => {
    it.each(tries)('%s', async (name, action) => {
      for (const state of inStates) {
        const record = await recordIn(subject(), state)
        for (const role of roles) await tried(subject(), { name, action, role, record, state })
      }
    })
  })
}
