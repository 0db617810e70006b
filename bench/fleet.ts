import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { hashOfKey } from '#server/fleet/board/device-key.ts'
import { ApiUser, accounts } from '#tests/e2e/support/api-user.ts'
import { type LiveServer, startServer } from '#tests/e2e/support/live-server.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { createTestDatabase, setup } from '#tests/support/postgres.ts'
import { metricOf, quantile, report } from './figures.ts'

/** Size of the fleet and length of the run; `FLEET_BOARDS` and `FLEET_MINUTES` set other ones. */
const boards = Number(process.env.FLEET_BOARDS ?? 100_000)
const minutes = Number(process.env.FLEET_MINUTES ?? 10)
const intervalS = 60
const connections = 128
const tickMs = 10
const betweenListsMs = 500
const metricsToken = 'fleet-metrics-token-of-32-letters'

const uidOf = (index: number) => (0x00_1b_00_00_00_00 + index).toString(16).padStart(12, '0').toUpperCase()
const keyOf = (index: number) => `fleet-key-${index}`

/**
 * Boards with their systems and keys, which count as heard until they are: those of a fleet do not call for the first time in one minute.
 * Made in a few statements: by calls this would take longer than the measuring.
 */
async function makeFleet(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const ids = Array.from({ length: boards }, () => randomUUID())
  const uids = ids.map((_, index) => uidOf(index))
  const systems = ids.map(() => randomUUID())
  await client.query(
    `insert into "ess" ("id", "code", "name", "profile", "chemistry", "ratedEnergyWh", "ratedChargePowerW", "ratedDischargePowerW",
        "cellsInSeries", "pvPeakPowerW", "gridConnectionLimitW", "location", "lifecycle")
      select "e", 'ESS-' || "u", 'Home', 'HOME', 'LFP', 10240, 5000, 5000, 16, 6000, 11000, '{"timezone":"Europe/Moscow"}', 'IN_OPERATION'
        from unnest($1::text[], $2::text[]) as "n" ("e", "u")`,
    [systems, uids],
  )
  await client.query(
    `insert into "control_pcb" ("id", "code", "uid", "hardwareRevision", "lifecycle", "essId", "role")
      select "b", 'PCB-' || "u", "u", 'B1', 'ACTIVE', "e", 'MAIN' from unnest($1::text[], $2::text[], $3::text[]) as "n" ("b", "e", "u")`,
    [ids, systems, uids],
  )
  await client.query(
    `insert into "control_pcb_attachment" ("id", "controlPcbId", "essId", "role", "attachedAt")
      select "b", "b", "e", 'MAIN', now() - interval '1 day' from unnest($1::text[], $2::text[]) as "n" ("b", "e")`,
    [ids, systems],
  )
  await client.query(
    `insert into "deviceKey" ("controlPcbId", "hash", "isDemo", "createdAt")
      select "b", "h", false, now() from unnest($1::text[], $2::text[]) as "n" ("b", "h")`,
    [ids, ids.map((_, index) => hashOfKey(keyOf(index)))],
  )
  await client.query(
    `insert into "boardState" ("controlPcbId", "lastPacketAt", "lastValidPacketAt", "reportIntervalS")
      select "b", now() + interval '3 minutes', now() + interval '3 minutes', $2 from unnest($1::text[]) as "n" ("b")`,
    [ids, intervalS],
  )
  await client.query(
    `insert into "boardConnection" ("controlPcbId", "state", "since") select "b", 'ONLINE', now() - interval '1 day' from unnest($1::text[]) as "n" ("b")`,
    [ids],
  )
  await client.query('vacuum analyze')
  await client.end()
}

/** Waits until the jobs of the server have placed the new systems in their order. */
async function untilPlaced(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  for (let left = 1; left > 0; await sleep(1_000)) {
    const { rows } = await client.query<{ left: number }>(
      'select (select count(*) from "ess" where "attention" is null)::int4 + (select count(*) from "control_pcb" where "attention" is null)::int4 as "left"',
    )
    left = rows[0]?.left ?? 0
  }
  await client.query('vacuum analyze')
  await client.end()
}

type Post = { status: number; ms: number }

