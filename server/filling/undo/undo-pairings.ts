import { sql } from 'kysely'
import { rowsOf } from '#server/db/query.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { followVersions, idsOf, type JobRow } from '#server/filling/job-store.ts'
import { essBoardActions } from '#server/fleet/ess/ess-boards.ts'
import { holdFramesOf } from '#server/fleet/shared/board-memory.ts'
import { writeColumns } from '#server/fleet/shared/relations.ts'
import type { Undone } from './kept.ts'

type Board = { id: string; essId: string | null; lifecycle: string; version: number }

/** Restores the lifecycle of a board that the import attached. */
async function giveBack({ row, board }: { row: JobRow; board: Board }, work: Work): Promise<void> {
  const lifecycle = row.before?.lifecycle
  if (lifecycle === undefined) return
  await writeColumns(work, 'control_pcb', board.id, { lifecycle })
  const entry = { action: 'update', entityType: 'control-pcb', entityId: board.id, code: row.code }
  await work.audit({ ...entry, before: { lifecycle: board.lifecycle }, after: { lifecycle } })
}

/** Earlier imports follow the boards that were detached. */
async function followBoards(rows: readonly JobRow[], before: ReadonlyMap<string, Board>, { db }: Work): Promise<void> {
  const now = await rowsOf(
    db,
    sql<Pick<Board, 'id' | 'version'>>`select "id", "version" from "control_pcb" where "id" = any(${idsOf(rows)}::text[])`,
  )
  const versions = new Map(now.map(({ id, version }) => [id, version]))
  const moved = rows.flatMap(({ entityId, version }) => {
    const to = versions.get(entityId) ?? version
    return before.get(entityId)?.version === version && to > version ? [{ entityId, from: version - 1, to }] : []
  })
  await followVersions(db, moved)
}

/** Detaches boards that the import attached and that are unchanged since. */
export async function undoPairings(rows: readonly JobRow[], work: Work): Promise<Undone> {
  const undone: Undone = { removed: 0, kept: [] }
  await holdFramesOf(
    work.db,
    rows.map(({ entityId }) => entityId),
  )
  const found = await rowsOf(
    work.db,
    sql<Board>`select "id", "essId", "lifecycle", "version" from "control_pcb"
      where "id" = any(${idsOf(rows)}::text[]) order by "id" for update`,
  )
  const boards = new Map(found.map((board) => [board.id, board]))
  for (const row of rows) {
    const board = boards.get(row.entityId)
    if (!board?.essId || board.version !== row.version) {
      undone.kept.push({ row, reason: board ? 'changed' : 'gone' })
      continue
    }
    await giveBack({ row, board }, work)
    const values = { controlPcbId: board.id, reason: null }
    await essBoardActions['remove-control-pcb'].handler({ id: board.essId, values, record: undefined, work })
    await work.audit({
      action: 'remove-control-pcb',
      entityType: 'ess',
      entityId: board.essId,
      after: { controlPcb: row.code },
    })
    undone.removed += 1
  }
  await followBoards(rows, boards, work)
  return undone
}
