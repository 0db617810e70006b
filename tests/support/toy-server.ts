import { sql } from 'kysely'
import { type Definitions, definitionsOf } from '#schema/definition.ts'
import { isRole } from '#schema/roles.ts'
import type { Api, ServerPart } from '#server/base/context.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { docsPart } from '#server/engine/docs/docs-part.ts'
import { recordsPart } from '#server/engine/engine-part.ts'
import type { RulesByResource } from '#server/engine/sql/field-sql.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { openMigrated, type TestEngine } from './databases.ts'
import { type OpenedServer, openServer } from './open-server.ts'
import { child, people, task, toy } from './toy-resource.ts'

type Json = Record<string, unknown>
export type ToyAnswer = { status: number; body: Json; rows: Json[]; total: number; headers: Json; text: string }

export const toyRules: RulesByResource = {
  toy: {
    derived: { isOld: sql`"t"."boughtOn" < date '2020-01-01'` },
    masks: ({ role }) => (role === 'client' ? { when: sql`true`, values: { email: sql`'***'` } } : undefined),
    present: (record, { role }) => (role === 'client' ? { ...record, email: '***' } : record),
    actions: {
      press: {
        status: 202,
        handler: async ({ values, record, work }) => {
          work.changed({ resource: 'task', id: 'nothing', version: 1, type: 'updated' })
          return { body: { pressed: values.times, code: record?.code } }
        },
      },
    },
  },
  person: { own: { when: { field: 'id', op: 'eq', value: '$user.id' }, edit: ['language'] } },
}

/** Sign-in of tests: `Bearer role` or `Bearer role:id` is a session of that caller. */
export const anybody: ServerPart = {
  name: 'anybody',
  register(api) {
    api.addHook('onRequest', async (request) => {
      const [role, userId = 'u1'] = (request.headers.authorization ?? '').replace('Bearer ', '').split(':')
      if (!isRole(role)) return
      const user = { id: userId, email: 'a@b.example', role, firstName: 'A', lastName: 'B', language: null, timezone: null }
      request.caller = { userId, role, sessionId: 's1', email: user.email, user }
    })
  },
}

const toyDefinitions = definitionsOf([toy, task, people, child])

/** A server with the toy resources only, and a clock that stands. */
export class ToyServer {
  readonly app: Api
  readonly database: Database
  readonly #end: () => Promise<void>
  constructor({ app, database, close }: OpenedServer) {
    this.app = app
    this.database = database
    this.#end = close
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    options: { as?: string; body?: unknown; headers?: Record<string, string> } = {},
  ): Promise<ToyAnswer> {
    const { as = 'admin', body, headers } = options
    const answer = await this.app.inject({
      method,
      url: `/api/${path}`,
      headers: { authorization: `Bearer ${as}`, ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const parsed: unknown = /^[[{]/.test(answer.body) ? JSON.parse(answer.body) : {}
    const rows = Array.isArray(parsed) ? (parsed as Json[]) : []
    const total = Number(answer.headers['x-total-count'] ?? -1)
    return { status: answer.statusCode, body: parsed as Json, rows, total, headers: { ...answer.headers }, text: answer.body }
  }
  get = (path: string, as = 'admin') => this.call('GET', path, { as })
  post = (path: string, body: unknown, as = 'admin') => this.call('POST', path, { as, body })
  put = (path: string, body: unknown, as = 'admin') => this.call('PUT', path, { as, body })
  delete = (path: string, body?: unknown, as = 'admin') => this.call('DELETE', path, { as, body })

  /** Makes a record and gives it; a refusal fails the test. */
  async made(path: string, body: unknown, as = 'admin'): Promise<Json> {
    const answer = await this.post(path, body, as)
    if (answer.status !== 201) throw new Error(`${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  select = (statement: string): Promise<Json[]> => rowsOf(this.database.kysely, sql.raw<Json>(statement))

  close = () => this.#end()
}

export async function openToyServer(
  engine: TestEngine,
  rules: RulesByResource = toyRules,
  definitions: Definitions = toyDefinitions,
  more: readonly ServerPart[] = [],
): Promise<ToyServer> {
  const opened = await openServer({
    database: await openMigrated(engine),
    definitions,
    clock: { at: Date.parse('2026-03-02T08:00:00.123Z') },
    parts: [docsPart, anybody, recordsPart({ rules, mailOf: mailerOf }), ...more],
  })
  return new ToyServer(opened)
}
