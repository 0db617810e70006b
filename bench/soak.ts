import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiUser, accounts } from '#tests/e2e/support/api-user.ts'
import { type LiveServer, startServer } from '#tests/e2e/support/live-server.ts'
import { newEss } from '#tests/e2e/support/records.ts'
import { TalkingBoard } from '#tests/e2e/support/talking-board.ts'
import { createTestDatabase, setup } from '#tests/support/postgres.ts'
import { median, metricOf, report } from './figures.ts'

/** `SOAK_MINUTES=10` for a short one, of which the first third warms up. */
const minutes = Number(process.env.SOAK_MINUTES ?? 60)
const warmUpShare = 1 / 3
/** Shares of the time that are compared: one right after the warm-up, one at the end. */
const comparedShare = 1 / 6
const lanes = 4
const pauseMs = 25
const sampleMs = 1_000
const mostGrowth = 0.1
const metricsToken = 'soak-metrics-token-of-32-letters'

type People = { admin: ApiUser; moderator: ApiUser; client: ApiUser; url: string; board: TalkingBoard }
type Call = (people: People) => Promise<number>

const statusOf = async (call: Promise<{ status: number }>) => (await call).status

async function readStream({ url, moderator }: People): Promise<number> {
  const leaving = new AbortController()
  const headers = { authorization: `Bearer ${moderator.token}` }
  const answer = await fetch(`${url}/api/events`, { headers, signal: leaving.signal })
  await answer.body?.getReader().read()
  leaving.abort()
  return answer.status
}

async function changeEss({ admin }: People): Promise<number> {
  const { id, version } = await newEss(admin)
  await admin.call('PUT', `ess/${id}`, { version, name: `Soak ${id}` })
  return statusOf(admin.call('DELETE', `ess/${id}`, { version: version + 1, reason: 'soak' }))
}

async function signInAndOut({ url }: People): Promise<number> {
  const user = await ApiUser.signIn(url, accounts.moderator)
  return statusOf(user.call('POST', 'auth/logout', {}))
}

async function download({ url, admin }: People): Promise<number> {
  const answer = await fetch(`${url}/api/export/ess`, { headers: { authorization: `Bearer ${admin.token}` } })
  await answer.arrayBuffer()
  return answer.status
}

/** A day of calls of people and boards, valid and invalid ones in turn. */
const calls: readonly Call[] = [
  ({ admin }) => statusOf(admin.call('GET', 'ess?_start=0&_end=25&_sort=code')),
  ({ moderator }) => statusOf(moderator.call('GET', 'control-pcb?_start=25&_end=50')),
  ({ client }) => statusOf(client.call('GET', 'ess')),
  ({ admin }) => statusOf(admin.call('GET', 'user?q=a&_start=0&_end=25')),
  ({ board }) => statusOf(board.post(board.frame())),
  ({ admin, board }) => statusOf(admin.call('GET', `ess/${board.essId}`)),
  ({ admin }) => statusOf(admin.call('GET', 'audit-log?_start=0&_end=50')),
  changeEss,
  ({ client }) => statusOf(client.call('GET', 'user')),
  ({ admin }) => statusOf(admin.call('GET', 'ess?nonsense=1')),
  ({ admin }) => statusOf(admin.call('POST', 'ess', { code: 7 })),
  ({ admin }) => statusOf(admin.call('GET', 'no-such-address')),
  readStream,
  ({ admin, board }) => statusOf(admin.call('GET', `telemetry-warning?controlPcbId=${board.id}`)),
  ({ admin }) => statusOf(admin.call('GET', 'menu/counts')),
  signInAndOut,
  download,
]

/** Resident memory of the server in MB, by its own metrics. */
const residentMb = async (url: string): Promise<number> =>
  (await metricOf(url, metricsToken, 'process_resident_memory_bytes')) / 1024 / 1024

async function peopleOf(url: string): Promise<People> {
  const [admin, moderator, client] = await Promise.all(
    [accounts.admin, accounts.moderator, accounts.client].map((email) => ApiUser.signIn(url, email)),
  )
  if (!admin || !moderator || !client) throw new Error('the accounts of the demo are not there')
  return { admin, moderator, client, url, board: await TalkingBoard.attach(admin, url) }
}

/** Calls in turn over all lanes until the time is over, with memory looked at once a second. */
async function soak(name: string, { url }: LiveServer) {
  const people = await peopleOf(url)
  const end = performance.now() + minutes * 60_000
  const isOver = () => performance.now() >= end
  const statuses = new Map<number, number>()
  const memory: number[] = []
  let turn = 0
  async function work(): Promise<void> {
    while (!isOver()) {
      const status = (await calls[turn++ % calls.length]?.(people)) ?? 0
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
      await sleep(pauseMs)
    }
  }
  async function look(): Promise<void> {
    for (; !isOver(); await sleep(sampleMs)) memory.push(await residentMb(url))
  }
  await Promise.all([look(), ...Array.from({ length: lanes }, work)])
  const window = Math.ceil(memory.length * comparedShare)
  const warm = Math.floor(memory.length * warmUpShare)
  const [before, after] = [median(memory.slice(warm, warm + window)), median(memory.slice(-window))]
  const faults = [...statuses].reduce((sum, [status, count]) => sum + (status >= 500 ? count : 0), 0)
  return {
    engine: name,
    minutes,
    calls: turn,
    statuses: [...statuses.keys()].toSorted((a, b) => a - b).join(' '),
    'answers from 500 on': faults,
    'warm MB': Math.round(before),
    'end MB': Math.round(after),
    'most MB': Math.round(Math.max(...memory)),
    'growth %': Number(((after / before - 1) * 100).toFixed(1)),
  }
}

/** An hour of mixed calls against the built server, on each engine: memory must not grow by a tenth, and no call may fail. */
export async function benchSoak(): Promise<void> {
  const stopPostgres = await setup()
  const { url: databaseUrl } = await createTestDatabase()
  const folder = await mkdtemp(join(tmpdir(), 'ess-soak-'))
  const env = { RATE_LIMIT_PER_MIN: '1000000', TOKEN_TTL_S: '86400', METRICS_TOKEN: metricsToken, DEMO_SIZE: '50' }
  const places = [
    { name: 'PGlite', dataDir: join(folder, 'embedded'), env },
    { name: 'PostgreSQL', dataDir: join(folder, 'files'), env: { ...env, DATABASE_URL: databaseUrl } },
  ]
  const rows: Awaited<ReturnType<typeof soak>>[] = []
  for (const { name, ...place } of places) {
    const server = await startServer({ ...place, isLong: true })
    rows.push(await soak(name, server))
    await server.stop()
  }
  report('soak', rows)
  await rm(folder, { recursive: true })
  await stopPostgres?.()
  const bad = rows.filter((row) => row['growth %'] > mostGrowth * 100 || row['answers from 500 on'] > 0)
  if (bad.length > 0) throw new Error(`The server does not last: ${bad.map(({ engine }) => engine).join(', ')}`)
}
