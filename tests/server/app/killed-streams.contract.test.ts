import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { postgres } from '#tests/support/databases.ts'
import { EventReader } from '#tests/support/event-reader.ts'
import { postgresUrl } from '#tests/support/postgres.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

const most = 10

describe.runIf(postgresUrl())('event streams of two processes on one PostgreSQL', () => {
  let one: ServerProcess
  let other: ServerProcess
  beforeAll(async () => {
    one = await ServerProcess.on(postgres)
    await one.start()
    other = await one.beside()
    await other.start()
  }, 180_000)
  afterAll(async () => {
    await other.remove()
    await one.remove()
  })

  const open = (at: ServerProcess) => EventReader.open(`${at.url}/api/events`, { authorization: one.authorization })

  it('are ten for one person, of which those of a killed process are free within 30 s and those of an ended one at once', async () => {
    const kept = await Promise.all(Array.from({ length: most - 4 }, () => open(one)))
    const lost = await Promise.all(Array.from({ length: 4 }, () => open(other)))
    expect([...kept, ...lost].map(({ status }) => status)).toEqual(Array(most).fill(200))
    expect([(await open(one)).status, (await open(other)).status]).toEqual([429, 429])
    await other.kill()
    expect((await open(one)).status).toBe(429)
    await expect.poll(async () => (await open(one)).status, { timeout: 30_000, interval: 500 }).toBe(200)
    await other.start()
    for (let place = 0; place < 3; place += 1) expect((await open(other)).status).toBe(200)
    expect((await open(one)).status).toBe(429)
    expect((await other.terminate()).code).toBe(0)
    expect((await open(one)).status).toBe(200)
    expect(kept.map(({ ended }) => ended)).toEqual(Array(kept.length).fill(false))
  }, 180_000)
})
