import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { sql } from 'kysely'
import { rowsOf } from '#server/db/query.ts'
import { chartChannels } from '#server/fleet/telemetry/sample-columns.ts'
import type { BoardServer, TestBoard } from '#tests/support/board-server.ts'
import { onBothEngines } from './board-servers.ts'
import { interleaved, median, report } from './figures.ts'
import { fillDays } from './samples.ts'

const day = 86_400_000
const now = new Date('2026-03-02T12:00:00Z')
const days = 60
const rounds = 5
const pageRows = 2_000
const piecesToCollection = 5

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')
const usedMb = () => {
  const { heapUsed, external } = process.memoryUsage()
  return (heapUsed + external) / 1024 / 1024
}

const few = ['socPct', 'batteryPowerW', 'cellVoltageMaxMv', 'cellTempMaxC']
const all = chartChannels.map(({ name }) => name)

type Target = { name: string; days: number; channels: readonly string[]; read: (facts: Reading) => Promise<Got> }
type Reading = { server: BoardServer; board: TestBoard; url: string; token: string; target: Target; onPiece?: () => void }
type Got = { rows: number; kb: number }
type Row = Record<string, string | number>

/** Downloads as a browser does: piece by piece, never as a whole. */
async function download({ board, url, token, target, onPiece }: Reading): Promise<Got> {
  const query = new URLSearchParams({
    controlPcbId: board.id,
    from: new Date(now.getTime() - target.days * day).toISOString(),
    to: now.toISOString(),
  })
  for (const name of target.channels) query.append('channel', name)
  const answer = await fetch(`${url}/api/telemetry/export?${query}`, { headers: { authorization: `Bearer ${token}` } })
  if (answer.status !== 200 || !answer.body) throw new Error(`${answer.status} ${await answer.text()}`)
  const got = { rows: -1, kb: 0 }
  for await (const piece of answer.body) {
    const bytes: Uint8Array = piece
    for (const byte of bytes) if (byte === 10) got.rows += 1
    got.kb += bytes.length / 1024
    onPiece?.()
  }
  return got
}

/** The least that the same rows can cost: read page by page and joined, without server, zone or names of states. */
async function floor({ server, board, target, onPiece }: Reading): Promise<Got> {
  const columns = sql.raw(target.channels.map((name) => `, "${name}"`).join(''))
  const got = { rows: 0, kb: 0 }
  let after = new Date(now.getTime() - target.days * day - 1).toISOString()
  for (;;) {
    const rows = await rowsOf(
      server.database.kysely,
      sql<{
        ts: string
      }>`select "ts"${columns} from "telemetry" where "controlPcbId" = ${board.id} and "ts" > ${after} and "ts" < ${now}
        order by "ts" limit ${pageRows}`,
    )
    got.rows += rows.length
    got.kb += rows.map((row) => Object.values(row).join(',')).join('\r\n').length / 1024
    onPiece?.()
    after = rows.at(-1)?.ts ?? after
    if (rows.length < pageRows) return got
  }
}

const targets: readonly Target[] = [
  { name: 'floor: the rows read and joined, 4 channels', days, channels: few, read: floor },
  { name: '60 days, 4 channels', days, channels: few, read: download },
  { name: '6 days, 4 channels', days: 6, channels: few, read: download },
  { name: 'floor: the rows read and joined, every channel', days, channels: all, read: floor },
  { name: '60 days, every channel', days, channels: all, read: download },
  { name: '6 days, every channel', days: 6, channels: all, read: download },
]

async function measureOnce(facts: Reading): Promise<Got & { ms: number }> {
  const started = performance.now()
  const got = await facts.target.read(facts)
  const ms = performance.now() - started
  if (got.rows !== facts.target.days * 1_440) throw new Error(`${facts.target.name}: ${got.rows} rows`)
  return { ...got, ms }
}

/** Peak of held memory in MB. A run of its own, without the clock: collecting garbage after every few pieces leaves what is held. */
async function heldMb(facts: Reading): Promise<number> {
  collect()
  const before = usedMb()
  let [pieces, peak] = [0, before]
  const onPiece = () => {
    pieces += 1
    if (pieces % piecesToCollection !== 0) return
    collect()
    peak = Math.max(peak, usedMb())
  }
  await facts.target.read({ ...facts, onPiece })
  return peak - before
}

async function measure(name: string, server: BoardServer): Promise<Row[]> {
  const board = await server.addBoard()
  await fillDays(server, board, { from: new Date(now.getTime() - days * day), days })
  await server.rows('analyze')
  const url = await server.app.listen({ port: 0, host: '127.0.0.1' })
  const token = await server.token()
  const facts = { server, board, url, token }
  const results = await interleaved(targets, rounds, (target) => measureOnce({ ...facts, target }))
  const rows: Row[] = []
  for (const target of targets) {
    const timed = results.get(target.name) ?? []
    const [{ rows: count = 0, kb = 0 } = {}] = timed
    const ms = median(timed.map((each) => each.ms))
    rows.push({
      engine: name,
      export: target.name,
      rows: count,
      MB: Number((kb / 1024).toFixed(1)),
      'median ms': Math.round(ms),
      'rows/s': Math.round(count / (ms / 1_000)),
      'held MB': Number((await heldMb({ ...facts, target })).toFixed(1)),
    })
  }
  return rows
}

/** Export of 60 days at one sample a minute, 86,400 rows, as CSV over HTTP: ten times the days, the same memory. */
export async function benchExport(): Promise<void> {
  report('export', await onBothEngines(now, measure))
}
