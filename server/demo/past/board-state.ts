import { sql } from 'kysely'
import type { Queryable } from '#server/db/query.ts'
import type { StoredSample } from '#server/fleet/telemetry/insert-samples.ts'
import { channels } from '#server/frames/channels.ts'

type Values = StoredSample['sample']['values']

/** The last sample of a board as its page shows it; live boards send the next one within a minute. */
export async function keepLastSample(db: Queryable, controlPcbId: string, values: Values, at: Date | undefined): Promise<void> {
  const shown = Object.fromEntries(
    channels.map(({ name, unit }) => {
      const value = values[name] ?? null
      return [name, { value, unit: unit ?? null, quality: value === null ? 'MISSING' : 'GOOD' }]
    }),
  )
  await sql`update "boardState" set "sample" = ${JSON.stringify(shown)}::jsonb, "lastSampleAt" = coalesce(${at ?? null}::timestamptz, "lastSampleAt")
    where "controlPcbId" = ${controlPcbId} and "sample" is null`.execute(db)
}
