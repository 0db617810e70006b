import { z } from 'zod'

/** Manifest of a backup: the last entry of the archive, compared with the result of a restore. */
export const manifestSchema = z.object({
  product: z.literal('ess-console'),
  format: z.literal(1),
  madeAt: z.iso.datetime(),
  /** Release that made the backup. */
  version: z.string(),
  engine: z.enum(['embedded', 'server']),
  postgres: z.string(),
  migrations: z.array(z.string()),
  tables: z.record(z.string(), z.number().int()),
  files: z.record(z.string(), z.object({ bytes: z.number().int(), sha256: z.string() })),
})
export type Manifest = z.output<typeof manifestSchema>
export const manifestName = 'manifest.json'

/** Contents of the database at the time of the backup. */
export const contentsSchema = manifestSchema.pick({ postgres: true, migrations: true, tables: true })
export type Contents = z.output<typeof contentsSchema>

/** A backup, restore or move that cannot be done; the message is sufficient, so no stack is printed. */
export class BackupError extends Error {
  override readonly name = 'BackupError'
}

const few = 5
const listed = (words: readonly string[]) =>
  words.length > few ? `${words.slice(0, few).join(', ')} and ${words.length - few} more` : words.join(', ')

/** Differences between the found contents and the manifest; empty when equal. */
export function differencesOf(manifest: Contents, found: Contents): string[] {
  const names = new Set([...Object.keys(manifest.tables), ...Object.keys(found.tables)])
  const rows = [...names].filter((name) => manifest.tables[name] !== found.tables[name])
  const steps = manifest.migrations.filter((id) => !found.migrations.includes(id))
  return [
    ...(rows.length > 0 ? [`other rows in ${listed(rows)}`] : []),
    ...(steps.length > 0 ? [`without the migrations ${listed(steps)}`] : []),
  ]
}
