import { sql } from 'kysely'
import { pairingFields } from '#schema/import-columns.ts'
import { check, createSchema } from '#schema/record-schema.ts'
import type { Label } from '#schema/words.ts'
import type { ShownFault } from '#server/base/problems.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { showFaults } from '#server/engine/records/show-faults.ts'
import { attachRefusal, essBoardActions } from '#server/fleet/ess/ess-boards.ts'
import { bulkWork } from './bulk-work.ts'
import { namedRecords, textAt } from './existing-records.ts'
import { fault, inWords, type Outcome, type Plan, type Planning, ragged, refusalOf, type Written } from './outcome.ts'
import type { SourceRow } from './source-rows.ts'

const form = createSchema(pairingFields)
const nothing: Label = ['There is no such record', 'Такой записи нет']

type Board = { essId: string | null; lifecycle: string }
/** Boards and systems of a file by their texts, and where the boards are, with those of the file's earlier rows. */
type Named = {
  boards: ReadonlyMap<string, string | undefined>
  systems: ReadonlyMap<string, string | undefined>
  places: Map<string, Board>
  withMain: Set<string>
  decommissioned: ReadonlySet<string>
}

async function named({ table, engine, work }: Planning): Promise<Named> {
  const names = (path: string) => [...new Set(table.rows.flatMap(({ values }) => textAt(values, path) ?? []))]
  const boards = await namedRecords({ engine, work, to: 'control-pcb', names: names('controlPcb') })
  const systems = await namedRecords({ engine, work, to: 'ess', names: names('ess') })
  const found = await rowsOf(
    work.db,
    sql<Board & { id: string }>`select "id", "essId", "lifecycle" from "control_pcb"
      where "id" = any(${sql.val([...boards.values()])}::text[])`,
  )
  const mains = await rowsOf(
    work.db,
    sql<{ essId: string }>`select distinct "essId" from "control_pcb"
      where "essId" = any(${sql.val([...systems.values()])}::text[]) and "role" = 'MAIN'`,
  )
  const ended = await rowsOf(
    work.db,
    sql<{ id: string }>`select "id" from "ess"
      where "id" = any(${sql.val([...systems.values()])}::text[]) and "lifecycle" = 'DECOMMISSIONED'`,
  )
  return {
    boards,
    systems,
    places: new Map(found.map(({ id, ...board }) => [id, board])),
    withMain: new Set(mains.map(({ essId }) => essId)),
    decommissioned: new Set(ended.map(({ id }) => id)),
  }
}

type Pairing = { boardId: string; essId: string; role: unknown; reason: unknown }
type Read = { faults: readonly ShownFault[] } | Pairing

function read({ values, isRagged }: SourceRow, { boards, systems }: Named): Read {
  if (isRagged) return { faults: [fault('', 'rule', ragged)] }
  const result = check(form, values)
  const shape = result.ok ? [] : showFaults(result.faults, pairingFields)
  const boardId = boards.get(textAt(values, 'controlPcb') ?? '')
  const essId = systems.get(textAt(values, 'ess') ?? '')
  const missing = (path: 'controlPcb' | 'ess') => ({
    ...fault(path, 'no-such-record', nothing),
    label: pairingFields[path].label,
  })
  const faults = [
    ...shape,
    ...(values.controlPcb !== undefined && !boardId ? [missing('controlPcb')] : []),
    ...(values.ess !== undefined && !essId ? [missing('ess')] : []),
  ]
  if (faults.length > 0 || !boardId || !essId) return { faults }
  return { boardId, essId, role: values.role ?? 'MAIN', reason: values.reason ?? null }
}

/** Judged like the action, by what was read for the whole file: nothing is written, and no statement is sent. */
function judge(source: SourceRow, known: Named, work: Work): Outcome | (Pairing & { source: SourceRow }) {
  const { row } = source
  const wanted = read(source, known)
  if ('faults' in wanted) return { row, kind: 'bad', faults: inWords(wanted.faults, work.language) }
  const { boardId, essId, role } = wanted
  const board = known.places.get(boardId) ?? { essId: null, lifecycle: '' }
  if (board.essId === essId) return { row, kind: 'skip', id: boardId }
  const isDecommissioned = known.decommissioned.has(essId)
  const refusal = attachRefusal(board, { role, hasMain: known.withMain.has(essId), isDecommissioned })
  if (refusal) return { row, kind: 'bad', faults: refusalOf(refusal, work.language) }
  known.places.set(boardId, { ...board, essId })
  if (role === 'MAIN') known.withMain.add(essId)
  return { ...wanted, source }
}

async function attach({ boardId, essId, role, reason, source }: Pairing & { source: SourceRow }, work: Work): Promise<void> {
  const values = { controlPcbId: boardId, role, reason }
  await essBoardActions['attach-control-pcb']({ id: essId, values, record: undefined, work })
  await work.audit({
    action: 'attach-control-pcb',
    entityType: 'ess',
    entityId: essId,
    code: String(source.values.ess),
    after: { controlPcb: String(source.values.controlPcb), role },
  })
}

/** Before the boards and by id, as an action on one system holds it before its board. */
const holdSystems = (work: Work, pairings: readonly Pairing[]) =>
  rowsOf(
    work.db,
    sql`select from "ess" where "id" = any(${sql.val(pairings.map(({ essId }) => essId))}::text[]) order by "id" for no key update`,
  )

type Stored = { id: string; code: string; version: number; lifecycle: string }

const boardsOf = (work: Work, pairings: readonly Pairing[]): Promise<Stored[]> =>
  rowsOf(
    work.db,
    sql<Stored>`select "id", "code", "version", "lifecycle" from "control_pcb"
      where "id" = any(${sql.val(pairings.map(({ boardId }) => boardId))}::text[]) order by "id" for no key update`,
  )

/** Attaches the boards; one that is registered only becomes active by that. */
async function attachAll(pairings: readonly (Pairing & { source: SourceRow })[], work: Work): Promise<Written[]> {
  await holdSystems(work, pairings)
  const before = new Map((await boardsOf(work, pairings)).map(({ id, lifecycle }) => [id, lifecycle]))
  for (const pairing of pairings) await attach(pairing, work)
  return (await boardsOf(work, pairings)).map(({ lifecycle, ...board }) => {
    const former = before.get(board.id)
    return { ...board, isNew: true, ...(former === lifecycle ? {} : { before: { lifecycle: former } }) }
  })
}

/** Plans the attaching of boards to systems, each row after the rows before it; the regular action writes. */
export async function planPairings(planning: Planning): Promise<Plan> {
  const { table, work, announced } = planning
  const known = await named(planning)
  const judged = table.rows.map((source) => judge(source, known, work))
  const pairings = judged.flatMap((one) => ('kind' in one ? [] : [one]))
  const outcomes = judged.map((one): Outcome => ('kind' in one ? one : { row: one.source.row, kind: 'create', values: {} }))
  const apply = async () => {
    const bulk = bulkWork(work, announced)
    const written = await attachAll(pairings, bulk.work)
    await bulk.flush()
    return written
  }
  return { outcomes, letters: 0, apply }
}
