import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

describe.each(engines)('the values that a field offers on $name', (engine) => {
  let server: FleetServer
  beforeAll(async () => {
    server = await FleetServer.open(engine)
    await server.rows(`update "ess" set "location" = "location" - 'region'`)
    const place = (region: string, count: number) =>
      server.rows(`update "ess" set "location" = "location" || '{"region": "${region}"}' where "id" in
        (select "id" from "ess" where "location"->>'region' is null order by "code" limit ${count})`)
    await place('Kaluga', 2)
    await place('Tver', 3)
  }, 120_000)
  afterAll(() => server?.close())

  it('are those which records have, the most frequent first', async () => {
    const { status, body } = await server.call('GET', 'ess/values/location.region', { token: await server.as('admin') })
    expect(status).toBe(200)
    expect(body).toEqual([
      { value: 'Tver', count: 3 },
      { value: 'Kaluga', count: 2 },
    ])
  })

  it('are refused to who may not list these records', async () => {
    const { status } = await server.call('GET', 'ess/values/location.region', { token: await server.as('client') })
    expect(status).toBe(403)
  })
})
