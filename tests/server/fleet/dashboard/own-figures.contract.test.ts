import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { summarySchema } from '#schema/wire/summary.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

/** Systems that clients may list as far as they own them, with figures for them. */
const opened = (resource: AnyResource): AnyResource =>
  resource.name === 'ess'
    ? {
        ...resource,
        access: { ...resource.access, list: [...(resource.access?.list ?? []), 'client'] },
        scope: { ...resource.scope, client: { field: 'ownerId', op: 'eq', value: '$user.id' } },
        figures: {
          mine: { place: 'tidy', label: ['My systems', 'Мои системы'], tone: 'info' },
          spread: { place: 'spread', by: 'lifecycle', roles: ['client'] },
          kept: { place: 'tidy', label: ['For the office', 'Для офиса'], tone: 'info', roles: ['admin'] },
        },
      }
    : resource

describe.each(oneEngine(import.meta.filename))('figures of a definition on $name', (engine) => {
  let server: FleetServer
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_LIVE: 'false' }, definitionsOf(resources.map(opened)))
  }, 120_000)
  afterAll(() => server?.close())

  const cardsOf = async (role: Role) => {
    const { body } = await server.call('GET', 'dashboard/summary', { token: await server.as(role) })
    return summarySchema.parse(body).cards
  }
  const totalOf = async (role: Role) =>
    Number((await server.call('GET', 'ess?_end=1', { token: await server.as(role) })).headers['x-total-count'])

  it('stand on the page of a client, of the rows that the scope leaves him', async () => {
    const total = await totalOf('client')
    expect(total).toBeGreaterThan(0)
    expect(total).toBeLessThan(await totalOf('admin'))
    const cards = await cardsOf('client')
    expect(cards.map(({ resource, key, count }) => [resource, key, count])).toEqual([
      ['ess', 'mine', total],
      ['ess', 'spread', total],
    ])
    expect(cards[1]?.groups?.reduce((sum, { count }) => sum + count, 0)).toBe(total)
  })

  it('go to their roles only, and to nobody who may not open the list', async () => {
    const ofAdmin = (await cardsOf('admin')).filter(({ resource }) => resource === 'ess').map(({ key }) => key)
    expect(ofAdmin).toEqual(['mine', 'kept'])
    expect(await cardsOf('installer')).toEqual([])
  })
})
