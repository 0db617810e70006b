import { serverSettings } from '#resources/fleet/server-settings.ts'
import { configurationFields } from '#resources/shared/configuration.ts'
import { updateFailures, updateStates } from '#resources/shared/updates.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { deadlines, retriedFailures, retryDelayMs, type UpdateStatus } from '#server/fleet/firmware/update-state-machine.ts'
import { reportedStates } from '#server/fleet/firmware/updates/report-progress.ts'

const reported: ReadonlySet<string> = new Set(reportedStates)

const stateRows = Object.entries(updateStates).map(([name, state]) => {
  const deadline = deadlines[name as UpdateStatus]
  const next = 'next' in state ? state.next.join(', ') : 'final'
  const reports = deadline?.reports ? `, at least ${deadline.reports} report intervals` : ''
  const longest = deadline ? `${deadline.ms / 60_000} min${reports}` : '–'
  return `| ${name} | ${next} | ${longest} | ${reported.has(name) ? 'yes' : 'no'} |`
})

const retryDelays = [2, 3].map((attempt) => retryDelayMs(attempt) / 60_000).join(' and ')

const ofServer: ReadonlySet<string> = new Set(serverSettings)
const units: Readonly<Record<string, string>> = { duration: 's', percent: '%' }

const isChoice = (field: Field) => field.type === 'enum' || field.type === 'tags'

function valuesOf(field: Field): string {
  if (field.type === 'list') return `at most ${field.maxItems} rows`
  if ('pattern' in field && field.pattern) return `\`${field.pattern.replaceAll('|', '\\|')}\``
  if (isChoice(field) && 'options' in field && field.options)
    return (Array.isArray(field.options) ? field.options : Object.keys(field.options)).join(', ')
  const [min, max] = ['min' in field ? field.min : undefined, 'max' in field ? field.max : undefined]
  return min === undefined && max === undefined ? '' : `${min ?? ''} to ${max ?? ''}`
}

/** Rows of a setting; a list is followed by the settings of its items. */
function rowsOf(name: string, field: Field): string[] {
  const unit = field.type === 'quantity' ? field.unit : (units[field.type] ?? '')
  const parts = field.type === 'list' ? Object.entries<Field>(field.fields) : []
  return [
    `| \`${name}\` | ${field.type} | ${unit} | ${valuesOf(field)} | ${field.label[0]} |`,
    ...parts.flatMap(([part, of]) => rowsOf(`${name}[].${part}`, of)),
  ]
}

const fields: Fields = configurationFields
const settingRows = Object.entries(fields).flatMap(([name, field]) => (ofServer.has(name) ? [] : rowsOf(name, field)))

export const courses = `## The life of a configuration
1. A person changes the configuration in the console: a version is made. The answer to the next frames has \`news.configuration\`.
2. The board looks at the state and gets \`{version, desired}\` with all settings; null = not limited or not set.
3. It applies all of it, or nothing and says why: \`POST /configuration\`, or a CONFIG_ACK frame, with APPLIED or REJECTED. Once it is
   applied, \`configuration\` in the state is null until there is another version. A refused one stays in the state and is no news.
4. What is changed at the board itself is told by REPORTED. The console shows in what both sides differ. A report names every setting that the board
   knows, with null where it is not set: what it leaves out it does not have, and is not compared. It names the version that
   the board runs: the version of the state counts as applied by it. A board that has applied none reports version 0, which answers no version and leaves the one of the state where it is.
   APPLIED and REJECTED name a version that the state had. A reason has at most 250 characters. The last answer to a version counts.

\`${serverSettings.join('`, `')}\` are obeyed by the server and never sent to a board.

| Setting | Type | Unit | Values | Meaning |
|---|---|---|---|---|
${settingRows.join('\n')}

### The schedule
Each row is another mode for a part of the week: \`{"days": ["1", "2"], "from": "22:00", "to": "06:00", "mode": "MANUAL", "powerW": -3000,
"targetSocPct": 80}\`. Days are texts from 1 (Monday) to 7 (Sunday). A row begins at \`from\` on each of its days and ends before \`to\`; one whose
\`to\` is earlier goes past midnight into the next day. Times are local to \`timezone\` with its summer time; while that is null, UTC. Rows never
overlap, so their order has no meaning. While a row holds, its \`mode\` stands for \`operatingMode\` and its \`powerW\`, unless null, is the power of the
battery, positive while it discharges; MANUAL always has one. \`targetSocPct\`, unless null, ends the charging at that charge from below and the
discharging from above: the battery rests until the row is over. Outside all rows \`operatingMode\` and \`manualPowerW\` hold. Every limit holds in a row, too.

## The life of an update
1. The state has \`update\` while the board may install it now; the answer to frames has \`news.update\`.
2. DOWNLOADING: the board loads the image, from where the line was cut by \`Range\` and \`If-Range\`, and says how far it is. After 10 minutes
   without progress, or 2 report intervals where they are longer, the update ends.
3. VERIFYING: length, SHA-256 and header. What does not fit is FAILED with a code of the table below.
4. INSTALLING, REBOOTING: each is reported before it begins. After the start the board sends BOOT at once and reports as usual.
   A board that is not heard of in time counts as lost: nobody asks it once more without a person's saying so.
5. The server sees the new version in valid frames: CONFIRMING, BOOT among them, and after three of them and ten minutes without a critical
   warning SUCCEEDED. The old version is ROLLED_BACK. A board reports none of the three.
6. After FAILED or a timeout by ${[...retriedFailures].join(', ')} the server makes further attempts, ${retryDelays} min
   later; 3 in all, unless another number was asked for. Each is an update of its own: it is offered with another \`id\`, and the board begins it from
   the start. A person may ask for one more.
7. CANCELING in the state, or 410 for the image: the board stops and reports CANCELED. Once it installs it is too late: it goes on with INSTALLING.

A report that may not follow is 409 \`update.state\` with the states that may, or a note on the packet of a frame. States may be skipped ahead.

| State | Next | Longest | Reported by the board |
|---|---|---|---|
${stateRows.join('\n')}

| Failure | Meaning |
|---|---|
${Object.entries(updateFailures)
  .map(([name, [text]]) => `| ${name} | ${text} |`)
  .join('\n')}

## The image
Big endian. The server reads the header when an image is uploaded, the board before it installs it.

| Offset | Bytes | Content |
|---|---|---|
| 0 | 4 | \`ESFW\` |
| 4 | 1 | version of the header: 1 |
| 5 | 1 | product that it is for, by its code |
| 6 | 6 | version of the firmware, three u16 |
| 12 | 4 | hardware of the product that it fits, one bit each: bit 0 is A1, bit 7 A8, bit 8 B1 to bit 31 D8 |
| 16 | 6 | oldest version to update from, three u16; 0.0.0 = any |
| 22 | 4 | length of the payload |
| 26 | 4 | CRC-32 (IEEE) over bytes 0 to 25 and the payload |
| 30 | | the payload |`
