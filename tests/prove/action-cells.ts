import { describe, expect, it } from 'vitest'
import { withArticle } from '#schema/check/report/report.ts'
import { callOf, rolesForAction } from '#schema/definition.ts'
import { constantsOf } from '#schema/facts/shared-calls.ts'
import type { Action } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import { holds } from '#schema/rule.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import type { Json } from './proven.ts'
import { skipCheck } from './skipped-checks.ts'
import { formValues } from './step-values.ts'
import { at, fields, resource, type Subject } from './subject.ts'
import { Unmade } from './transport.ts'

const actions = Object.entries<Action>(resource.actions ?? {})
const [stateName, stateField] = fields.find(([, field]) => field.type === 'status' && isStored(field)) ?? []
const states = stateField?.type === 'status' ? Object.keys(stateField.states) : []
const now = '2026-03-02T08:00:00.123Z'

/** True where the body of one action fits another one, too: their constants do not contradict each other. */
const agree = (own: Json, other: Json) => Object.entries(other).every(([name, value]) => [undefined, value].includes(own[name]))

/** True where the role has another action that makes the same call with such a body. */
const mayCallOtherwise = (name: string, action: Action, role: Role) =>
  actions.some(
    ([other, its]) =>
      other !== name &&
      callOf(resource, other, its).join(' ') === callOf(resource, name, action).join(' ') &&
      agree(constantsOf(action), constantsOf(its)) &&
      rolesForAction(resource, its).includes(role),
  )

/** Values for the form; without those that cannot be made, which the form then asks for. */
async function sent(subject: Subject, { action, role, record }: Cell): Promise<Json> {
  const values = await formValues(subject.maker, resource, { action, role, record }).catch((error: unknown) => {
    if (error instanceof Unmade) return {}
    throw error
  })
  return { ...values, ...constantsOf(action) }
}

/** A record in the state; where none can be made, the call is about one that there is not. */
async function recordIn(subject: Subject, state: string | undefined): Promise<Json> {
  const { creator } = subject
  if (!creator) return { id: '01890000-0000-7000-8000-000000000000' }
  const { id } = await subject.made()
  if (state) await subject.server.select(`update "${tableOf(resource)}" set "${stateName}" = '${state}' where "id" = '${id}'`)
  return (await subject.server.get(at(id, 'show'), creator)).body
}

type Cell = { name: string; action: Action; role: Role; record: Json; state: string | undefined }

/** Outcome of a cell by the definition. */
function verdictOf({ creator }: Subject, { name, action, role, record }: Cell): 'forbidden' | 'wrong state' | 'open' {
  if (!rolesForAction(resource, action).includes(role) && !mayCallOtherwise(name, action, role)) return 'forbidden'
  if (action.on === 'list' || !action.when || !creator) return 'open'
  return holds(action.when, record, { user: { id: 'u1', role }, now }) ? 'open' : 'wrong state'
}

/** The cell with a record that the role sees, as far as its scope lets it see one in that state. */
async function inScope(subject: Subject, cell: Cell): Promise<Cell> {
  const { creator, server } = subject
  if (!creator) return cell
  await subject.bringTo(cell.record.id, { role: cell.role, userId: 'u1', kept: stateName })
  return { ...cell, record: (await server.get(at(cell.record.id, 'show'), creator)).body }
}

async function tried(subject: Subject, cell: Cell): Promise<void> {
  const { name, action, role, record, state } = cell
  const [method, path] = callOf(resource, name, action)
  const where = `${name} by ${withArticle(role)}${state ? ` in ${state}` : ''}`
  const verdict = verdictOf(subject, cell)
  const { creator } = subject
  if (method === 'GET' || verdict === 'open') return
  const before = creator && (await subject.row(record.id))
  const body = { ...(await sent(subject, cell)), ...(action.on === 'list' ? {} : { version: before?.version ?? 1 }) }
  const answer = await subject.server.call(method, path.replace('{id}', String(record.id)), { as: role, body })
  if (creator) expect(await subject.row(record.id), `${where}: the row`).toEqual(before)
  if (verdict === 'forbidden') return expect([403, 404, 405], `${where}: ${answer.text}`).toContain(answer.status)
  expect([400, 403, 404, 409], `${where}: ${answer.text}`).toContain(answer.status)
  const isBySomethingElse = answer.body.code !== 'action.wrong-state'
  if (isBySomethingElse) skipCheck(`${where}, by its state`, `it is refused before that (${answer.body.code})`)
}

/** Every action by every role in every state: refused, and the row as it was, wherever the definition refuses. */
export function actionCells(subject: () => Subject): void {
  if (actions.length === 0) return skipCheck('actions', 'there are none')
  if (states.length === 0) skipCheck('actions in their states', 'no stored field of the type status')
  const tries = actions.filter(([name, action]) => {
    const why = action.through ? `its call is an action of what ${action.through} points to` : undefined
    const reads = callOf(resource, name, action)[0] === 'GET' ? 'it only reads' : undefined
    if (why ?? reads) skipCheck(name, why ?? reads ?? '')
    return !why && !reads
  })
  if (tries.length === 0) return
  describe('refuses an action where it is not granted', { timeout: 120_000 }, () => {
    it.each(tries)('%s', async (name, action) => {
      const inStates = subject().isMade('actions in their states') && states.length > 0 ? states : [undefined]
      for (const state of inStates) {
        const record = await recordIn(subject(), state)
        for (const role of roles) await tried(subject(), await inScope(subject(), { name, action, role, record, state }))
      }
    })
  })
}