function post(agent: Agent, url: string, index: number, seq: number): Promise<number> {
  const frame = telemetryFrame({ uptimeS: seq * intervalS }, { seq, uid: uidOf(index), time: new Date() })
  const headers = { 'content-type': 'application/octet-stream', 'content-length': frame.length, 'x-device-key': keyOf(index) }
  return new Promise((resolve) => {
    request(`${url}/api/device/v1/frames`, { agent, method: 'POST', headers }, (answer) => {
      answer.resume()
      answer.once('end', () => resolve(answer.statusCode ?? 0))
    })
      .once('error', () => resolve(0))
      .end(frame)
  })
}

/** Each board sends a frame a minute, whether the server keeps up or not: times run from when a frame was due. */
async function sendFrames(url: string): Promise<Post[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const posts: Promise<Post>[] = []
  const started = performance.now()
  const perMs = boards / (intervalS * 1_000)
  const total = boards * minutes
  while (posts.length < total) {
    const due = Math.min(total, Math.floor((performance.now() - started) * perMs))
    while (posts.length < due) {
      const dueAt = started + posts.length / perMs
      const [index, seq] = [posts.length % boards, Math.floor(posts.length / boards) + 1]
      posts.push(post(agent, url, index, seq).then((status) => ({ status, ms: performance.now() - dueAt })))
    }
    await sleep(tickMs)
  }
  const ended = await Promise.all(posts)
  agent.destroy()
  return ended
}

const metric = (url: string, name: string) => metricOf(url, metricsToken, name)
const at = (values: readonly number[], share: number) => Math.round(quantile(values, share))

async function measure({ url }: LiveServer, databaseUrl: string) {
  const admin = await ApiUser.signIn(url, accounts.admin)
  let isOver = false
  const lists: number[] = []
  const memory: number[] = []
  async function read(): Promise<void> {
    for (; !isOver; await sleep(betweenListsMs)) {
      const asked = performance.now()
      await admin.get('ess?_start=0&_end=25')
      lists.push(performance.now() - asked)
      memory.push((await metric(url, 'process_resident_memory_bytes')) / 1024 / 1024)
    }
  }
  const reading = read()
  const posts = await sendFrames(url)
  isOver = true
  await reading
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  const { rows } =
    await client.query(`select count(*)::int as "count" from "telemetry" join "control_pcb" on "control_pcb"."id" = "controlPcbId"::text
    where "uid" like '001B%'`)
  await client.end()
  const accepted = posts.filter(({ status }) => status === 202).length
  const times = posts.map(({ ms }) => ms)
  return {
    boards,
    minutes,
    'frames/s': Math.round(boards / intervalS),
    accepted,
    refused: posts.length - accepted,
    stored: Number(rows[0]?.count),
    'answer p50 ms': at(times, 0.5),
    'answer p99 ms': at(times, 0.99),
    'answer max ms': at(times, 1),
    'list p50 ms': at(lists, 0.5),
    'list p99 ms': at(lists, 0.99),
    'CPU s': Math.round(await metric(url, 'process_cpu_seconds_total')),
    'most MB': Math.round(Math.max(...memory)),
  }
}

/** A large fleet at its usual pace against the built server on PostgreSQL: every frame that was accepted is stored. */
export async function benchFleet(): Promise<void> {
  const stopPostgres = await setup()
  const { url: databaseUrl } = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'ess-fleet-bench-'))
  const env = {
    DATABASE_URL: databaseUrl,
    RATE_LIMIT_PER_MIN: '1000000',
    TOKEN_TTL_S: '86400',
    METRICS_TOKEN: metricsToken,
    DEMO_SIZE: '50',
  }
  const first = await startServer({ dataDir, env, isLong: true })
  await first.stop()
  await makeFleet(databaseUrl)
  const server = await startServer({ dataDir, env, isLong: true })
  await untilPlaced(databaseUrl)
  const row = await measure(server, databaseUrl)
  await server.stop()
  report('fleet', [row])
  await rm(dataDir, { recursive: true })
  await stopPostgres?.()
  if (row.stored < row.accepted) throw new Error(`${row.accepted} frames were accepted, ${row.stored} samples are stored`)
}
