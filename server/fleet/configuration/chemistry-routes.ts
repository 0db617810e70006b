import { sql } from 'kysely'
import { z } from 'zod'
import {
  type CellPreset,
  type ChemistryPreset,
  cellBounds,
  cellsIn,
  cellValues,
  type PresetEffect,
  presetFaults,
} from '#resources/fleet/chemistry-preset.ts'
import { fleetStaff } from '#schema/roles.ts'
import { takeLock } from '#server/base/advisory-locks.ts'
import { invalid, problem, type ShownFault } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { ResourceRules, Work } from '#server/engine/records/resource-rules.ts'
import { asAnswered } from '#server/engine/routes/record-routes.ts'
import { chemistryPresets } from './chemistry-presets.ts'
import { previewPreset } from './chemistry-preview.ts'

const voltage = z.int().min(cellBounds.lowestMv).max(cellBounds.highestMv)
const cellsSchema = z.strictObject({
  lowestMinMv: voltage,
  highestMinMv: voltage,
  lowestMaxMv: voltage,
  highestMaxMv: voltage,
  usualMinMv: voltage,
  usualMaxMv: voltage,
  nominalMv: voltage,
})
const presetSchema = cellsSchema.extend({ version: z.int().min(0) })
const params = z.object({ chemistry: z.string().max(64) })

async function presetNow(db: Queryable, chemistry: string): Promise<ChemistryPreset> {
  const found = (await chemistryPresets(db)).find((preset) => preset.chemistry === chemistry)
  if (!found) throw problem('not-found')
  return found
}

function refuseNonsense(cells: CellPreset): void {
  const faults = [...presetFaults(cells)].map(
    ([path, text]): ShownFault => ({ path, code: 'rule', label: cellValues[path], text }),
  )
  if (faults.length > 0) throw invalid(faults)
}

type Change = { before: ChemistryPreset; after: CellPreset; action: 'set-chemistry-preset' | 'reset-chemistry-preset' }

const note = ({ audit }: Work, { before, after, action }: Change) =>
  audit({
    action,
    entityType: 'chemistry-preset',
    entityId: before.chemistry,
    code: before.chemistry,
    before: cellsIn(before),
    after: cellsIn(after),
  })

/** Serialised: two concurrent first writes of a preset would both find none. */
const oneByOne = ({ db }: Work) => takeLock(db, 'chemistries')

async function store(chemistry: string, { version, ...cells }: z.infer<typeof presetSchema>, work: Work): Promise<void> {
  await oneByOne(work)
  const before = await presetNow(work.db, chemistry)
  if (version !== before.version) throw problem('stale-version', { current: before })
  refuseNonsense(cells)
  await sql`insert into "chemistryPreset" ("chemistry", "cells", "updatedAt", "updatedBy")
    values (${chemistry}, ${JSON.stringify(cells)}::jsonb, ${work.now}, ${work.caller.userId}) on conflict ("chemistry") do update
      set "cells" = excluded."cells", "updatedAt" = excluded."updatedAt", "updatedBy" = excluded."updatedBy",
        "version" = "chemistryPreset"."version" + 1`.execute(work.db)
  await note(work, { before, after: cells, action: 'set-chemistry-preset' })
}

async function preview(chemistry: string, cells: CellPreset, { db }: Work): Promise<PresetEffect> {
  const now = await presetNow(db, chemistry)
  refuseNonsense(cells)
  return previewPreset(db, { chemistry, now, wanted: cells })
}

async function reset(chemistry: string, work: Work): Promise<void> {
  await oneByOne(work)
  const before = await presetNow(work.db, chemistry)
  const reset = await rowOf(
    work.db,
    sql`update "chemistryPreset" set "cells" = null, "version" = "version" + 1, "updatedAt" = ${work.now},
      "updatedBy" = ${work.caller.userId} where "chemistry" = ${chemistry} and "cells" is not null returning 1`,
  )
  if (reset) await note(work, { before, after: before.standard, action: 'reset-chemistry-preset' })
}

const admin = ['admin'] as const
const tags = ['control-pcb']
const presetAnswer: z.ZodType = presetSchema.extend({
  chemistry: z.string(),
  standard: cellsSchema,
  updatedAt: z.string().nullable(),
  updatedBy: z.string().nullable(),
})
const place = z.object({ id: z.string(), code: z.string() })
const effectAnswer: z.ZodType = z.object({
  boards: z.int(),
  before: z.int().meta({ description: 'Boards whose wanted limits lie outside the window now' }),
  outside: z.int().meta({ description: 'Boards whose wanted limits would lie outside' }),
  examples: z.array(
    z.object({ board: place, ess: place.nullable(), minMv: z.number().nullable(), maxMv: z.number().nullable() }),
  ),
})
const one = { response: { 200: presetAnswer } }
const path = '/chemistry-preset/:chemistry'

/** Cell limits by chemistry: reference data, readable for staff and set by admins. */
export const chemistryRoutes: NonNullable<ResourceRules['routes']> = (api, { withoutTransaction, transact }) => {
  const listed = { summary: 'Presets of chemistries, each with its standard', tags, response: { 200: z.array(presetAnswer) } }
  api.get('/chemistry-preset', { schema: listed, config: { access: fleetStaff }, ...asAnswered }, (request) =>
    withoutTransaction(request, ({ db }) => chemistryPresets(db)),
  )
  const setting = { summary: 'Set the preset of a chemistry', tags, params, body: presetSchema, ...one }
  api.put(path, { schema: setting, config: { access: admin }, ...asAnswered }, (request) =>
    transact(request, async (work) => {
      const { chemistry } = request.params
      await store(chemistry, request.body, work)
      return presetNow(work.db, chemistry)
    }),
  )
  const summary = 'Whose wanted limits another preset would leave outside'
  const looking = { summary, tags, params, body: presetSchema, response: { 200: effectAnswer } }
  api.post(`${path}/preview`, { schema: looking, config: { access: admin }, ...asAnswered }, (request) => {
    const { version: _, ...cells } = request.body
    return withoutTransaction(request, (work) => preview(request.params.chemistry, cells, work))
  })
  const resetting = { summary: 'Bring the preset of a chemistry back to its standard', tags, params, ...one }
  api.delete(path, { schema: resetting, config: { access: admin }, ...asAnswered }, (request) =>
    transact(request, async (work) => {
      const { chemistry } = request.params
      await reset(chemistry, work)
      return presetNow(work.db, chemistry)
    }),
  )
}
