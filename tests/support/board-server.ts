import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Role } from '#schema/roles.ts'
import { createPasswords } from '#server/account/session/password.ts'
import { sessionPart } from '#server/account/session/session-part.ts'
import { rulesWith } from '#server/app/rules.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import type { Database } from '#server/db/connect.ts'
import { rowsOf } from '#server/db/query.ts'
import { docsPart } from '#server/engine/docs/docs-part.ts'
import { recordsPart } from '#server/engine/engine-part.ts'
import { setDeviceKeys } from '#server/fleet/board/device-key.ts'
import { type DeviceOptions, devicePart } from '#server/fleet/device/device-part.ts'
import { telemetryPart } from '#server/fleet/telemetry/telemetry-part.ts'
import { referenceDecoder } from '#server/frames/reference-decoder.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { openProductTables, type TestEngine } from './databases.ts'
import { type OpenedServer, openServer, type TestClock } from './open-server.ts'

const cheap = { memoryKiB: 64, passes: 1 }
const password = 'tiny-otter-waves-42'

type Answer<T> = { status: number; body: T; text: string; headers: Record<string, unknown> }
export type TestBoard = { id: string; uid: string; key: string; essId: string | null }
type BoardFacts = { uid?: string; ess?: boolean; timezone?: string }

let count = 0

/** Boards, their frames and what comes of them, on a fresh database, with a clock that stands until it is moved. */
export class BoardServer {
  readonly app: Api
  readonly database: Database
  readonly #context: ServerContext
  readonly #clock: TestClock
  readonly #end: () => Promise<void>
  readonly #emails = new Map<Role, string>()
  readonly #tokens = new Map<Role, { token: string; at: number }>()

  constructor(opened: OpenedServer) {
    this.app = opened.app
    this.database = opened.database
    this.#context = opened.context
    this.#clock = opened.clock
    this.#end = opened.close
  }

  get now(): Date {
    return new Date(this.#clock.at)
  }
  setNow(time: Date): void {
    this.#clock.at = time.getTime()
  }
  pass(seconds: number): void {
    this.#clock.at += seconds * 1000
  }

  rows<T = Record<string, unknown>>(statement: string): Promise<T[]> {
    return rowsOf(this.database.kysely, sql.raw<T>(statement))
  }

  async #userOf(role: Role): Promise<string> {
    const known = this.#emails.get(role)
    if (known) return known
    const id = uuidv7()
    const email = `${role}-${id}@example.com`
    const { kysely } = this.database
    await sql`insert into "user" ("id", "email", "role", "firstName", "lastName") values (${id}, ${email}, ${role}, 'Ann', 'Lee')`.execute(
      kysely,
    )
    await sql`insert into "credential" ("userId", "passwordHash") values (${id}, ${await createPasswords(cheap).hash(password)})`.execute(
      kysely,
    )
    this.#emails.set(role, email)
    return email
  }

