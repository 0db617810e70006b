import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { releasedId, UpdatingBoard } from '#tests/support/updating-board.ts'

type Deed = (facts: { server: BoardServer; site: string; board: string }) => Promise<number>

const role = 'service_engineer'
const isoIn = (server: BoardServer, hours: number) => new Date(server.now.getTime() + hours * 3_600_000).toISOString()

async function warn(server: BoardServer, site: string): Promise<string> {
  const id = `w-${site}`
  await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "trip", "latched", "source", "essId", "active",
      "acknowledged", "comments", "suppressed", "flapping", "raisedAt", "occurrences")
    values ('${id}', 'INSULATION_FAULT', 'CRITICAL', true, true, 'BOARD', '${site}', true, false, '[]', false, false, now(), 1)`)
  return id
}

async function updateOf(server: BoardServer, board: string): Promise<string> {
  const body = { controlPcbId: board, firmwareId: releasedId }
  return String((await server.call('POST', 'firmware-update', { body })).body.id)
}

/** Makes a warning, an update and a board of a site, and gives the paths of all that an engineer may act on there, the site first. */
async function recordsAt({ server, site, board }: Parameters<Deed>[0]): Promise<string[]> {
  const update = await updateOf(server, board)
  return [`ess/${site}`, `control-pcb/${board}`, `firmware-update/${update}`, `telemetry-warning/${await warn(server, site)}`]
}

/** Calls that the role table gives to an engineer at fully assigned sites, and nowhere else. */
const deeds: Readonly<Record<string, Deed>> = {
  'turns maintenance on': async ({ server, site }) => {
    const body = { until: isoIn(server, 1), reason: 'Fans are changed' }
    return (await server.call('PUT', `ess/${site}/maintenance`, { role, body })).status
  },
  'writes its notes': async ({ server, site }) =>
    (await server.call('PUT', `ess/${site}/notes`, { role, body: { notes: 'Key is with the porter' } })).status,
  'acknowledges a warning': async ({ server, site }) =>
    (await server.call('PUT', `telemetry-warning/${await warn(server, site)}/acknowledge`, { role, body: {} })).status,
  'assigns a warning': async ({ server, site }) => {
    const [admin] = await server.rows<{ id: string }>(`select "id" from "user" where "role" = 'admin' limit 1`)
    const body = { userId: admin?.id }
    return (await server.call('PUT', `telemetry-warning/${await warn(server, site)}/assign`, { role, body })).status
  },
  'clears a warning': async ({ server, site }) => {
    const body = { note: 'Cable replaced' }
    return (await server.call('PUT', `telemetry-warning/${await warn(server, site)}/clear`, { role, body })).status
  },
  'requests an update': async ({ server, board }) => {
    const body = { controlPcbId: board, firmwareId: releasedId }
    return (await server.call('POST', 'firmware-update', { role, body })).status
  },
  'cancels an update': async ({ server, board }) =>
    (await server.call('PUT', `firmware-update/${await updateOf(server, board)}/cancel`, { role, body: {} })).status,
  'tries an update again': async ({ server, board }) => {
    const id = await updateOf(server, board)
    await server.call('PUT', `firmware-update/${id}/cancel`, { body: {} })
    return (await server.call('POST', `firmware-update/${id}/retry`, { role, body: {} })).status
  },
}

describe.each(oneEngine(import.meta.filename))('a service engineer on $name', (engine) => {
  let server: BoardServer
  let updating: UpdatingBoard
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
    for (const person of ['admin', role] as const) await server.call('GET', 'ess', { role: person })
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    updating = await UpdatingBoard.add(server)
  })

  const site = () => String(updating.board.essId)
  const serve = async (scope: 'FULL' | 'READ') => {
    const [engineer] = await server.rows<{ id: string }>(`select "id" from "user" where "role" = '${role}' limit 1`)
    await server.rows(`insert into "service_engineer" ("id", "userId", "essId", "scope", "state")
      values ('s-${site()}', '${engineer?.id}', '${site()}', '${scope}', 'ACTIVE')`)
  }
  const done = (deed: Deed) => deed({ server, site: site(), board: updating.board.id })

  describe.each(Object.entries(deeds))('%s', (_, deed) => {
    it('at no site of others', async () => {
      expect(await done(deed)).toBe(403)
    })

    it('at no site that he may only read', async () => {
      await serve('READ')
      expect(await done(deed)).toBe(403)
    })

    it('where he serves in full', async () => {
      await serve('FULL')
      expect([200, 201]).toContain(await done(deed))
    })
  })

  describe('is told of each record whether it is his', () => {
    const open = async () => {
      const paths = await recordsAt({ server, site: site(), board: updating.board.id })
      const told = (reader: 'admin' | 'moderator' | typeof role = role) =>
        Promise.all(
          paths.map(async (path) => {
            const [kind, id] = path.split('/')
            const shown = (await server.call('GET', path, { role: reader })).body
            const [listed] = (await server.call<{ served?: boolean }[]>('GET', `${kind}?id=${id}`, { role: reader })).body
            expect(listed?.served).toBe(shown.served)
            return shown.served
          }),
        )
      const mine = async (value: boolean) => {
        const kinds = paths.map((path) => path.split('/'))
        const lists = await Promise.all(
          kinds.map(([kind, id]) => server.call<object[]>('GET', `${kind}?id=${id}&served=${value}`, { role })),
        )
        return lists.map(({ body }) => body.length)
      }
      return { told, mine }
    }
    const all = (value: unknown) => Array(4).fill(value)

    it('not where others serve, not where he may only read, and again not when his time is over', async () => {
      const { told, mine } = await open()
      expect(await told()).toEqual(all(false))
      await serve('READ')
      expect(await told()).toEqual(all(false))
      await server.rows(`update "service_engineer" set "scope" = 'FULL' where "id" = 's-${site()}'`)
      expect(await told()).toEqual(all(true))
      expect([await mine(true), await mine(false)]).toEqual([all(1), all(0)])
      await server.rows(`update "service_engineer" set "expiresAt" = now() - interval '1 minute' where "id" = 's-${site()}'`)
      expect(await told()).toEqual(all(false))
      expect([await mine(true), await mine(false)]).toEqual([all(0), all(1)])
    })

    it('and nobody else is, since it is no question for him', async () => {
      const { told } = await open()
      for (const reader of ['admin', 'moderator'] as const) expect(await told(reader)).toEqual(all(undefined))
    })
  })

  it('comments a warning anywhere', async () => {
    const id = await warn(server, site())
    expect((await server.call('POST', `telemetry-warning/${id}/comment`, { role, body: { text: 'Seen' } })).status).toBe(201)
  })

  it('sees the last part of a board’s address no more than anybody below the moderators', async () => {
    const ipFor = async (reader: 'admin' | 'moderator' | 'service_engineer') => {
      const { body } = await server.call<{ connection: { ip: string } }>('GET', `control-pcb/${updating.board.id}`, {
        role: reader,
      })
      return body.connection.ip
    }
    expect([await ipFor('admin'), await ipFor('moderator')]).toEqual(['127.0.0.1', '127.0.0.1'])
    expect(await ipFor(role)).toBe('127.0.0.*')
    const list = await server.call<{ connection: { ip: string } }[]>('GET', `control-pcb?code=PCB-${updating.board.uid}`, {
      role,
    })
    expect(list.body.map(({ connection }) => connection.ip)).toEqual(['127.0.0.*'])
    const found = async (reader: 'moderator' | 'service_engineer', ip: string) => {
      const { body } = await server.call<unknown[]>('GET', `control-pcb?code=PCB-${updating.board.uid}&connection.ip${ip}`, {
        role: reader,
      })
      return body.length
    }
    expect([await found('moderator', '=127.0.0.1'), await found('moderator', '_like=0.1')]).toEqual([1, 1])
    expect([await found(role, '=127.0.0.1'), await found(role, '_like=0.1'), await found(role, '=127.0.0.*')]).toEqual([
      0, 0, 1,
    ])
  })
})
