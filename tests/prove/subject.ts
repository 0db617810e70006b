import { fieldAt, rolesFor } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource, Verb } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { exportPart } from '#server/engine/export/export-part.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { notTried } from '#tests/prove/report/not-tried.ts'
import type { TestEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'
import { fitting, nobody } from './fitting.ts'
import { Maker, plainValues } from './maker.ts'
import { addressOf, creatorOf, fieldsOf, type Json, type Proven, proven } from './proven.ts'
import { valuesInScope } from './scoped.ts'
import { skipCheck } from './skipped-checks.ts'
import { reachWanted } from './steps.ts'
import { Unmade } from './transport.ts'

export const { resource } = proven
export const fields: [string, Field][] = fieldsOf(resource)
export const mayDo = (verb: Verb): readonly Role[] => rolesFor(resource, verb)
export const at = (id: unknown, verb: Verb): string => addressOf(resource, verb, id)

const hasFewValues = (field: Field | undefined) => field !== undefined && ['enum', 'status', 'boolean'].includes(field.type)

/** Few records fit side by side where a unique field, or all fields of a composite key, have few values. */
const isScarce = ({ resource: of }: Proven) =>
  fieldsOf(of).some(([, field]) => field.unique && hasFewValues(field)) ||
  (of.unique ?? []).some((key) => key.every((name) => hasFewValues(fieldAt(of.fields, name))))

const quoted = (value: unknown): string => `'${String(value).replaceAll("'", "''")}'`

/** A definition on a server of its own, with records to try it on. */
export class Subject {
  readonly server: ToyServer
  readonly maker: Maker
  readonly proven: Proven
  /** A role that makes and changes any record; undefined where none can be made. */
  creator: Role | undefined
  #whyNone = ''
  /** The reason for which records that a form makes could not be made. */
  unmade: string | undefined

  private constructor(server: ToyServer, of: Proven) {
    this.server = server
    this.proven = of
    this.maker = new Maker(of, { call: (...args) => server.call(...args), write: this.write }, reachWanted)
    this.creator = creatorOf(of.resource)
  }

  /** `served`: what the server holds in the place of the definition; without it the definition. */
  static async open(engine: TestEngine, of: Proven = proven, served: Proven = of): Promise<Subject> {
    const server = await openToyServer(engine, served.rules, served.definitions, [exportPart(served.rules)])
    // The caller is a user, so that records can name their author.
    await server.select(`insert into "user" ("id", "email") values ('u1', 'u1@sample.example')`)
    // A fresh sign-in, so that nothing asks for a confirmation.
    await server.select(`insert into "session" ("id", "userId", "absoluteExpiresAt", "confirmedAt")
      values ('s1', 'u1', '2026-03-03T08:00:00Z', '2026-03-02T08:00:00Z')`)
    const subject = new Subject(server, of)
    await subject.#lookForCreator()
    return subject
  }

  /** Without a first record nothing is made. Only what the record needs is an excuse: a refusal of its own values is a fault. */
  async #lookForCreator(): Promise<void> {
    const { resource: of } = this.proven
    if (!this.creator) {
      this.#whyNone = 'no role may make and change every record'
      return
    }
    const where = { ...plainValues(of, 1), ...of.subset?.where }
    try {
      if (!fitting(of, where, 1)) throw new Unmade('no made-up values keep the rules of the definition')
      await this.made()
    } catch (error) {
      if (!(error instanceof Unmade)) throw error
      this.creator = undefined
      this.#whyNone = error.message
      this.unmade = error.message
    }
  }

  /** Ends the test that runs as one that was not tried, where no records are made here. */
  mustMake(checks: string): void {
    if (!this.creator) notTried(checks, this.#whyNone)
  }

  /** True where records are made here; otherwise notes that checks are left out, and why. */
  isMade(checks: string): boolean {
    if (!this.creator) skipCheck(checks, this.#whyNone)
    return this.creator !== undefined
  }

  next = (): number => this.maker.next()

  /** The values of a new record. `given`: values that are wanted. */
  body = (given: Json = {}): Promise<Json> => this.maker.body(this.proven.resource, given)

  /** Removes the records of a definition that has room for a few. */
  async alone(): Promise<void> {
    if (isScarce(this.proven)) await this.server.select(`delete from "${tableOf(this.proven.resource)}"`)
  }

  async made(given: Json = {}): Promise<Json> {
    await this.alone()
    return await this.maker.made(this.proven.resource, given, { as: this.creator })
  }

  /**
   * Brings a record into the scope of a role, as far as the scope names stored values: `$user.id`, a choice. `kept`: a field
   * that a check is about.
   */
  async bringTo(id: unknown, { role, userId, kept }: { role: Role; userId: string; kept?: string | undefined }): Promise<void> {
    const scope = this.proven.resource.scope?.[role]
    if (!scope) return
    const values = valuesInScope(this.proven.resource, scope, { ...nobody, user: { id: userId, role } })
    const given = Object.entries(values).filter(([name]) => name !== kept)
    if (given.length === 0) return
    await this.server.select(`insert into "user" ("id", "email") values ('${userId}', '${userId}@sample.example')
      on conflict do nothing`)
    await this.write(this.proven.resource, id, Object.fromEntries(given))
  }

  /** Writes stored values past the API. Records that would be alike under a composite key make room. */
  write = async (of: AnyResource, id: unknown, values: Json): Promise<void> => {
    const table = tableOf(of)
    const sets = Object.entries(values).map(([name, value]) => `"${name}" = ${quoted(value)}`)
    for (const key of (of.unique ?? []).filter((names) => names.some((name) => Object.hasOwn(values, name)))) {
      const alike = key.map((name) => `o."${name}" = ${Object.hasOwn(values, name) ? quoted(values[name]) : `t."${name}"`}`)
      await this.server.select(`delete from "${table}" o using "${table}" t
        where t."id" = '${id}' and o."id" <> t."id" and ${alike.join(' and ')}`)
    }
    await this.server.select(`update "${table}" set ${sets.join(', ')} where "id" = '${id}'`)
  }

  async download(path: string, as: Role): Promise<Buffer> {
    const { rawPayload } = await this.server.app.inject({ url: `/api/${path}`, headers: { authorization: `Bearer ${as}` } })
    return rawPayload
  }

  /** The row as it is stored. */
  async row(id: unknown): Promise<Json | undefined> {
    return (await this.server.select(`select * from "${tableOf(this.proven.resource)}" where "id" = '${id}'`))[0]
  }

  async count(): Promise<number> {
    const rows = await this.server.select(`select count(*)::int as "rows" from "${tableOf(this.proven.resource)}"`)
    return Number(rows[0]?.rows)
  }
}
