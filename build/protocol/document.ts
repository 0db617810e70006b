import { mostPlaces } from '#resources/fleet/cell-place.ts'
import { mostEndedADay } from '#resources/fleet/warnings/day-bound.ts'
import { flagCodes } from '#resources/fleet/warnings/warning-codes.ts'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { packageReasons } from '#resources/package.ts'
import { products } from '#resources/shared/products.ts'
import { effects } from '#server/frames/frame-decoder.ts'
import { emptyFrameBytes, type FrameType, maxPayloadBytes, protocolVersion, typeCode } from '#server/frames/frame-layout.ts'
import { calls } from './calls.ts'
import { courses } from './courses.ts'
import { codeLists, frameTypes, kinds, ownLayouts, placedFields } from './layouts.ts'
import { vectorFacts, vectors } from './vectors.ts'

const types = Object.keys(frameTypes) as FrameType[]
const statusCount = placedFields('HEARTBEAT').length

const rowOf = ({ at, width, name, kind, digits = 0, unit, meaning }: ReturnType<typeof placedFields>[number]) =>
  `| ${at ?? 'next'} | ${width ?? '2 + n'} | \`${name}\` | ${kind} | ${digits ? 10 ** -digits : ''} | ${unit ?? ''} | ${meaning} |`
const fieldTable = (rows: readonly string[]) =>
  ['| Offset | Bytes | Field | Kind | Step | Unit | Meaning |', '|---|---|---|---|---|---|---|', ...rows].join('\n')

const typeSection = (type: FrameType) => {
  const own = placedFields(type).slice(statusCount)
  const head = `### ${typeCode(type)} ${type}\n${frameTypes[type]}`
  return own.length > 0 ? `${head}\n\n${fieldTable(own.map(rowOf))}` : `${head} The status alone.`
}

/** Fields that older boards omit from otherwise complete payloads. */
const laterFields = types
  .flatMap((type) => placedFields(type).flatMap(({ name, isLater }) => (isLater ? [`\`${name}\` of ${type}`] : [])))
  .join(', ')

const productRows = Object.entries(products).map(
  ([name, [label]], code) => `| ${code} | ${name} | ${label.replace(/\|\|.*/, '')} |`,
)

const ownSection = ({ product, version, type, fields }: (typeof ownLayouts)[number]) =>
  `#### ${product}, version ${version}: ${type}\n\n${fieldTable(fields.slice(statusCount).map(rowOf))}`

const codeSection = ({ name, options }: { name: string; options: readonly string[] }) =>
  `| \`${name}\` | ${options.map((option, index) => `${index} ${option}`).join(', ')} |`

const flagRows = flagCodes
  .map((code) => ({ code, flag: warnings[code].flag, title: warnings[code].title[0] }))
  .toSorted((a, b) => a.flag.bit - b.flag.bit)
  .map(({ code, flag: { bit, delayS, level }, title }) => {
    const rule = [delayS > 0 ? `after ${delayS} s` : 'at once', level.latch ? 'until a person ends it' : ''].filter(Boolean)
    return `| ${bit} | ${code} | ${title} | ${rule.join(', ')} |`
  })

const reasonRows = Object.entries(packageReasons).map(
  ([code, [text]]) => `| ${code} | ${effects[code as keyof typeof effects]} | ${text} |`,
)

const vectorSection = ({ title, hex, ...read }: ReturnType<typeof vectors>[number], index: number) =>
  `### ${index + 1}. ${title}\n\`\`\`hex\n${hex}\n\`\`\`\n\`\`\`json\n${JSON.stringify(read)}\n\`\`\``

