import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import { fleetStaff } from '#schema/roles.ts'
import { problem } from '#server/base/problems.ts'
import { rowOf } from '#server/db/query.ts'
import type { RecordTools, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { asAnswered } from '#server/engine/routes/record-routes.ts'
import { listSchema } from '#server/engine/routes/route-schemas.ts'
import { compareVersions } from '#server/fleet/shared/compare-versions.ts'
import { hasSoundFile } from './firmware-file.ts'

type Offered = Row & { firmwareVersion: string; minFromVersion: string | null; kind?: string }
type Board = { product: string; hardwareRevision: string; firmwareVersion: string | null }

/** Upgrades before downgrades. Without a board: released before those under test. */
const placeOf = ({ kind, status }: Offered, board: Board | undefined) =>
  Number(board ? kind === 'DOWNGRADE' : status !== 'RELEASED')

/** Firmware offered to a board, newest first; older versions are marked as a downgrade. */
async function offers(controlPcbId: string | undefined, { db, caller }: Work): Promise<Offered[]> {
  const board = controlPcbId
    ? await rowOf(
        db,
        sql<Board>`select "b"."product", "b"."hardwareRevision", "s"."firmwareVersion" from "control_pcb" "b" left join "boardState" "s" on "s"."controlPcbId" = "b"."id" where "b"."id" = ${controlPcbId}`,
      )
    : undefined
  if (controlPcbId && !board) throw problem('not-found')
  const statuses: RawBuilder<unknown> = caller.role === 'admin' ? sql`('RELEASED', 'TESTING')` : sql`('RELEASED')`
  const fits = board ? sql`"product" = ${board.product} and "hardwareRevisions" ? ${board.hardwareRevision}` : sql`true`
  const { rows } =
    await sql<Offered>`select "id", "version", "firmwareVersion", "status", "product", "hardwareRevisions", "minFromVersion", "mandatory", "releaseNotes", "file", "createdAt", "updatedAt"
    from "firmware" "f" where "status" in ${statuses} and ${fits} and ${hasSoundFile}`.execute(db)
  const current = board?.firmwareVersion
  return rows
    .filter(
      ({ firmwareVersion, minFromVersion }) =>
        !current || (firmwareVersion !== current && (!minFromVersion || compareVersions(current, minFromVersion) >= 0)),
    )
    .map((row) => ({ ...row, kind: current && compareVersions(row.firmwareVersion, current) < 0 ? 'DOWNGRADE' : 'UPGRADE' }))
    .toSorted((a, b) => placeOf(a, board) - placeOf(b, board) || compareVersions(b.firmwareVersion, a.firmwareVersion))
}

const index = z.coerce.number().int().min(0)
const offerQuery = z.strictObject({
  controlPcbId: z.string().max(64).optional(),
  q: z.string().max(64).optional(),
  _start: index.optional(),
  _end: index.optional(),
})

/** The offers as a searchable, paged list, like any options of a reference. */
export function offerFirmware(
  api: Parameters<NonNullable<ResourceRules['routes']>>[0],
  { withoutTransaction, context }: RecordTools,
): void {
  const schema = {
    querystring: offerQuery,
    summary: 'Firmware that a board may be asked to install',
    tags: ['firmware'],
    response: listSchema(context.definitions, 'firmware').response,
  }
  api.get('/firmware/for-request-update', { schema, config: { access: fleetStaff }, ...asAnswered }, async (request, reply) => {
    const { controlPcbId, q = '', _start = 0, _end } = request.query
    const all = await withoutTransaction(request, (work) => offers(controlPcbId, work))
    const found = all.filter(({ firmwareVersion }) => firmwareVersion.includes(q.trim()))
    reply.header('x-total-count', found.length)
    return found.slice(_start, _end)
  })
}
