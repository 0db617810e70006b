import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { buildApp } from '#server/app/app.ts'
import { parts } from '#server/app/parts.ts'
import { readConfig } from '#server/base/config.ts'
import type { Api } from '#server/base/context.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

const owner = { email: 'owner@example.org', password: 'verdigris-lamp-77' }

describe.each(oneEngine(import.meta.filename))('a database that was a demo and goes into production, on $name', (engine) => {
  let demo: FleetServer
  let app: Api
  let session: string
  beforeAll(async () => {
    demo = await FleetServer.open(engine, { DEMO_SIZE: '5', DEMO_LIVE: 'false' })
    session = await demo.as('admin')
    await demo.app.close()
    const config = readConfig({
      NODE_ENV: 'production',
      DATA_DIR: demo.folder,
      ADMIN_EMAIL: owner.email,
      ADMIN_PASSWORD: owner.password,
      PUBLIC_URL: 'https://console.example.org',
      LOG_LEVEL: 'silent',
    })
    app = await buildApp({ config, database: demo.database, definitions: definitionsOf(resources), logger: false, parts })
    await app.ready()
  }, 120_000)
  afterAll(async () => {
    await app?.close()
    await demo?.close()
  })

  const login = async (email: string, password: string) =>
    (await app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })).statusCode

  it('knows none of the demo’s passwords any more', async () => {
    const { demoPassword } = demo.context.config
    expect(demoPassword).toBeTruthy()
    for (const name of ['admin', 'moderator', 'engineer', 'installer', 'client'])
      expect([name, await login(`${name}@example.com`, String(demoPassword))]).toEqual([name, 401])
  })

  it('ends the sessions of its accounts', async () => {
    const answer = await app.inject({ url: '/api/auth/me', headers: { authorization: `Bearer ${session}` } })
    expect(answer.statusCode).toBe(401)
  })

  it('lets in the admin that its operator named', async () => {
    expect(await login(owner.email, owner.password)).toBe(200)
  })
})
