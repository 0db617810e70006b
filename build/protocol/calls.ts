import { problemTable } from '#server/base/problem-table.ts'
import { bodyTimeoutS, leastBytesPerS } from '#server/engine/http/slow-body.ts'
import { offeredSchema } from '#server/fleet/device/offered-schema.ts'
import { fleetProblems } from '#server/fleet/shared/problems.ts'

const refusals = [problemTable, fleetProblems] as const

const answered = [
  'invalid',
  'malformed.empty',
  'device-key.unknown',
  'not-found',
  'too-slow',
  'update.state',
  'update.other-version',
  'firmware.damaged',
  'device-key.replaced',
  'device-key.prepared',
  'gone',
  'too-large',
  'wrong-media-type',
  'range-not-satisfiable',
  'too-many',
  'fault',
  'unavailable',
  'busy',
  'disk-full',
]

const rowOf = (code: string) =>
  refusals.map((table) => Object.entries(table).find(([name]) => name === code)?.[1]).find(Boolean)

const refusalRows = answered.flatMap((code) => {
  const row = rowOf(code)
  return row ? [`| ${row.status} | \`${code}\` | ${row.text[0]} |`] : []
})

const offered = Object.keys(offeredSchema.shape)
const offeredRows = Object.entries(offeredSchema.shape).map(([name, { description }]) => `| \`${name}\` | ${description} |`)

export const calls = `## Calls
A board speaks HTTP with the address that people open. It is known by the header \`X-Device-Key\` alone; the key is made at the board in the
console and shown once. Bodies and answers are JSON in UTF-8 unless said, times are epoch milliseconds, a refusal has a \`code\`.

| Call below \`/api/device/v1\` | Body, headers | Answer |
|---|---|---|
| \`POST /frames\` | \`application/octet-stream\`: frames back to back; \`X-Sent-At\`: the board's clock now | 202 \`{accepted, invalid, duplicate, refused: [{index, reason}], time, news: {configuration?, update?}, nextReportS}\` |
| \`POST /frames?explain\` | the same, at most 100 frames | 200 \`{time, frames: [{index, type, status, seq, deviceTime, reasons, fields}]}\`; nothing is kept |
| \`GET /state\` | \`If-None-Match\` | 200 \`{time, nextReportS, configuration: {version, desired} or null, update: {${offered.join(', ')}} or null}\`, \`ETag\`; 304 |
| \`POST /configuration\` | \`{version, result: APPLIED, REJECTED or REPORTED, reason?, reported?}\` | 204 |
| \`GET /firmware/{updateId}\` | \`Range\`, \`If-Range\` | 200 or 206, \`ETag\` = SHA-256 of the whole in double quotes |
| \`POST /updates/{updateId}\` | \`{state, progressPct?, receivedB?, failure?, version?}\` | 204; 409 with \`allowed\` |
| \`POST /key\` | none | 201 \`{key}\` |

\`POST /api/ingest\` is the first address of \`frames\`. A request has at most 1 MiB or 5,000 frames, a key at most 600 requests and 20,000 frames a
minute, with room for what piles up within 30 days. A large body is stored in pieces: after an answer that is no 202 some of its frames may be
stored, and count as duplicates when it is sent again.

Frames may come over a slow line: a body has ${bodyTimeoutS} s and a second more for each ${leastBytesPerS.board} bytes that have arrived; any other body has ${bodyTimeoutS} s, and
so have the headers of a call. What comes more slowly is 408 \`too-slow\` or, where the line is cut meanwhile, has no answer. A body may be
compressed (\`Content-Encoding\`: gzip, deflate or br); its limits hold for what comes out of it. With \`Expect: 100-continue\` the key and the
length are judged before the body is asked for. What is no HTTP at all is answered by a status and a closed connection, without a \`code\`.

A frame that is explained has \`type\`, \`seq\` and \`deviceTime\` (epoch milliseconds) as far as they could be read, else null or UNKNOWN, and
\`status\` and \`reasons\` as below. A reason is \`{code, severity: ERROR, WARNING or NOTE, field?, offset?, length?, expected, actual,
suspectOffset?}\`, a field \`{name, offset, length, raw, value, unit, ok}\`: places count from the first byte of the frame, \`raw\` is hexadecimal,
\`value\` null where it was not measured, \`ok\` false where a reason other than a note names it.

\`update\` in the state:

| Name | Meaning |
|---|---|
${offeredRows.join('\n')}

\`If-Range\` takes the \`ETag\` of the image as it was answered, with its double quotes: \`If-Range: "<sha256>"\`. Without the quotes, or with another
hash, the answer is 200 with the whole image.

### What a board does with an answer
| Answer | The board |
|---|---|
| 202, 204 | forgets what was sent |
| 425, 429, 5xx | keeps it, waits as \`Retry-After\` says, else 5, 10, 20 to 600 s with jitter, and sends the same bytes again: they count once |
| none, 408 | does the same, and halves the batch: it may be more than the line carries in time. Each batch that is taken doubles the next one |
| 413 | halves the batch |
| 403 \`device-key.unknown\` | waits an hour; after the second one it tries its former key once |
| 409 \`update.state\`, 410 | looks at the state |
| any other 4xx | keeps the bytes for the service and does not send them again |

| Status | Code | Text |
|---|---|---|
${refusalRows.join('\n')}

### Time
A frame carries the board's clock in whole seconds. \`time\` in an answer, and \`X-Sent-At\` beside it, give its offset. With an offset of up to 5
minutes in \`X-Sent-At\`, frames count at their own time for 60 days; without the header for 7 days. A frame that is older, from before 2020, or more than
5 minutes ahead is stored at its arrival, as estimated. A wrong clock is told of by \`X-Sent-At\`; without it, only by frames that come from the
future or are older than 60 days, since any other may have waited.

A larger offset in \`X-Sent-At\`, slow or fast, proves that the clock is wrong: frames of that clock are stored at their arrival, as estimated, and
move no counters, order, version, configuration or update. Only what it can not have dated is judged as without the header: a time later than
\`X-Sent-At\`, and one before the newest frame of the same run (\`rebootCount\`) that counted at its own time. So a board whose clock is not sure,
after a start for one, asks the state for \`time\` before it sends what it has kept, or leaves the header out.

### Backlog
A board sends what it has kept before what it measures now, the oldest first. Then each sample is judged as if it had come in time, and warnings
begin and end at their own times. A sample that comes after a younger one is late (OUT_OF_ORDER): it is in charts, sums and exports, but no
threshold is judged by it, so what was wrong in late samples only raises no warning. Of a late EVENT, the faults that stay until a person ends
them are raised.

### Keys
After \`POST /key\` both keys work until the new one is used, and the old one a day longer. Asked for once more before that, only the last key
works: an answer may be lost, and is not given again. The board keeps the new key beside the old one until a call with it was answered. While a next key that an admin
has made for the board waits for its first use, the board gets none of its own (409 \`device-key.prepared\`) and goes on with its present one. A board gets six keys an hour, so
that it may ask again over a cut line; further calls are 429 \`too-many\` with \`Retry-After\`, and the keys that work go on.

A server whose backup is brought back knows only the key of then. A board keeps its former key until the next change, and tries it once when two calls in
a row, an hour apart, are answered 403 \`device-key.unknown\`; if it works, it is the key of the board again.`