/** The protocol of boards as one page. */
export const protocolDocument = (): string => `# The protocol of boards, version ${protocolVersion}

Made by \`npm run protocol\` from the layouts that the server decodes by; a test fails when it is stale. \`device-protocol.h\` beside it has the same
for C, \`examples/device\` is a board in Python.

${calls}

## Frames
Big endian. Frames stand back to back in a body; what is damaged is a frame of its own, and the next one is found by its first bytes.

| Offset | Bytes | Content |
|---|---|---|
| 0 | 2 | E5 5A |
| 2 | 1 | version of the protocol: ${protocolVersion} |
| 3 | 1 | type |
| 4 | 2 | sequence, counts the frames of the board and wraps at 65536 |
| 6 | 6 | uid of the board |
| 12 | 4 | time of the board, Unix seconds |
| 16 | 2 | length n of the payload, at most ${maxPayloadBytes} |
| 18 | n | payload: the status of the board, then the fields of the type |
| 18 + n | 2 | CRC-16/CCITT-FALSE of all before it (polynomial 1021, begins with FFFF, not reflected) |

An empty frame has ${emptyFrameBytes} bytes. The same uid, sequence, time and bytes count once.

The protocol grows in two ways. Fields are added at the end of a payload: bytes after the last known field are kept and not read, and
fields that a sample leaves out at its end were not measured, so boards and servers of different age understand each other. A TELEMETRY may so end
after any field from the status on, the other types only before ${laterFields}; a payload that ends earlier, or within a field, is
DECODE_ERROR. Where bytes change their meaning, the version of the protocol is another one: the first 18 bytes and the CRC stay, and a server
that does not know the version keeps such frames, accepts them, and reads them once it does.

| Kind | Bytes | Not measured |
|---|---|---|
${Object.entries(kinds)
  .map(([kind, { text, missing }]) => `| ${kind} | ${text} | ${missing} |`)
  .join('\n')}

A number is sent as an integer of steps: a charge of 63.4 % with a step of 0.1 is 634. Power and current of the battery are positive while it
discharges, those of the grid while it imports; load = solar + battery + grid.

### Status
The beginning of every payload.

${fieldTable(placedFields('HEARTBEAT').map(rowOf))}

${types.map(typeSection).join('\n\n')}

### Products
The product stands in the record of a board. It chooses the payloads; what is not named here is as above.

| Code | Product | Meaning |
|---|---|---|
${productRows.join('\n')}

${ownLayouts.map(ownSection).join('\n\n')}

### Codes
| Field | Codes |
|---|---|
${codeLists().map(codeSection).join('\n')}

### Flags
Bits of \`eventFlags\`, \`raisedFlags\` and \`clearedFlags\`, from the lowest. Another bit is shown by its number.

| Bit | Warning | Meaning | Raised |
|---|---|---|---|
${flagRows.join('\n')}

An EVENT raises and ends these warnings at its own time and at its \`subject\`, without waiting for the next sample; a flag that rose and fell at once
is told in one. \`eventFlags\` are all flags after the change: while a bit stays set, \`clearedFlags\` end it at the \`subject\` only.
What an EVENT has begun lasts until another one, or the next sample, says that it is over, however long that takes; what only samples show is over
after three intervals of silence.
A code has at most ${mostPlaces} open warnings of a board with a place of their own; all further places share one, which lasts until \`eventFlags\` are
without the bit.
Of a day of the board's time that is told more than ten minutes late, a code begins warnings anew until ${mostEndedADay} of them have ended; each
further time is counted by the last one of its place, or by the one of all further places. What is told in time is a warning of its own.

Thresholds are judged by samples alone. The delay of a warning counts from the first sample beyond its threshold to a later one that is there,
too: one sample raises nothing unless the delay is zero, and with an interval longer than the delay a warning comes one interval after its
beginning. What must be known at once, or is over before the next sample, a board tells by an EVENT.

### Reasons
INVALID: nothing is read. PARTIAL: doubtful values are left out. VALID: a note.

| Reason | Effect | Meaning |
|---|---|---|
${reasonRows.join('\n')}

${courses}

## Test vectors
Frames of the board ${vectorFacts.uid} of ${vectorFacts.time}, and what they are read as a second later. Values that were not measured are left out.

${vectors().map(vectorSection).join('\n\n')}
`
