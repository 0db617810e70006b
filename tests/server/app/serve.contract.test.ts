import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { type Serving, serve } from '#server/app/serve.ts'
import { StartError } from '#server/base/start-error.ts'
import { openDatabase } from '#server/db/connect.ts'
import { refreshStatistics } from '#server/db/maintenance.ts'
import { embeddedFolder } from '#tests/support/databases.ts'

let dataDir: string
let serving: Serving | undefined
const said: string[] = []
const start = async (env: Record<string, string> = {}) => {
  serving = await serve({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir, ...env }, () => {})
  return serving
}
beforeEach(async () => {
  dataDir = await embeddedFolder()
  vi.spyOn(console, 'log').mockImplementation((line) => void said.push(line))
})
afterEach(async () => {
  await serving?.close()
  serving = undefined
  rmSync(dataDir, { recursive: true })
})

it('starts, says where and what it cost, and is ready', async () => {
  const { address } = await start()
  expect(said.at(-1)).toMatch(new RegExp(`ESS console at ${address}.*\\n.*database \\(embedded\\) \\d+ ms`))
  const answer = await fetch(`${address}/api/ready`)
  expect([answer.status, await answer.json()]).toEqual([200, { status: 'ok' }])
})

it('says in one line whose the data folder is', async () => {
  await start()
  const second = serve({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir }, () => {})
  await expect(second).rejects.toThrow(StartError)
  await expect(second).rejects.toThrow(`in use by process ${process.pid}`)
})

it('says in one line that the port is taken, and lets the data folder go', async () => {
  const other = createServer()
  const port = await new Promise<number>((resolve) =>
    other.listen(0, '127.0.0.1', () => resolve((other.address() as { port: number }).port)),
  )
  await expect(start({ PORT: String(port) })).rejects.toThrow(`Port ${port} on 127.0.0.1 is in use`)
  other.close()
  const database = await openDatabase({ dataDir })
  await refreshStatistics(database)
  await database.close()
})

it('migrates nothing where it could not go on: with a port that is taken, or a key file that can not be read', async () => {
  const other = createServer()
  const taken = await new Promise<string>((resolve) =>
    other.listen(0, '127.0.0.1', () => resolve(String((other.address() as { port: number }).port))),
  )
  for (const [env, message] of [
    [{ PORT: taken }, 'set PORT to another one'],
    [{ METRICS_PORT: taken }, 'set METRICS_PORT to another one'],
    [{ FCM_SERVICE_ACCOUNT: join(dataDir, 'none.json') }, 'FCM_SERVICE_ACCOUNT: '],
  ] as const)
    await expect(start(env)).rejects.toThrow(message)
  other.close()
  const database = await openDatabase({ dataDir })
  const { rows } = await database.pool.query(`select to_regclass('migration') as "table"`)
  await database.close()
  expect(rows).toEqual([{ table: null }])
})

it('says in one line that a host has no address', async () => {
  const failure = start({ HOST: 'no-such-host.invalid' })
  await expect(failure).rejects.toThrow(StartError)
  await expect(failure).rejects.toThrow(/no-such-host\.invalid:0 can not be listened on .*: set HOST and PORT/)
})

it('names the setting of a data folder that can not be made or written, at once', async () => {
  writeFileSync(join(dataDir, 'file'), '')
  for (const folder of ['/proc/no-such-folder', join(dataDir, 'file'), join(dataDir, 'file', 'below')])
    await expect(start({ DATA_DIR: folder })).rejects.toThrow(/can not be used \(E\w+\): set DATA_DIR to a folder/)
})

it('says that it makes a database, before the seconds that this takes', async () => {
  const folder = join(dataDir, 'of-its-own')
  await start({ DATA_DIR: folder })
  expect(said.at(-2)).toBe(`Creating the embedded database in ${folder}/database; the first start takes some seconds longer`)
})

it('names a database that can not be reached, without its password', async () => {
  const failure = start({ DATABASE_URL: 'postgres://someone:hush@127.0.0.1:1/fleet' })
  await expect(failure).rejects.toThrow('127.0.0.1:1/fleet can not be reached')
  await expect(failure).rejects.not.toThrow('hush')
})

it('gives up waiting for what does not end, so that the process can be left in time', async () => {
  serving = await serve({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir }, () => {}, 300)
  const { app } = serving
  const close = app.close.bind(app)
  const late = async () => {
    await sleep(1_000)
    await close()
  }
  Reflect.set(app, 'close', late)
  const started = performance.now()
  await expect(serving.close()).rejects.toThrow('has not ended within 0.3 s')
  expect(performance.now() - started).toBeLessThan(900)
  serving = undefined
  await expect.poll(() => existsSync(`${dataDir}/server.lock`), { timeout: 10_000 }).toBe(false)
})
