import type { Work } from '#server/engine/records/resource-rules.ts'
import type { Engine } from '#server/engine/records/work.ts'
import { tableFields } from '#server/engine/records/writer.ts'
import { jobById, openChanges, openCreations } from '#server/filling/job-store.ts'
import { plannerOf } from '#server/filling/planner.ts'
import { inBatches, writeOrder } from '#server/filling/unique/freed-values.ts'
import { holdersOf, touches, uniqueChange, type Wanted, waitingFor } from '#server/filling/unique/value-holders.ts'
import { presentValues } from './former-values.ts'

type Needs = { row: number; by: number }[]

const changesAtOnce = 500

/** Changed records that are open, with what must be undone before each: a former value may be held by another record of the file. */
async function readChanges(engine: Engine, job: { id: string; target: string }, made: readonly string[], work: Work) {
  const resource = engine.catalog.definitions.get(job.target)
  const changed: string[] = []
  const wanted: Wanted[] = []
  for (let after = ''; ; ) {
    const rows = await openChanges(work.db, job.id, { after, most: changesAtOnce })
    for (const { entityId, before } of rows) {
      changed.push(entityId)
      const fields = resource ? tableFields(engine.catalog, resource) : {}
      const change = resource ? uniqueChange(resource, presentValues(fields, before ?? {}).change) : {}
      if (Object.keys(change).length > 0) wanted.push({ id: entityId, change })
    }
    after = rows.at(-1)?.entityId ?? after
    if (rows.length < changesAtOnce) break
  }
  const places = new Map([...changed, ...made].map((id, place) => [id, place]))
  const changes = new Map(wanted.map(({ id, change }) => [id, change]))
  const isMade = new Set(made)
  const held = resource ? await holdersOf(work.db, resource, wanted) : []
  const needs = held.flatMap(({ id, by, set }): Needs => {
    const [row, other] = [places.get(id), places.get(by)]
    const frees = isMade.has(by) || touches(changes.get(by) ?? {}, set)
    return row !== undefined && other !== undefined && frees ? [{ row, by: other }] : []
  })
  return { changed, needs }
}

/**
 * Records of a job that are still to be undone, in batches; at least one, which may be empty. Changed ones come before those that
 * the file made, because they may refer to them, but after those whose values they had. Each batch looks once more.
 */
export async function undoOrder(engine: Engine, id: string, work: Work): Promise<string[][]> {
  const job = await jobById(work.db, id)
  if (!job) return [[]]
  const made = await openCreations(work.db, id)
  const { changed, needs } = await readChanges(engine, job, made, work)
  const all = [...changed, ...made]
  const places = [...all.keys()]
  const ofMade = places.slice(changed.length)
  const isLate = waitingFor(ofMade, needs)
  const [early, late] = [false, true].map((wanted) => {
    const some = places.slice(0, changed.length).filter((place) => isLate.has(place) === wanted)
    const among = needs.filter(({ row, by }) => by < changed.length && isLate.has(row) === wanted && isLate.has(by) === wanted)
    return writeOrder(some, among)
  })
  const units = [...(early ?? []), ...ofMade.map((place) => [place]), ...(late ?? [])]
  const batches = inBatches(units, plannerOf(job.target).rowsOfBatch)
  return batches.length > 0 ? batches.map((batch) => batch.flatMap((place) => all[place] ?? [])) : [[]]
}