  /** Signs in again when the clock was moved so far that a session may have ended. */
  async #tokenOf(role: Role): Promise<string> {
    const known = this.#tokens.get(role)
    if (known && Math.abs(this.#clock.at - known.at) < 600_000) return known.token
    const email = await this.#userOf(role)
    const answer = await this.app.inject({ method: 'POST', url: '/api/auth/login', payload: { email, password } })
    const token = String(answer.json<{ accessToken: string }>().accessToken)
    this.#tokens.set(role, { token, at: this.#clock.at })
    return token
  }

  /** For calls over a real connection. */
  token = (role: Role = 'admin'): Promise<string> => this.#tokenOf(role)

  /** Accounts by role. */
  async userId(role: Role): Promise<string> {
    const [user] = await this.rows<{ id: string }>(`select "id" from "user" where "email" = '${await this.#userOf(role)}'`)
    return user?.id ?? ''
  }

  async call<T = Record<string, unknown>>(
    method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    { role = 'admin', body, headers }: { role?: Role; body?: object; headers?: Record<string, string> } = {},
  ): Promise<Answer<T>> {
    const answer = await this.app.inject({
      method,
      url: `/api/${path}`,
      headers: { authorization: `Bearer ${await this.#tokenOf(role)}`, ...headers },
      ...(body ? { payload: body } : {}),
    })
    const parsed: T = /^[[{]/.test(answer.body) ? JSON.parse(answer.body) : {}
    return { status: answer.statusCode, body: parsed, text: answer.body, headers: answer.headers }
  }

  /** A registered board with a key, in a home of 16 LFP cells and 5 kW unless it is to stand nowhere. */
  async addBoard({ uid, ess = true, timezone = 'Europe/Moscow' }: BoardFacts = {}): Promise<TestBoard> {
    const [id, essId, key] = [uuidv7(), ess ? uuidv7() : null, `key-${uuidv7()}`]
    const ownUid = uid ?? (0x00_1a_00_00_00_00 + ++count).toString(16).padStart(12, '0').toUpperCase()
    const { kysely } = this.database
    if (essId) {
      await sql`insert into "ess" ("id", "code", "name", "profile", "chemistry", "ratedEnergyWh", "ratedChargePowerW", "ratedDischargePowerW",
          "cellsInSeries", "pvPeakPowerW", "gridConnectionLimitW", "location", "lifecycle")
        values (${essId}, ${`ESS-${ownUid}`}, 'Home', 'HOME', 'LFP', 10240, 5000, 5000, 16, 6000, 11000, ${JSON.stringify({ timezone })}, 'IN_OPERATION')`.execute(
        kysely,
      )
      await sql`insert into "control_pcb_attachment" ("id", "controlPcbId", "essId", "role", "attachedAt")
        values (${uuidv7()}, ${id}, ${essId}, 'MAIN', '2025-01-01')`.execute(kysely)
    }
    await sql`insert into "control_pcb" ("id", "code", "uid", "hardwareRevision", "lifecycle", "essId", "role")
      values (${id}, ${`PCB-${ownUid}`}, ${ownUid}, 'B1', 'ACTIVE', ${essId}, ${essId ? 'MAIN' : null})`.execute(kysely)
    await setDeviceKeys(kysely, new Map([[id, key]]), { now: this.now, by: null })
    return { id, uid: ownUid, key, essId }
  }

  /** Sends frames as a board does; `sentAtMs`: what the board says the time is. */
  async send(
    { key, sentAtMs }: Pick<TestBoard, 'key'> & { sentAtMs?: number },
    ...frames: Buffer[]
  ): Promise<Answer<Record<string, unknown>>> {
    const sentAt = sentAtMs === undefined ? {} : { 'x-sent-at': String(sentAtMs) }
    const answer = await this.app.inject({
      method: 'POST',
      url: '/api/ingest',
      headers: { 'content-type': 'application/octet-stream', 'x-device-key': key, ...sentAt },
      payload: Buffer.concat(frames),
    })
    return { status: answer.statusCode, body: answer.json(), text: answer.body, headers: answer.headers }
  }

  /** Resolves when every letter that is due has left. */
  lettersGone = (): Promise<void> => mailerOf(this.#context).idle()

  close(): Promise<void> {
    return this.#end()
  }
}

type Options = { at?: Date; env?: Record<string, string>; ingest?: DeviceOptions; listen?: boolean }

/** Starts one. Close it when the test is over. */
export async function openBoardServer(engine: TestEngine, { at, env, ingest, listen }: Options = {}): Promise<BoardServer> {
  const opened = await openServer({
    database: await openProductTables(engine),
    parts: [
      docsPart,
      sessionPart({ passwordCost: cheap }),
      recordsPart({ rules: rulesWith(ingest?.decoder ?? referenceDecoder), mailOf: mailerOf }),
      devicePart(ingest),
      telemetryPart,
    ],
    clock: { at: (at ?? new Date('2026-03-02T12:00:00Z')).getTime() },
    ...(env ? { env } : {}),
    ...(listen ? { isListening: listen } : {}),
  })
  return new BoardServer(opened)
}
