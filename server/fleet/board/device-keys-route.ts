import { z } from 'zod'
import { filled, type Label } from '#schema/words.ts'
import type { Api } from '#server/base/context.ts'
import { invalid, problem } from '#server/base/problems.ts'
import { limits, takeAttempt } from '#server/base/rate-limits.ts'
import { fileAnswer } from '#server/engine/docs/described-answers.ts'
import { csvLine } from '#server/engine/export/csv.ts'
import { freshCaller } from '#server/engine/records/fresh-confirmation.ts'
import type { RecordTools, Work } from '#server/engine/records/resource-rules.ts'
import { unchecked } from '#server/engine/routes/record-routes.ts'
import { lockUsableBoards, makeDeviceKeys, makeOverlappingKeys, type NamedBoard } from './device-key.ts'

/** Boards per call: a larger fleet is split by filters. */
const mostBoards = 5_000

const body = z
  .strictObject({
    ids: z.array(z.uuid()).min(1).max(mostBoards).optional().meta({ description: 'Boards by their ids; no retired ones' }),
    filter: z
      .record(z.string(), z.union([z.string(), z.array(z.string())]))
      .optional()
      .meta({ description: 'Boards by the parameters of their list; retired ones are left out' }),
    replace: z.boolean().default(false).meta({
      description: 'True: present keys stop working at once. False: they work until the new one is used, and a day longer',
    }),
  })
  .refine(({ ids, filter }) => !ids !== !filter, { path: ['ids'], message: 'Name either ids or a filter' })

const notUsable: Label = ['Unknown or retired boards: {count}', 'Неизвестные или списанные платы: {count}']
const tooMany: Label = ['At most {count} boards at once', 'Не больше {count} плат за один раз']
const fault = (path: string, text: Label, count: number) => invalid([{ path, code: 'rule', text: filled(text, { count }) }])

/** CSV of the keys, and an audit entry per board without its key. */
async function keysTable(boards: readonly NamedBoard[], replaces: boolean, work: Work): Promise<string> {
  const { db, now, caller } = work
  const make = replaces ? makeDeviceKeys : makeOverlappingKeys
  const keys = await make(
    db,
    boards.map(({ id }) => id),
    { now, by: caller.userId },
  )
  const action = replaces ? 'device-key' : 'next-key'
  await work.auditAll(boards.map(({ id, code }) => ({ action, entityType: 'control-pcb', entityId: id, code })))
  for (const { id, version } of boards) work.changed({ resource: 'control-pcb', id, version, type: 'updated' })
  return [['code', 'uid', 'deviceKey'], ...boards.map(({ id, code, uid }) => [code, uid, keys.get(id) ?? ''])]
    .map(csvLine)
    .join('')
}

/** Keys for many boards as a CSV that only this answer contains: it is not stored for replay. */
export function deviceKeysRoute(api: Api, { context, transact, selectedIds }: RecordTools): void {
  const schema = {
    summary: 'Make device keys for a list or a filter of boards; only this answer contains them',
    operationId: 'device-keys control-pcb',
    tags: ['control-pcb'],
    body,
    response: { 201: fileAnswer('text/csv', 'Code, UID and new key of each board') },
  }
  const config = { access: ['admin'] as const, audit: { action: 'device-keys', entityType: 'control-pcb' } }
  const serializerCompiler = unchecked.serializerCompiler
  api.post(
    '/control-pcb/device-keys',
    { schema, config, serializerCompiler, bodyLimit: 512 * 1024 },
    async (request, reply) => {
      const { ids: named, filter, replace } = request.body
      const ids = named ?? (await selectedIds(request, 'control-pcb', { filter: filter ?? {}, most: mostBoards + 1 }))
      if (ids.length > mostBoards) throw fault('filter', tooMany, mostBoards)
      const table = await transact(request, async (work) => {
        await freshCaller({ context }, work)
        const { waitS } = await takeAttempt(work.db, [limits.exporting(work.caller.userId)], work.now)
        if (waitS > 0) throw problem('too-many', { retryAfterS: waitS })
        const boards = await lockUsableBoards(work.db, ids)
        const missing = new Set(named).size - boards.length
        if (missing > 0) throw fault('ids', notUsable, missing)
        return keysTable(boards, replace, work)
      })
      const name = `device-keys-${context.clock().toISOString().slice(0, 10)}.csv`
      reply.header('content-disposition', `attachment; filename="${name}"`).header('cache-control', 'no-store')
      return reply.code(201).type('text/csv; charset=utf-8').send(table)
    },
  )
}
