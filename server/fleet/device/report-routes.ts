import { sql } from 'kysely'
import { z } from 'zod'
import { updateFailures, updateStates } from '#resources/shared/updates.ts'
import type { Api } from '#server/base/context.ts'
import { problem } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { reportedStates, reportProgress, statesAfter } from '#server/fleet/firmware/updates/report-progress.ts'
import { updateOfBoard } from '#server/fleet/firmware/updates/update-rows.ts'
import { configurationChange, writeReports } from '#server/fleet/ingest/board-report.ts'
import { storeOutcomes } from '#server/fleet/ingest/configuration-outcomes.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { isKeepable, type Value } from '#server/frames/wire-field.ts'
import { type DeviceTools, ofDevices, withBoard } from './device-tools.ts'

/** Same limit as for a frame. */
const bodyLimit = 16 * 1024

/** Any JSON object: the library's recursive schema would reference a path that the API description lacks. */
const settings = z
  .record(z.string().max(64), z.any())
  .refine((given) => isKeepable(given), { message: 'Nested too deeply, or with characters that can not be stored' })
const configurationBody = z.strictObject({
  version: z
    .int()
    .min(0)
    .max(2 ** 31 - 1),
  result: z.enum(['APPLIED', 'REJECTED', 'REPORTED']),
  reason: z.string().max(250).optional().meta({ description: 'Why it was refused' }),
  reported: settings.optional().meta({ description: 'What the board runs with; without it, what it was asked to apply' }),
})

const choices = { code: 'not-a-choice', facts: { choices: reportedStates.join(', ') } }
/** A state that only the server sets is refused by the state machine, which tells those that may follow. */
const stateName = z
  .string()
  .max(20)
  .refine((name) => Object.hasOwn(updateStates, name), { params: choices })
  .meta({ enum: [...reportedStates], description: 'One that a board may report' })
const failureNames = Object.keys(updateFailures) as [string, ...string[]]
const progressBody = z.strictObject({
  state: stateName,
  progressPct: z.number().min(0).max(100).optional(),
  receivedB: z.int().min(0).optional(),
  failure: z.enum(failureNames).optional(),
  version: z.string().max(20).optional().meta({ description: 'The version that is installed' }),
})

async function mustExist(db: Queryable, controlPcbId: string, version: number): Promise<void> {
  const known = await rowOf(
    db,
    sql`select 1 from "configuration" where "controlPcbId" = ${controlPcbId} and "version" = ${version}`,
  )
  if (!known) throw problem('not-found')
}

function configurationRoute(api: Api, tools: DeviceTools): void {
  const schema = {
    summary: 'What became of a configuration at the board; the same effect as a CONFIG_ACK frame',
    tags: ['device-api'],
    body: configurationBody,
    response: { 204: z.null() },
  }
  const { guard, throttle } = tools
  const options = { schema, config: ofDevices, onRequest: guard.onRequest, bodyLimit }
  api.post('/device/v1/configuration', options, async (request, reply) => {
    const { version, result, reason, reported } = request.body
    const key = guard.keyOf(request)
    const values: Record<string, Value> = {
      configVersion: version,
      result,
      rejectReason: reason ?? null,
      configuration: reported ?? null,
    }
    await withBoard(tools, key, async (db, board) => {
      const { controlPcbId } = board
      if (result !== 'REPORTED') await mustExist(db, controlPcbId, version)
      await writeReports(db, [{ controlPcbId, change: configurationChange(values, key.now) }])
      await storeOutcomes(db, [{ controlPcbId, values, receivedAt: key.now }])
      await throttle.tell(db, [{ board, packageId: undefined }], key.now)
    })
    return reply.code(204).send(null)
  })
}

function progressRoute(api: Api, tools: DeviceTools): void {
  const schema = {
    summary: 'How an update goes at the board; the same effect as an FW_PROGRESS frame',
    tags: ['device-api'],
    params: z.object({ updateId: z.string().max(64).meta({ description: 'Id of the update, as the state names it' }) }),
    body: progressBody,
    response: { 204: z.null() },
  }
  const { guard } = tools
  const options = { schema, config: ofDevices, onRequest: guard.onRequest, bodyLimit }
  api.post('/device/v1/updates/:updateId', options, async (request, reply) => {
    const { state, progressPct, receivedB, failure, version } = request.body
    const key = guard.keyOf(request)
    await withBoard(tools, key, async (db, { controlPcbId }) => {
      const update = await updateOfBoard(db, controlPcbId, request.params.updateId)
      if (!update) throw problem('not-found')
      const { toVersion, status } = update
      if (version !== undefined && version !== toVersion) throw fleetProblem('update.other-version', { values: { toVersion } })
      if (await reportProgress(db, update, { state, progressPct, receivedB, failure }, key.now)) return
      const allowed = statesAfter(update)
      throw fleetProblem('update.state', { allowed, values: { present: status, state, next: allowed.join(', ') || '–' } })
    })
    return reply.code(204).send(null)
  })
}

/** Reports by separate calls instead of frames. */
export function reportRoutes(api: Api, tools: DeviceTools): void {
  configurationRoute(api, tools)
  progressRoute(api, tools)
}
