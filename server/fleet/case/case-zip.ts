import { sql } from 'kysely'
import type { Caller } from '#server/base/caller.ts'
import type { Database } from '#server/db/connect.ts'
import { byteOrderMark } from '#server/engine/export/csv.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { telemetryStore } from '#server/fleet/telemetry/telemetry-store.ts'
import { channels } from '#server/frames/channels.ts'
import type { FrameDecoder } from '#server/frames/frame-decoder.ts'
import { caseConfiguration } from './case-configuration.ts'
import { casePackages } from './case-packages.ts'
import { caseReadme } from './case-readme.ts'
import type { Span } from './case-sql.ts'
import { type WrittenFile, type ZipEntry, zipOf } from './zip.ts'

/** Data of the archive that the caller may see. */
export type CaseContents = {
  decoder: FrameDecoder
  file: Row
  warning: Row
  updates: readonly Row[]
  zone: string
  by: Caller
  at: Date
}

const jsonFile = (name: string, content: unknown): ZipEntry => ({ name, pieces: [`${JSON.stringify(content, null, 2)}\n`] })

/** Counts lines after the header. */
async function* countingLines(pieces: AsyncIterable<string>, count: (rows: number) => void): AsyncGenerator<string> {
  let isHead = true
  for await (const piece of pieces) {
    if (!isHead) count(piece.split('\r\n').length - 1)
    yield isHead ? byteOrderMark + piece : piece
    isHead = false
  }
}

/** Archive of a case file with current data. Its table of contents lists the written sizes. */
export async function caseZip(database: Database, { decoder, file, warning, updates, zone, by, at }: CaseContents) {
  const { code, startsAt, endsAt } = file
  const controlPcbId = String(file.controlPcbId)
  const segment = { controlPcbId, from: String(startsAt), to: String(endsAt) }
  const span: Span = {
    controlPcbId: sql`${controlPcbId}::text`,
    startsAt: sql`${startsAt}::timestamptz`,
    endsAt: sql`${endsAt}::timestamptz`,
  }
  const configurations = await caseConfiguration(database, span)
  const comments = Array.isArray(warning.comments) ? warning.comments.length : 0
  const counts = { packages: 0, samples: 0, configurations: configurations.length, updates: updates.length, comments }
  const written: WrittenFile[] = []
  const samples = telemetryStore.samples(database, {
    segments: [segment],
    channels,
    zone,
    rowsOf: () => telemetryStore.relations.samplesIn(span),
  })
  const packages = casePackages({ database, decoder }, span, (rows) => {
    counts.packages += rows
  })
  const manifest = () => ({
    format: 1,
    code,
    warning: { id: warning.id, code: warning.code },
    ess: file.ess,
    controlPcb: file.controlPcb,
    from: startsAt,
    until: endsAt,
    isWhole: file.state === 'WHOLE',
    openedAt: file.createdAt,
    note: file.note,
    writtenAt: at.toISOString(),
    writtenBy: by.email,
    decoder: decoder.version,
    counts,
    files: written,
  })
  const count = (rows: number) => {
    counts.samples += rows
  }
  const entries = [
    () => ({ name: 'README.txt', pieces: [caseReadme] }),
    () => jsonFile('warning.json', warning),
    () => jsonFile('configuration.json', configurations),
    () => jsonFile('updates.json', updates),
    () => ({ name: 'telemetry.csv', pieces: countingLines(samples, count) }),
    () => ({ name: 'packages.csv', pieces: packages }),
    () => jsonFile('manifest.json', manifest()),
  ]
  return zipOf(entries, written, at)
}
