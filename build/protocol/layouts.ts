import { factsOf, isChannel } from '#resources/fleet/channel-of.ts'
import { wireLayouts } from '#resources/fleet/wire-layouts.ts'
import { type FrameType, headerBytes } from '#server/frames/frame-layout.ts'
import { firstLayout, knownLayouts, type Layout } from '#server/frames/layouts.ts'
import { codecs, type WireField } from '#server/frames/wire-field.ts'

type Kind = WireField['kind']

export const frameTypes: Readonly<Record<FrameType, string>> = {
  TELEMETRY: 'One sample, every report interval.',
  HEARTBEAT: 'The board lives; nothing was measured.',
  EVENT: 'Flags that rose or fell between two samples.',
  CONFIG_ACK: 'What became of a configuration, or what the board runs with. The call `configuration` does the same.',
  FW_PROGRESS: 'How an update goes. The call `updates` does the same.',
  BOOT: 'The board has started. Counters that start over with it are followed at once. With a clock that is not set yet it is heard all the same.',
}

/** How a kind is written, and the bytes of a value that was not measured. */
export const kinds: Readonly<Record<Kind, { text: string; missing: string }>> = {
  u8: { text: 'unsigned, 1 byte', missing: 'FF' },
  u16: { text: 'unsigned, 2 bytes', missing: 'FFFF' },
  u32: { text: 'unsigned, 4 bytes', missing: 'FFFFFFFF' },
  u64: { text: 'unsigned, 8 bytes, at most 2⁵³ − 1', missing: 'FFFFFFFFFFFFFFFF' },
  i16: { text: 'two’s complement, 2 bytes', missing: '8000' },
  i32: { text: 'two’s complement, 4 bytes', missing: '80000000' },
  code: { text: 'place in the list of its names, from 0, 1 byte', missing: 'FF' },
  version: { text: 'three u16: major, minor, patch', missing: 'FFFFFFFFFFFF' },
  place: { text: 'module and cell, 1 byte each, both from 1: `m3/c07` is 03 07', missing: 'FFFF' },
  letters: { text: 'two printable ASCII characters', missing: 'FFFF' },
  uuid: { text: 'the 16 bytes of a UUID in the order of its text', missing: '16 × FF' },
  text: { text: 'u16 length in bytes, then UTF-8', missing: '0000' },
  json: { text: 'u16 length in bytes, then a JSON object in UTF-8, at most 8 levels deep', missing: '0000' },
}

const meanings: Readonly<Record<string, string>> = {
  firmwareVersion: 'The version that runs now',
  transport: 'The line that the board uses',
  resetReason: 'Why it started the last time',
  rebootCount: 'Starts since it was made',
  freeHeapB: 'Free memory in bytes',
  eventFlags: 'All flags as they are now',
  raisedFlags: 'Flags that rose',
  clearedFlags: 'Flags that fell',
  subject: 'The cell that it is about',
  value:
    'A number of the board’s own about the change: kept with the packet and its warning, compared with nothing, without a unit',
  configVersion: 'The version of the configuration, at most 2³¹ − 1',
  result: 'What became of it; REPORTED = said unasked, after a start or a change on site',
  rejectReason: 'Why it was refused',
  configuration: 'All settings that the board runs with',
  updateId: 'The update, as offered in the state',
  state: 'How far it is',
  progressPct: 'Share of the present state',
  receivedB: 'Bytes of the image that are there',
  failure: 'Why it failed',
  toVersion: 'The version that is installed',
  bootloaderVersion: 'Version of the boot loader',
  previousVersion: 'The version that ran before',
  hardwareRevision: 'A1 to D8',
  product: 'The product that the board is; another one than in its record is noted. Older firmware ends before it',
}

export type Placed = WireField & { at: number | undefined; width: number | undefined; meaning: string }

const meaningOf = (name: string): string =>
  meanings[name] ?? (isChannel(name) ? factsOf(name).label[0].replace(/\|\|.*/, '') : name)

/** The fields of a frame with their places, counted from its first byte; unknown after a field of varying length. */
export function placedFields(type: FrameType, layout: Layout = firstLayout): Placed[] {
  let at: number | undefined = headerBytes
  return layout.fieldsOf(type).map((field) => {
    const { width } = codecs[field.kind]
    const placed = { ...field, at, width, meaning: meaningOf(field.name) }
    at = at === undefined || width === undefined ? undefined : at + width
    return placed
  })
}

/** Every list of names of codes, each once. */
export function codeLists(): { name: string; options: readonly string[] }[] {
  const types = Object.keys(frameTypes) as FrameType[]
  const lists = types.flatMap((type) =>
    firstLayout.fieldsOf(type).flatMap(({ name, options }) => (options ? [{ name, options }] : [])),
  )
  return lists.filter(({ name }, index) => lists.findIndex((one) => one.name === name) === index)
}

type OwnLayout = { product: string; version: number; type: FrameType; fields: Placed[] }

/** Payloads that differ from those of the first layout. */
export const ownLayouts: readonly OwnLayout[] = wireLayouts.flatMap(({ product, version, types = {} }) => {
  const layout = knownLayouts.of(product, version)
  const own = Object.keys(types) as FrameType[]
  return layout ? own.map((type) => ({ product, version, type, fields: placedFields(type, layout) })) : []
})
