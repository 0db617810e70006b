import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { roles } from '#schema/roles.ts'
import { parts } from '#server/app/parts.ts'
import type { ServerPart } from '#server/base/context.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { multipart } from '#tests/support/multipart.ts'
import { openServer } from '#tests/support/open-server.ts'
import { threadTimeOf } from '#tests/support/thread-time.ts'

type Method = 'POST' | 'PUT' | 'PATCH' | 'DELETE'
type Body = { payload: Buffer; headers: Record<string, string> }

const mib = 1024 * 1024
const missing = '01890000-0000-7000-8000-000000000000'
/** A collection of garbage or a function that is compiled just now may fall into a call; what is slow is slow each time. */
const tries = 12

const filled = (piece: string | Buffer): Buffer => Buffer.alloc(mib, piece)
const json = (text: string | Buffer): Body => ({ payload: Buffer.from(text), headers: { 'content-type': 'application/json' } })
const binary = (piece: string | Buffer): Body => ({
  payload: filled(piece),
  headers: { 'content-type': 'application/octet-stream' },
})
const unknownKeys = () =>
  JSON.stringify(Object.fromEntries(Array.from({ length: 80_000 }, (_, key) => [`k${key}`, 1]))).slice(0, mib)

/** Processor time of this machine for the least that such a body costs: one call of the parser. */
function parserMs(): number {
  const text = unknownKeys()
  const once = () => {
    const started = process.cpuUsage()
    JSON.parse(text)
    const { user, system } = process.cpuUsage(started)
    return (user + system) / 1000
  }
  return Math.min(...Array.from({ length: 8 }, once))
}
/** The limits of a usual machine, and on a slower one what the parser takes there. */
const mostStretchMs = Math.max(50, 2.5 * parserMs())
const mostWorkMs = 2 * mostStretchMs

const bodies: Readonly<Record<string, Body>> = {
  'unknown keys': json(unknownKeys()),
  'one long text': json(`{"email":"${'a'.repeat(mib - 12)}"}`),
  'nested lists': json(filled('[')),
  zeros: binary('\0'),
  'starts of frames': binary(Buffer.from('e55a0101', 'hex')),
  'a table of short rows': { payload: filled('X\n'), headers: { 'content-type': 'text/csv' } },
  'a table of empty lines': {
    payload: Buffer.concat([filled('\n'), Buffer.from('x')]),
    headers: { 'content-type': 'text/csv' },
  },
  'a form with a file': multipart([{ name: 'file', filename: 'a.bin', content: filled('x') }]),
  'a form with many fields': multipart(Array.from({ length: 9_000 }, (_, index) => ({ name: `f${index}`, content: 'x' }))),
}

describe.each(oneEngine(import.meta.filename))('a body of a mebibyte on $name', (engine) => {
  const routes: string[] = []
  let server: FleetServer
  const watch: ServerPart = {
    name: 'watch',
    register: (api) => {
      api.addHook('onRoute', ({ method, url }) => {
        for (const name of [method].flat()) if (name !== 'HEAD' && name !== 'GET') routes.push(`${name} ${url}`)
      })
    },
  }
  const senders = new Map<string, Record<string, string>>([['nobody', {}]])

  beforeAll(async () => {
    const env = {
      DEMO: '1',
      DEMO_SIZE: '5',
      LOG_LEVEL: 'silent',
      SECRETS_KEY: 'a key of large bodies, long enough to be taken',
    }
    server = new FleetServer(await openServer({ database: await openProductTables(engine), parts: [watch, ...parts], env }))
    for (const role of roles) senders.set(role, { authorization: `Bearer ${await server.as(role)}` })
    const token = await server.as('admin')
    const [board] = await server.rows<{ id: string }>('select "id" from "control_pcb" limit 1')
    const { body } = await server.call('POST', `control-pcb/${board?.id}/device-key`, { token })
    senders.set('a board', { 'x-device-key': String(body.deviceKey) })
  }, 120_000)
  afterAll(() => server?.close())

  const send = async (route: string, sender: Record<string, string>, { payload, headers }: Body): Promise<number> => {
    const [method, url = ''] = route.split(' ')
    const answer = await server.app.inject({
      method: method as Method,
      url: url.replace(/:\w+/g, missing),
      headers: { ...headers, ...sender },
      payload,
    })
    return answer.statusCode
  }

  /** The best of a few tries. */
  async function costOf(task: () => Promise<number>): Promise<{ workMs: number; stretchMs: number; status: number }> {
    let best = { workMs: Number.POSITIVE_INFINITY, stretchMs: Number.POSITIVE_INFINITY, status: 0 }
    for (let more = 0; more < tries && (best.workMs > mostWorkMs || best.stretchMs > mostStretchMs); more += 1) {
      let status = 0
      const { workMs, stretchMs } = await threadTimeOf(async () => {
        status = await task()
      })
      best = { workMs: Math.min(best.workMs, workMs), stretchMs: Math.min(best.stretchMs, stretchMs), status }
    }
    return best
  }

  it.each(Object.keys(bodies))(
    'full of %s is answered by every route, no matter who sends it, in 100 ms of work and no stretch over 50 ms',
    async (kind) => {
      const body = bodies[kind]
      if (!body) throw new Error(`there is no body ${kind}`)
      expect(routes.length).toBeGreaterThan(100)
      const slow: string[] = []
      for (const route of new Set(routes))
        for (const [name, sender] of senders) {
          const { workMs, stretchMs, status } = await costOf(() => send(route, sender, body))
          const isBroken = status >= 500
          if (isBroken || workMs > mostWorkMs || stretchMs > mostStretchMs)
            slow.push(`${route} as ${name}: ${status}, ${Math.round(workMs)} ms, at most ${Math.round(stretchMs)} ms at once`)
        }
      expect(slow).toEqual([])
    },
    240_000,
  )

  it('leaves every sender as able to call as before', async () => {
    for (const role of roles) expect((await server.call('GET', 'auth/me', { token: await server.as(role) })).status).toBe(200)
  })
})
