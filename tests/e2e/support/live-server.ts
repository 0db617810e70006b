import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

export const demoPassword = 'demo-password'
const root = process.cwd()

export type LiveServer = { url: string; dataDir: string; stop(): Promise<void> }
type Start = {
  dataDir: string
  env?: Readonly<Record<string, string>>
  dir?: string
  program?: string
  /** Optimizes its embedded engine: a third of the work of a start, which pays after a thousand calls. */
  isLong?: boolean
}

const waitMs = 90_000

/** Resolves with the address that the server prints; rejects with its output when it ends before. */
function listening(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    const timer = setTimeout(() => reject(new Error(`no address within ${waitMs / 1000} s:\n${output}`)), waitMs)
    const read = (chunk: Buffer) => {
      output += chunk.toString()
      const address = /ESS console at (http:\/\/\S+)/.exec(output)?.[1]
      if (!address) return
      clearTimeout(timer)
      resolve(address)
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => {
      clearTimeout(timer)
      reject(new Error(`the server ended with ${code}:\n${output}`))
    })
  })
}

/** Resolves once the process has ended, also where it has already. */
export const ended = (child: ChildProcess): Promise<void> =>
  new Promise<void>((resolve) => (child.exitCode === null ? child.once('exit', () => resolve()) : resolve()))

/** Starts a built server, of this project or of the one in `dir`, on a free port and a data folder of its own. */
export async function startServer({
  dataDir,
  env = {},
  dir = root,
  program = 'dist/server/main.mjs',
  isLong = false,
}: Start): Promise<LiveServer> {
  const settings = {
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: '1',
    DEMO_LIVE: '0',
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_MIN: '100000',
    // Receivers of tests are on this machine.
    WEBHOOK_NETWORKS: '127.0.0.1',
    ...env,
  }
  const inherited = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => name !== 'DATABASE_URL' && name !== 'NODE_ENV'),
  )
  const child = spawn(process.execPath, [...(isLong ? [] : ['--liftoff-only']), join(dir, program)], {
    cwd: dir,
    env: { ...inherited, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const url = await listening(child)
  return {
    url,
    dataDir,
    async stop() {
      child.kill('SIGTERM')
      await ended(child)
    },
  }
}

/** Tells the workers where the fleet of this run stands. */
const fleetVariable = 'TEST_DEMO_FLEET'

/**
 * Waits until the server has found what is wrong with the fleet, and has told people of it: no test shall meet that by the way.
 */
export async function settled(url: string): Promise<void> {
  const body = JSON.stringify({ email: 'admin@example.com', password: demoPassword })
  const headers = { 'content-type': 'application/json' }
  const signedIn = await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })
  const { accessToken }: { accessToken: string } = await signedIn.json()
  const warnings = async () => {
    const answer = await fetch(`${url}/api/telemetry-warning?_end=1`, { headers: { authorization: `Bearer ${accessToken}` } })
    return Number(answer.headers.get('x-total-count'))
  }
  for (let before = 0, now = await warnings(), tries = 0; (now === 0 || now !== before) && tries < 30; tries++) {
    await sleep(1_000)
    before = now
    now = await warnings()
  }
  await sleep(3_000)
}

/** Makes a data folder with the demo fleet, which every worker copies; answers how to remove it. */
export async function prepareFleet(): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'ess-fleet-'))
  const server = await startServer({ dataDir })
  await settled(server.url)
  await server.stop()
  process.env[fleetVariable] = dataDir
  return () => rm(dataDir, { recursive: true, force: true })
}

/** A server on a copy of the demo fleet. What a test changes is gone with it. */
export async function startFleet(start: Omit<Start, 'dataDir' | 'program'> = {}): Promise<LiveServer> {
  const seeded = process.env[fleetVariable]
  if (!seeded) throw new Error('the demo fleet is not prepared: run the tests through Playwright, whose set-up makes it')
  const dataDir = await mkdtemp(join(tmpdir(), 'ess-e2e-'))
  await cp(seeded, dataDir, { recursive: true })
  const server = await startServer({ dataDir, ...start })
  return {
    ...server,
    async stop() {
      await server.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}
