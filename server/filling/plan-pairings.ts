import { sql } from 'kysely'
import { pairingFields } from '#schema/import-columns.ts'
import { check, createSchema } from '#schema/record-schema.ts'
import type { Label } from '#schema/words.ts'
import type { ShownFault } from '#server/base/problems.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { showFaults } from '#server/engine/records/show-faults.ts'
import { essBoardActions } from '#server/fleet/ess/ess-boards.ts'
import { bulkWork } from './bulk-work.ts'
import { namedRecords, textAt } from './existing-records.ts'
import { fault, inWords, type Outcome, type Plan, type Planning, refusalOf, type Written } from './outcome.ts'
import type { SourceRow } from './source-rows.ts'

const form = createSchema(pairingFields)
const ragged: Label = ['This row has more or fewer cells than the header', 'В строке другое число ячеек, чем в заголовке']
const nothing: Label = ['There is no such record', 'Такой записи нет']

type Places = ReadonlyMap<string, string | null>
type Named = {
  boards: ReadonlyMap<string, string | undefined>
  systems: ReadonlyMap<string, string | undefined>
  places: Places
}

/** The boards and systems in the file, and where the boards are now. */
async function named({ table, engine, work }: Planning): Promise<Named> {
  const names = (path: string) => [...new Set(table.rows.flatMap(({ values }) => textAt(values, path) ?? []))]
  const boards = await namedRecords({ engine, work, to: 'control-pcb', names: names('controlPcb') })
  const systems = await namedRecords({ engine, work, to: 'ess', names: names('ess') })
  const rows = await rowsOf(
    work.db,
    sql<{
      id: string
      essId: string | null
    }>`select "id", "essId" from "control_pcb" where "id" = any(${sql.val([...boards.values()])}::text[])`,
  )
  return { boards, systems, places: new Map(rows.map(({ id, essId }) => [id, essId])) }
}

type Read = { faults: readonly ShownFault[] } | { boardId: string; essId: string; role: unknown; reason: unknown }

function read({ values, isRagged }: SourceRow, { boards, systems }: Named): Read {
  const result = check(form, values)
  const shape = result.ok ? [] : showFaults(result.faults, pairingFields)
  const boardId = boards.get(textAt(values, 'controlPcb') ?? '')
  const essId = systems.get(textAt(values, 'ess') ?? '')
  const missing = (path: 'controlPcb' | 'ess') => ({
    ...fault(path, 'no-such-record', nothing),
    label: pairingFields[path].label,
  })
  const faults = [
    ...(isRagged ? [fault('', 'rule', ragged)] : []),
    ...shape,
    ...(values.controlPcb !== undefined && !boardId ? [missing('controlPcb')] : []),
    ...(values.ess !== undefined && !essId ? [missing('ess')] : []),
  ]
  if (faults.length > 0 || !boardId || !essId) return { faults }
  return { boardId, essId, role: values.role ?? 'MAIN', reason: values.reason ?? null }
}

type Attached = { boardId: string; essId: string; code: string; role: unknown }

async function attach(source: SourceRow, known: Named, work: Work): Promise<Outcome | Attached> {
  const { row, values } = source
  const wanted = read(source, known)
  if ('faults' in wanted) return { row, kind: 'bad', faults: inWords(wanted.faults, work.language) }
  const { boardId, essId, role, reason } = wanted
  if (known.places.get(boardId) === essId) return { row, kind: 'skip' }
  try {
    // It refuses before it writes, so a refused row has no side effect.
    await essBoardActions['attach-control-pcb']({
      id: essId,
      values: { controlPcbId: boardId, role, reason },
      record: undefined,
      work,
    })
    return { boardId, essId, code: String(values.controlPcb), role }
  } catch (error) {
    return { row, kind: 'bad', faults: refusalOf(error, work.language) }
  }
}

async function madeOf(work: Work, attached: readonly Attached[]): Promise<Written[]> {
  const rows = await rowsOf(
    work.db,
    sql<Written>`select "id", "code", "version" from "control_pcb" where "id" = any(${sql.val(attached.map(({ boardId }) => boardId))}::text[])`,
  )
  return rows
}

/**
 * Attaches boards to systems by the regular action. Each row depends on the rows before it, so planning executes the rows; a
 * dry run rolls the transaction back.
 */
export async function planPairings(planning: Planning): Promise<Plan> {
  const known = await named(planning)
  const bulk = bulkWork(planning.work)
  const attached: Attached[] = []
  const outcomes: Outcome[] = []
  for (const source of planning.table.rows) {
    const result = await attach(source, known, bulk.work)
    if ('kind' in result) {
      outcomes.push(result)
      continue
    }
    attached.push(result)
    outcomes.push({ row: source.row, kind: 'create', values: {} })
    const { essId, code, role } = result
    await bulk.work.audit({
      action: 'attach-control-pcb',
      entityType: 'ess',
      entityId: essId,
      code: String(source.values.ess),
      after: { controlPcb: code, role },
    })
  }
  const apply = async () => {
    await bulk.flush()
    return madeOf(planning.work, attached)
  }
  return { outcomes, letters: 0, apply }
}
