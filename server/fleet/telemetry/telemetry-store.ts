import type { RawBuilder } from 'kysely'
import type { Database } from '#server/db/connect.ts'
import type { Queryable } from '#server/db/query.ts'
import type { NamedChannel } from '#server/frames/channels.ts'
import { endDays, type Move, moveDays } from './days/move-days.ts'
import { type Exported, exportSamples } from './export-samples.ts'
import { insertRolled, insertSamples, type RolledRows, type StoredSample } from './insert-samples.ts'
import { ensurePartitions, prune } from './monthly-partitions.ts'
import { readSeries, type SeriesRequest, type SeriesRow } from './read-series.ts'
import { rollUp } from './roll-up.ts'
import {
  firstSamples,
  keepSegments,
  latestSample,
  reopenSamples,
  type SampleOrigin,
  type SampleRow,
  type SampleSpan,
  samplesIn,
} from './stored-samples.ts'
import { type Growth, growthOf, hourlySums, isRolled, type OwnedSegment } from './summed-series.ts'
import type { Segment } from './windows.ts'

/**
 * The one door to samples and to what they are rolled up to. Writes take the transaction of their caller: a frame and its sample are kept
 * together or not at all.
 */
export type TelemetryStore = {
  /** Makes room for samples of a span. Not to be called inside of a transaction. */
  prepare(database: Pick<Database, 'pool'>, from: Date, to: Date): Promise<void>
  /** Stores samples and opens their hours. A board has one sample per moment: a second one is left out. */
  append(db: Queryable, samples: readonly StoredSample[]): Promise<void>
  /** Stores rolled-up rows of a past that has no samples. */
  appendRolled(db: Queryable, rolled: RolledRows): Promise<void>
  /** Removes the samples of a packet, opens their hours again, and answers when they were. */
  reopen(db: Queryable, origin: SampleOrigin): Promise<Date[]>
  /** The newest sample of a board before a moment. */
  latest(db: Queryable, asked: { controlPcbId: string; before: Date; names: readonly string[] }): Promise<SampleRow | undefined>
  /** Segments that have a sample, with the moment of their first one. */
  first(db: Queryable, segments: readonly Segment[]): Promise<(Segment & { first: string })[]>
  /** Every bucket of a range. */
  series(db: Queryable, request: SeriesRequest): Promise<SeriesRow[]>
  /** Growth of counters by owner of segments. */
  growth(db: Queryable, segments: readonly OwnedSegment[], counters: readonly NamedChannel[]): Promise<Growth[]>
  /** Every sample of segments as CSV, in the order of time. */
  samples(database: Database, asked: Exported): AsyncGenerator<string>
  /** Rolls up every hour and day that is over and open. */
  rollUp(database: Database, now: Date, signal?: AbortSignal): Promise<{ hours: number; days: number }>
  /** Days of a system whose time zone was corrected. */
  moveDays(db: Queryable, move: Move): Promise<void>
  /** Days of a board that was just attached or removed: those of each site end with it. Hold its frames before. */
  endDays(db: Queryable, board: { controlPcbId: string; now: Date }): Promise<void>
  /** Keeps samples of segments beyond the time of all others. */
  keep(db: Queryable, segments: readonly Segment[]): Promise<void>
  /** Applies the retention. Calls `keepSome(before)` first, so that case files can copy samples older than `before`. */
  prune(database: Database, now: Date, keepSome: (before: Date) => Promise<void>): Promise<void>
  /** Relations for statements that join samples with tables of the fleet. Read only. */
  relations: {
    samplesIn(span: SampleSpan): RawBuilder<unknown>
    hourlySums(asked: Parameters<typeof hourlySums>[0]): RawBuilder<unknown>
    isRolled(asked: Parameters<typeof isRolled>[0]): RawBuilder<boolean>
  }
}

/** Samples in the database of the server. */
export const telemetryStore: TelemetryStore = {
  prepare: ensurePartitions,
  append: insertSamples,
  appendRolled: insertRolled,
  reopen: reopenSamples,
  latest: latestSample,
  first: firstSamples,
  series: readSeries,
  growth: growthOf,
  samples: exportSamples,
  rollUp,
  moveDays,
  endDays,
  keep: keepSegments,
  prune,
  relations: { samplesIn, hourlySums, isRolled },
}
