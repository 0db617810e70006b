import { sql } from 'kysely'
import { rowsOf } from '#server/db/query.ts'
import { rollUp } from '#server/fleet/telemetry/roll-up.ts'
import type { SeriesAnswer } from '#server/fleet/telemetry/series-answer.ts'
import type { BoardServer, TestBoard } from '#tests/support/board-server.ts'
import { onBothEngines } from './board-servers.ts'
import { interleaved, median, report } from './figures.ts'
import { fillDays } from './samples.ts'

const minute = 60_000
const day = 1_440 * minute
const now = new Date('2026-03-02T12:00:00Z')
const yearAgo = new Date(now.getTime() - 365 * day)
const rounds = 9
const channels = ['socPct', 'batteryPowerW', 'cellVoltageMaxMv', 'cellTempMaxC']

/** Days out of the samples themselves: what a chart would cost without the rolled rows. */
const fromSamples = ({ database }: BoardServer, { id }: TestBoard) =>
  rowsOf(
    database.kysely,
    sql`select date_trunc('day', "ts" at time zone 'Europe/Moscow'), ${sql.raw(
      channels.map((name) => `avg("${name}"), min("${name}"), max("${name}")`).join(', '),
    )} from "telemetry" where "controlPcbId" = ${id} and "ts" >= ${yearAgo} and "ts" < ${now} group by 1 order by 1`,
  )

type Asked = { name: string; range: [from: Date, to: Date]; channels: readonly string[] }

const back = (ms: number): [Date, Date] => [new Date(now.getTime() - ms), now]
const questions: readonly Asked[] = [
  { name: 'a year, 1 channel', range: [yearAgo, now], channels: channels.slice(0, 1) },
  { name: 'a year, 4 channels', range: [yearAgo, now], channels },
  { name: '31 days, 4 channels', range: back(31 * day), channels },
  { name: 'a week, 4 channels', range: back(7 * day), channels },
  { name: 'zoomed to a day, 4 channels', range: back(day), channels },
  { name: 'zoomed to 6 hours, 4 channels', range: back(6 * 60 * minute), channels },
]

async function read(server: BoardServer, board: TestBoard, { range: [from, to], channels: names }: Asked) {
  const query = new URLSearchParams({ controlPcbId: board.id, from: from.toISOString(), to: to.toISOString() })
  for (const name of names) query.append('channel', name)
  const started = performance.now()
  const { body, status, text } = await server.call<SeriesAnswer>('GET', `telemetry?${query}`)
  if (status !== 200) throw new Error(`${status} ${text}`)
  const points = Object.values(body.series)[0]?.t.length ?? 0
  return { ms: performance.now() - started, points, kb: text.length / 1024 }
}

type Row = Record<string, string | number>

async function measure(name: string, server: BoardServer): Promise<Row[]> {
  const board = await server.addBoard()
  const perSecond = await fillDays(server, board, { from: yearAgo, days: 365 })
  const rolling = performance.now()
  await rollUp(server.database, now)
  const rolledMs = performance.now() - rolling
  await server.rows('analyze')
  const samples = { name: 'a year, 4 channels, out of the samples', points: 0 }
  const targets = [...questions, samples]
  const ask = async (target: (typeof targets)[number]) => {
    if ('range' in target) return read(server, board, target)
    const started = performance.now()
    const rows = await fromSamples(server, board)
    return { ms: performance.now() - started, points: rows.length, kb: 0 }
  }
  for (const question of questions) await read(server, board, question)
  const results = await interleaved(targets, rounds, ask)
  const slow = median((results.get(samples.name) ?? []).map(({ ms }) => ms))
  console.log(`${name}: ${Math.round(perSecond)} samples/s stored, a year rolled up in ${Math.round(rolledMs)} ms`)
  return targets.map((target) => {
    const found = results.get(target.name) ?? []
    const ms = median(found.map((each) => each.ms))
    const facts = {
      'points a series': found[0]?.points ?? 0,
      'median ms': Number(ms.toFixed(1)),
      KB: Math.round(found[0]?.kb ?? 0),
    }
    return { engine: name, question: target.name, ...facts, 'faster than samples': Number((slow / ms).toFixed(1)) }
  })
}

/** A year of one board, a sample a minute, as the charts ask for it: never more than 750 points a series. */
export async function benchYear(): Promise<void> {
  report('year', await onBothEngines(now, measure))
}
