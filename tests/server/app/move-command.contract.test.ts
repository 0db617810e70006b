import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { buildImage } from '#server/fleet/firmware/image-header.ts'
import { telemetryFrame } from '#tests/server/frames/sample-frames.ts'
import { Authenticator } from '#tests/support/authenticator.ts'
import { embedded } from '#tests/support/databases.ts'
import { homeFacts } from '#tests/support/home-facts.ts'
import { createTestDatabase, type TestDatabase } from '#tests/support/postgres.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

/** The admin of a `ServerProcess`. */
const admin = { email: 'admin@example.com', password: 'tiny-otter-waves-42' }
const uid = '002B00000001'
const image = buildImage({
  firmwareVersion: '9.9.9',
  hardwareRevisions: ['B1'],
  minFromVersion: '2.0.0',
  payload: Buffer.from('firmware '.repeat(50_000)),
})
const lists = ['ess', 'control-pcb', 'user', 'firmware', 'audit-log']

type Challenge = { challenge: string }
type Session = { accessToken: string }
type Known = { lists: unknown[]; boards: unknown[]; packages: number; series: unknown }

/** An embedded server, and what a person and a board did there. */
let source: ServerProcess
let place: TestDatabase
let moved: ServerProcess | undefined
let app: Authenticator
let boardId: string
let deviceKey: string
let firmwareId: string
let bearer: { authorization: string }
let before: Known

const from = new Date(Date.now() - 3_600_000).toISOString()
const to = new Date(Date.now() + 600_000).toISOString()
const packagesOf = async (server: ServerProcess) =>
  (await server.call<unknown[]>('GET', `package?controlPcbId=${boardId}&_start=0&_end=50`, undefined, bearer)).length

/** Answers to the person whose session was opened before the move. */
async function seenOn(server: ServerProcess): Promise<Known> {
  const ask = <T>(path: string) => server.call<T>('GET', path, undefined, bearer)
  const all = []
  for (const name of lists) {
    const rows = await ask<{ id: string }[]>(`${name}?_start=0&_end=5&_sort=id&_order=asc`)
    all.push([name, rows.map(({ id }) => id)])
  }
  return {
    lists: all,
    boards: await ask('control-pcb?_sort=id&_order=asc'),
    packages: await packagesOf(server),
    series: await ask(`telemetry?controlPcbId=${boardId}&from=${from}&to=${to}&channel=socPct`),
  }
}

const send = (server: ServerProcess, seq: number) =>
  server.send(deviceKey, telemetryFrame({ firmwareVersion: '2.1.3' }, { seq, time: new Date(), uid }))

async function signInWithCode(server: ServerProcess, stepsOff: number): Promise<Session> {
  const { challenge } = await server.call<Challenge>('POST', 'auth/login', admin)
  const code = app.codeAt(Date.now(), stepsOff)
  return server.call<Session>('POST', 'auth/challenge/code', { challenge, code })
}

const onPostgres = () => ({ DATABASE_URL: place.url })

beforeAll(async () => {
  source = await ServerProcess.on(embedded)
  place = await createTestDatabase()
  await source.start()
  bearer = { authorization: source.authorization }
  const facts = { code: 'PCB-AB00C1', uid, hardwareRevision: 'B1', lifecycle: 'ACTIVE' }
  boardId = (await source.call<{ id: string }>('POST', 'control-pcb', facts)).id
  deviceKey = (await source.call<{ deviceKey: string }>('POST', `control-pcb/${boardId}/device-key`)).deviceKey
  for (const seq of [1, 2, 3]) await send(source, seq)
  const form = new FormData()
  form.append('file', new Blob([new Uint8Array(image)]), 'ess-pcb_B1_v9.9.9.bin')
  firmwareId = (await source.call<{ id: string }>('POST', 'firmware', form)).id
  await source.call('POST', 'ess', {
    code: 'HOME-00001',
    name: 'Home',
    ...homeFacts,
  })
  const { secret } = await source.call<{ secret: string }>('POST', 'auth/factor/totp')
  app = new Authenticator(secret)
  await source.call('PUT', 'auth/factor/totp', { code: app.codeAt(Date.now(), -1) })
  before = await seenOn(source)
}, 120_000)
afterAll(async () => {
  await moved?.remove()
  await source.remove()
  await place.drop()
})

it('a move is refused while a server runs on the folder', async () => {
  const running = await source.run(['move'], onPostgres())
  expect(running).toMatchObject({
    code: 1,
    output: expect.stringMatching(/^The data folder .* is in use by process \d+\. .*\n$/),
  })
  await source.terminate()
})

it('a server goes on on PostgreSQL after a move, with the same records, sessions, second factors and files', async () => {
  const { code, output } = await source.run(['move'], onPostgres())
  expect([code, output]).toEqual([0, expect.stringMatching(/^Moved and verified \d+ tables, \d+ rows/m)])
  expect(output).toMatch(/^ *ess +1 rows$/m)
  expect(output).toContain(`set SECRETS_KEY to the content of ${join(source.dataDir, 'secrets.key')}`)
  const secretsKey = (await readFile(join(source.dataDir, 'secrets.key'), 'utf8')).trim()
  expect(output).not.toContain(secretsKey)

  moved = await ServerProcess.at(place.url)
  await moved.start({ SECRETS_KEY: secretsKey })
  expect(await seenOn(moved)).toEqual(before)
  expect(await signInWithCode(moved, 1)).toMatchObject({ user: { email: admin.email } })
  const file = await fetch(`${moved.url}/api/firmware/${firmwareId}/file`, { headers: bearer })
  expect(Buffer.from(await file.arrayBuffer()).equals(image)).toBe(true)

  await send(moved, 4)
  expect(await packagesOf(moved)).toBe(before.packages + 1)
  const { version } = await moved.call<{ version: number }>('GET', `control-pcb/${boardId}`, undefined, bearer)
  await moved.call('PUT', `control-pcb/${boardId}`, { version, notes: 'Moved' }, bearer)
})
