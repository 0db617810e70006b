import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openDatabase } from '#server/db/connect.ts'
import { keepAttention } from '#server/fleet/shared/keep-attention.ts'
import { ApiUser, accounts } from '#tests/e2e/support/api-user.ts'
import { settled, startServer } from '#tests/e2e/support/live-server.ts'
import { createTestDatabase, setup } from '#tests/support/postgres.ts'
import { interleaved, median, report } from './figures.ts'
import { load, type Target } from './load.ts'

const connections = 16
const seconds = 3
const rounds = 5
const pageOf = (rows: number) => `lifecycle=IN_OPERATION&_sort=code&_order=asc&_start=0&_end=${rows}`
const query = pageOf(25)
/** As many pages as connections, 25 rows in the middle: no two connections share a page. */
const different = Array.from({ length: connections }, (_, index) => pageOf(25 + index - connections / 2))

/** The demo fleet of 200, 500 times; those that are added are under no maintenance, which would raise a warning for each. */
const grown = `insert into "ess" select (jsonb_populate_record("e", jsonb_build_object('id', gen_random_uuid()::text,
  'maintenance', null, 'code', 'BENCH-' || "n" || '-' || "e"."code"))).* from "ess" as "e", generate_series(1, 499) as "n"`

async function grow(at: { databaseUrl?: string; dataDir: string }): Promise<void> {
  const database = await openDatabase({ ...at, statementTimeoutMs: 300_000 })
  await database.pool.query(grown)
  // A fleet that has grown by a statement has no places yet: filling them is not what is measured.
  await keepAttention(database)
  await database.pool.query('vacuum analyze')
  await database.close()
}

function startFloor(databaseUrl: string): Promise<{ url: string; stop: () => void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'floor.mjs')], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the floor ended with ${code}`)))
    child.stdout.once('data', (chunk) =>
      resolve({ url: String(chunk).trim().replace('floor at ', ''), stop: () => child.kill('SIGTERM') }),
    )
  })
}

async function listsOf(name: string, url: string): Promise<Target[]> {
  const { token } = await ApiUser.signIn(url, accounts.admin)
  const addresses = (queries: readonly string[]) => queries.map((each) => `${url}/api/ess?${each}`)
  return [
    { name, urls: addresses([query]), token },
    { name: `${name}, everybody another page`, urls: addresses(different), token },
  ]
}

/** A list of 25 of 100,000 rows, filtered and sorted, 16 connections; every figure beside the floor of the same run. */
export async function benchList(): Promise<void> {
  const stopPostgres = await setup()
  const { url: databaseUrl } = await createTestDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'ess-bench-'))
  const env = { RATE_LIMIT_PER_MIN: '1000000', DATABASE_URL: databaseUrl }
  const onPostgres = { dataDir: join(dataDir, 'files'), env }
  const onEmbedded = { dataDir: join(dataDir, 'embedded'), env: { RATE_LIMIT_PER_MIN: env.RATE_LIMIT_PER_MIN } }
  for (const place of [onPostgres, onEmbedded]) {
    const first = await startServer(place)
    await settled(first.url)
    await first.stop()
  }
  await grow({ databaseUrl, dataDir: onPostgres.dataDir })
  await grow({ dataDir: onEmbedded.dataDir })
  const [server, small, floor] = [
    await startServer({ ...onPostgres, isLong: true }),
    await startServer({ ...onEmbedded, isLong: true }),
    await startFloor(databaseUrl),
  ]
  const targets: Target[] = [
    { name: 'floor: node:http and pg, no total', urls: [`${floor.url}/page?${query}`] },
    { name: 'floor with an exact count', urls: [`${floor.url}/counted?${query}`] },
    ...(await listsOf('this server on PostgreSQL', server.url)),
    ...(await listsOf('this server, embedded', small.url)),
  ]
  for (const target of targets) await load(target, { connections, seconds: 1 })
  const results = await interleaved(targets, rounds, (target) => load(target, { connections, seconds }))
  const perSecond = (name: string) => median((results.get(name) ?? []).map((each) => each.perSecond))
  const floorPerSecond = perSecond(targets[0]?.name ?? '')
  report(
    'list',
    targets.map(({ name }) => ({
      target: name,
      'req/s': Math.round(perSecond(name)),
      'of the floor': Number((perSecond(name) / floorPerSecond).toFixed(2)),
      'p99 ms': Number(median((results.get(name) ?? []).map((each) => each.p99Ms)).toFixed(1)),
    })),
  )
  floor.stop()
  await Promise.all([server.stop(), small.stop()])
  await rm(dataDir, { recursive: true })
  await stopPostgres?.()
}
