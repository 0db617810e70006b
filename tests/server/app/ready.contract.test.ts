import { describe, expect, it } from 'vitest'
import { migrations } from '#server/app/migrations.ts'
import { migrate } from '#server/db/migrate.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { buildToyApp } from '#tests/support/toy-app.ts'

describe.each(oneEngine(import.meta.filename))('readiness on $name', (engine) => {
  it('is told once the database is migrated, liveness always', async () => {
    const fresh = await engine.open()
    const server = await buildToyApp({ database: fresh })
    expect((await server.inject('/api/health')).json()).toEqual({ status: 'ok' })
    expect((await server.inject('/api/ready')).statusCode).toBe(503)
    await migrate(fresh, migrations)
    expect((await server.inject('/api/ready')).json()).toEqual({ status: 'ok' })
    await fresh.pool.end()
    expect((await server.inject('/api/ready')).json()).toMatchObject({ statusCode: 503, code: 'unavailable' })
    expect((await server.inject('/api/health')).statusCode).toBe(200)
    await server.close()
  })
})
