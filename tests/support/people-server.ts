import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Role } from '#schema/roles.ts'
import { devicesPart } from '#server/account/device-routes.ts'
import { invitationRules } from '#server/account/invitation.ts'
import { createPasswords, type PasswordCost } from '#server/account/session/password.ts'
import { sessionPart } from '#server/account/session/session-part.ts'
import { supportPart } from '#server/account/support-route.ts'
import { undeliveredRules } from '#server/account/undelivered/undelivered-rules.ts'
import { userRules } from '#server/account/user.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { recordsPart } from '#server/engine/engine-part.ts'
import { clientRules } from '#server/fleet/ess/client.ts'
import { essRules } from '#server/fleet/ess/ess.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { openProductTables, type TestEngine } from './databases.ts'
import { type OpenedServer, openServer, type TestClock } from './open-server.ts'

export const goodPassword = 'tiny-otter-waves-42'
const rules = {
  user: userRules,
  client: clientRules,
  invitation: invitationRules,
  ess: essRules,
  'undelivered-message': undeliveredRules,
}
const cheap: PasswordCost = { memoryKiB: 64, passes: 1 }

export type Answer = { status: number; body: Record<string, unknown>; headers: Record<string, unknown>; text: string }
export type Call = { token?: string | undefined; body?: unknown; ip?: string; headers?: Record<string, string> }
export type SentMail = { to: string; subject: string; text: string; html: string; replyTo?: string; from: string }
type NewUser = { email: string; role: Role; password?: string | null; firstName?: string; language?: 'en' | 'ru' }

/** The whole API of people on a fresh database, with a clock that stands until it is moved. */
export class PeopleServer {
  readonly app: Api
  readonly database: Database
  readonly context: ServerContext
  readonly folder: string
  readonly #clock: TestClock
  readonly #end: () => Promise<void>

  constructor(opened: OpenedServer) {
    this.app = opened.app
    this.database = opened.database
    this.context = opened.context
    this.folder = opened.folder
    this.#clock = opened.clock
    this.#end = opened.close
  }

  get now(): number {
    return this.#clock.at
  }
  pass(seconds: number): void {
    this.#clock.at += seconds * 1000
  }

  async call(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'PATCH',
    path: string,
    { token, body, ip, headers }: Call = {},
  ): Promise<Answer> {
    const answer = await this.app.inject({
      method,
      url: `/api/${path}`,
      remoteAddress: ip ?? '127.0.0.1',
      headers: { ...(token ? { authorization: `Bearer ${token}` } : {}), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    })
    const parsed: unknown = answer.body.startsWith('{') || answer.body.startsWith('[') ? JSON.parse(answer.body) : {}
    return { status: answer.statusCode, body: parsed as Record<string, unknown>, headers: answer.headers, text: answer.body }
  }

  async rows<T = Record<string, unknown>>(statement: string): Promise<T[]> {
    return rowsOf(this.database.kysely, sql.raw<T>(statement))
  }

  async addUser({ email, role, password = goodPassword, firstName = 'Ann', language }: NewUser): Promise<string> {
    const id = uuidv7()
    const { kysely } = this.database
    await sql`insert into "user" ("id", "email", "role", "firstName", "lastName", "language")
      values (${id}, ${email}, ${role}, ${firstName}, 'Lee', ${language ?? null})`.execute(kysely)
    if (password !== null) {
      const hash = await createPasswords(cheap).hash(password)
      await sql`insert into "credential" ("userId", "passwordHash") values (${id}, ${hash})`.execute(kysely)
    }
    return id
  }

  login(email: string, password = goodPassword, call: Omit<Call, 'body'> = {}): Promise<Answer> {
    return this.call('POST', 'auth/login', { ...call, body: { email, password } })
  }

  async tokenOf(email: string, password = goodPassword): Promise<string> {
    const { status, body } = await this.login(email, password)
    if (status !== 200) throw new Error(`${email} can not sign in: ${status} ${JSON.stringify(body)}`)
    return String(body.accessToken)
  }

  /** A new user and an access token. */
  async signedIn(user: NewUser): Promise<{ id: string; token: string }> {
    const id = await this.addUser(user)
    return { id, token: await this.tokenOf(user.email) }
  }

  /** Every mail that left so far, in the order in which they were sent. */
  async mails(): Promise<SentMail[]> {
    await mailerOf(this.context).idle()
    const names = await readdir(join(this.folder, 'outbox')).catch(() => [])
    const texts = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => readFile(join(this.folder, 'outbox', name), 'utf8')),
    )
    return texts.map((text): SentMail & { at: string } => JSON.parse(text)).toSorted((a, b) => a.at.localeCompare(b.at))
  }

  /** The secret of the last link that was mailed to an address, waiting until one was. */
  async linkTo(email: string, path = ''): Promise<string> {
    for (let tries = 0; tries < 100; tries++) {
      const mail = (await this.mails()).findLast(({ to, text }) => to === email && text.includes(`${path}#token=`))
      const token = /#token=([\w-]{43})/.exec(mail?.text ?? '')?.[1]
      if (token) return token
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    throw new Error(`no link was mailed to ${email}`)
  }

  close(): Promise<void> {
    return this.#end()
  }
}

/** Starts one. Close it when the test is over. */
export async function openPeopleServer(
  engine: TestEngine,
  env: Record<string, string> = {},
  passwordCost: PasswordCost = cheap,
): Promise<PeopleServer> {
  const opened = await openServer({
    database: await openProductTables(engine),
    parts: [sessionPart({ passwordCost }), recordsPart({ rules, mailOf: mailerOf }), devicesPart, supportPart],
    env: { PUBLIC_URL: 'https://console.example', ...env },
    clock: { at: Date.parse('2026-03-02T08:00:00Z') },
  })
  return new PeopleServer(opened)
}
