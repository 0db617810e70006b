import { rmSync } from 'node:fs'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { type NotReadyServer, serveNotReady } from '#server/app/not-ready-server.ts'
import { serve } from '#server/app/serve.ts'
import { openDatabase } from '#server/db/connect.ts'
import { ChangesRefused } from '#server/engine/changes/obstacles.ts'
import { embeddedFolder } from '#tests/support/databases.ts'
import { productTables } from '#tests/support/templates.ts'

let dataDir: string
let notReady: NotReadyServer | undefined
beforeAll(async () => {
  dataDir = await embeddedFolder(productTables)
})
afterAll(async () => {
  await notReady?.close()
  rmSync(dataDir, { recursive: true })
})

const inDatabase = async (text: string) => {
  const database = await openDatabase({ dataDir })
  await database.pool.query(text)
  await database.close()
}
const start = () => serve({ PORT: '0', LOG_LEVEL: 'silent', DATA_DIR: dataDir }, () => {})

it('a server whose definitions would lose data does not start, and tells so where readiness is asked', async () => {
  vi.spyOn(console, 'log').mockImplementation(() => {})
  await inDatabase(`alter table "ess_model" add column "motto" text`)
  await inDatabase(`insert into "ess_model" ("id", "motto") values ('r1', 'hush')`)
  const refused: unknown = await start().catch((error: unknown) => error)
  if (!(refused instanceof ChangesRefused)) throw refused
  expect(refused.message).toContain('ess-model.motto: 1 value is in the database')
  expect(refused.message).toContain('r1: "hush"')

  notReady = await serveNotReady({ host: '127.0.0.1', port: 0 }, refused)
  const ready = await fetch(`${notReady.address}/api/ready`)
  const text = await ready.text()
  expect([ready.status, ready.headers.get('retry-after')]).toEqual([503, '30'])
  expect(JSON.parse(text)).toMatchObject({
    code: 'definitions-do-not-fit',
    message: [expect.any(String), expect.stringContaining('ess-model.motto: 1 value is in the database')],
    obstacles: [{ kind: 'lost', resource: 'ess-model', field: 'motto', rows: 1 }],
  })
  expect(text).not.toContain('hush')
  expect((await fetch(`${notReady.address}/api/health`)).status).toBe(200)
  expect((await fetch(`${notReady.address}/api/ess-model`)).status).toBe(503)

  await inDatabase(`alter table "ess_model" drop column "motto"`)
  const serving = await start()
  expect((await fetch(`${serving.address}/api/ready`)).status).toBe(200)
  await serving.close()
})
