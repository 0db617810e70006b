import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { prepared } from '#server/db/prepared-statements.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { DecodedFrame } from '#server/frames/frame-decoder.ts'

/** Stored bytes per frame, unless packets of the board are captured. */
const keptBytes = 2048

export type Identity = { seq: number; uid: string; deviceTime: Date }

/** A received frame; `raw` and `digest` cover the bytes that are always stored. */
export type Arrival = { bytes: Buffer; raw: string; digest: string; identity: Identity | undefined }

/** Identifies frames, regardless of how many of their bytes are stored; two digits per byte. */
export const digestSql = (raw: string) => `md5(left(${raw}, ${2 * keptBytes}))`

export function arrivalOf(bytes: Buffer, identity: Identity | undefined): Arrival {
  const raw = bytes.toString('hex', 0, keptBytes)
  return { bytes, raw, digest: createHash('md5').update(raw).digest('hex'), identity }
}

const keyOf = ({ digest, identity }: Arrival) =>
  identity && `${identity.uid} ${identity.seq} ${identity.deviceTime.getTime()} ${digest}`

/** Frames of a body that repeat an earlier one in it: same uid, sequence, time and bytes. */
export function repeatedIn(arrivals: readonly Arrival[]): Arrival[] {
  const seen = new Set<string>()
  return arrivals.filter((arrival) => {
    const key = keyOf(arrival)
    const isRepeated = key !== undefined && seen.has(key)
    if (key !== undefined) seen.add(key)
    return isRepeated
  })
}

/** Frames that are already stored for some board. One sent with another board's key does not count: the genuine board may still send it. */
export async function findStored(db: Queryable, arrivals: readonly Arrival[]): Promise<Set<Arrival>> {
  const known = arrivals.filter(({ identity }) => identity)
  const found = await rowsOf(
    db,
    sql<{ at: number }>`${prepared} select "u"."at" from unnest(${sql.val(known.map(({ identity }) => identity?.uid))}::text[],
        ${sql.val(known.map(({ identity }) => identity?.seq))}::int8[], ${sql.val(known.map(({ identity }) => identity?.deviceTime.toISOString()))}::timestamptz[],
        ${sql.val(known.map(({ digest }) => digest))}::text[]) with ordinality as "u" ("uid", "seq", "time", "digest", "at")
      join "package" "p" on "p"."uid" = "u"."uid" and "p"."deviceTime" = "u"."time" and "p"."seq" = "u"."seq"
        and ${sql.raw(digestSql('"p"."raw"'))} = "u"."digest" and "p"."status" <> 'DUPLICATE'
        and "p"."controlPcbId" is not null`,
  )
  return new Set(found.flatMap(({ at }) => known[at - 1] ?? []))
}

export type StoredFrame = { id: string; arrival: Arrival; decoded: DecodedFrame; isDuplicate?: true }
/** `isCaptured`: everything of this board is stored in full, including duplicates. */
type Reception = {
  receivedAt: Date
  controlPcbId: string
  essId: string | null
  product: string
  decoderVersion: string
  isCaptured: boolean
}

/** False for a frame that came with another board's key. */
export const isOfBoard = ({ reasons }: DecodedFrame) => !reasons.some(({ code }) => code === 'UNKNOWN_BOARD')
/** Frames that cannot be decoded yet are stored in full, to be decoded later. */
const isWhole = ({ decoded }: StoredFrame, { isCaptured }: Reception) => isCaptured || decoded.status === 'UNKNOWN_VERSION'
const textOf = (value: unknown) => (typeof value === 'string' ? value : null)

type Column = {
  name: string
  type: string
  value: (frame: StoredFrame, reception: Reception) => string | number | boolean | null
}

const columns: readonly Column[] = [
  { name: 'id', type: 'text', value: ({ id }) => id },
  { name: 'createdAt', type: 'timestamptz', value: (_, { receivedAt }) => receivedAt.toISOString() },
  { name: 'updatedAt', type: 'timestamptz', value: (_, { receivedAt }) => receivedAt.toISOString() },
  { name: 'receivedAt', type: 'timestamptz', value: (_, { receivedAt }) => receivedAt.toISOString() },
  {
    name: 'controlPcbId',
    type: 'text',
    value: ({ decoded }, { controlPcbId }) => (isOfBoard(decoded) ? controlPcbId : null),
  },
  { name: 'essId', type: 'text', value: ({ decoded }, { essId }) => (isOfBoard(decoded) ? essId : null) },
  { name: 'product', type: 'text', value: ({ decoded }, { product }) => (isOfBoard(decoded) ? product : null) },
  { name: 'uid', type: 'text', value: ({ decoded }) => decoded.uid },
  { name: 'deviceTime', type: 'timestamptz', value: ({ decoded }) => decoded.deviceTime?.toISOString() ?? null },
  {
    name: 'clockSkewMs',
    type: 'float8',
    value: ({ decoded: { status, deviceTime } }, { receivedAt }) =>
      deviceTime && status !== 'INVALID' ? deviceTime.getTime() - receivedAt.getTime() : null,
  },
  { name: 'seq', type: 'int8', value: ({ decoded }) => decoded.seq },
  { name: 'gapBefore', type: 'int8', value: ({ decoded }) => decoded.gapBefore },
  { name: 'type', type: 'text', value: ({ decoded }) => decoded.type },
  { name: 'protocolVersion', type: 'int8', value: ({ decoded }) => decoded.protocolVersion },
  { name: 'firmwareVersion', type: 'text', value: ({ decoded }) => textOf(decoded.values.firmwareVersion) },
  { name: 'transport', type: 'text', value: ({ decoded }) => textOf(decoded.values.transport) },
  { name: 'sizeBytes', type: 'int8', value: ({ arrival }) => arrival.bytes.length },
  { name: 'status', type: 'text', value: ({ decoded, isDuplicate }) => (isDuplicate ? 'DUPLICATE' : decoded.status) },
  { name: 'reason', type: 'jsonb', value: ({ decoded }) => reasonCodes(decoded) },
  { name: 'reasons', type: 'jsonb', value: ({ decoded }) => JSON.stringify(decoded.reasons) },
  {
    name: 'raw',
    type: 'text',
    value: (frame, reception) => (isWhole(frame, reception) ? frame.arrival.bytes.toString('hex') : frame.arrival.raw),
  },
  {
    name: 'truncated',
    type: 'bool',
    value: (frame, reception) => !isWhole(frame, reception) && frame.arrival.bytes.length > keptBytes,
  },
  { name: 'decoderVersion', type: 'text', value: (_, { decoderVersion }) => decoderVersion },
]

/** Distinct reason codes of a frame as JSON. */
export const reasonCodes = ({ reasons }: Pick<DecodedFrame, 'reasons'>): string =>
  JSON.stringify([...new Set(reasons.map(({ code }) => code))])

const names = sql.raw(columns.map(({ name }) => `"${name}"`).join(', '))

/** Frames of one body to store. */
export type KeptFrames = { frames: readonly StoredFrame[]; reception: Reception }

/** Stores packets. Throws when a concurrent transaction has stored one of them. */
export async function insertPackages(db: Queryable, bodies: readonly KeptFrames[]): Promise<void> {
  if (bodies.every(({ frames }) => frames.length === 0)) return
  const arrays = columns.map(({ type, value }) => {
    const values = bodies.flatMap(({ frames, reception }) => frames.map((frame) => value(frame, reception)))
    return sql`${sql.val(values)}::${sql.raw(type)}[]`
  })
  await rowsOf(db, sql`${prepared} insert into "package" (${names}) select * from unnest(${sql.join(arrays)})`)
}
