import { resources } from '#resources/index.ts'
import { definitionsOf, isWritable, pathOf, rolesFor } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { isRequired } from '#schema/form/conditions.ts'
import type { AnyResource, Verb } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { rulesByResource } from '#server/app/rules.ts'
import { exportPart } from '#server/engine/export/export-part.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { boothResources } from '#tests/support/booth-definitions.ts'
import type { TestEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'
import { fitting, nobody } from './fitting.ts'
import { sampleOf } from './samples.ts'

export type Json = Record<string, unknown>

const wanted = process.env.PROVE
const all: readonly AnyResource[] = wanted ? resources : boothResources
const rules = wanted ? rulesByResource : {}
const found = all.find(({ name }) => name === (wanted ?? 'booth'))
if (!found) throw new Error(`There is no resource "${wanted}". Name one of: ${all.map(({ name }) => name).join(', ')}`)

/** The definition that is proven: the one that `PROVE` names, or one of the tests. */
export const resource: AnyResource = found
export const fields = Object.entries<Field>(resource.fields)
export const mayDo = (verb: Verb): readonly Role[] => rolesFor(resource, verb)

const known = (name: string): AnyResource => {
  const target = all.find((one) => one.name === name)
  if (!target) throw new Error(`there is no resource ${name}`)
  return target
}
const needed = (of: AnyResource) =>
  Object.values<Field>(of.fields).filter((field) => field.required === true && !('default' in field))

/** False where a record comes from a file alone, or has to name one that does. */
const isMadeOfValues = (of: AnyResource, depth = 0): boolean =>
  needed(of).every(
    (field) => !('sent' in field) && (field.type !== 'reference' || depth === 3 || isMadeOfValues(known(field.to), depth + 1)),
  )
const isMade = isMadeOfValues(resource)

/** Samples of fields that point to nothing. */
const plainValues = (of: AnyResource, seed: number): Json =>
  Object.fromEntries(
    Object.entries<Field>(of.fields).flatMap(([name, field]) => {
      const isOpen = isWritable(field, 'create') && !field.when && (!field.access || field.required)
      const sample = isOpen ? sampleOf(field, seed) : undefined
      return sample === undefined ? [] : [[name, sample]]
    }),
  )
const keepsRules = fitting(resource, { ...plainValues(resource, 1), ...resource.subset?.where }, 1) !== undefined

/** A role that makes and changes any record; undefined where records come otherwise. */
export const creator =
  isMade && keepsRules ? mayDo('create').find((role) => mayDo('edit').includes(role) && !resource.scope?.[role]) : undefined
export const whyNoCreator = !isMade
  ? 'a record is made of a file, or names one that is'
  : keepsRules
    ? 'no role may make and change every record'
    : 'no made-up values keep the rules of the definition'

/** Few records fit side by side where a unique field has few values. */
const isScarce = fields.some(([, field]) => field.unique && (field.type === 'enum' || field.type === 'status'))

/** Values of fields that the other values make required. */
const asked = (of: AnyResource, values: Json, seed: number): Json =>
  Object.fromEntries(
    Object.entries<Field>(of.fields)
      .filter(([, field]) => field.when && isWritable(field, 'create') && isRequired(field, values, nobody))
      .map(([name, field]) => [name, sampleOf(field, seed)]),
  )

export const at = (id: unknown, verb: Verb): string => String(pathOf(resource, verb)).replace('{id}', String(id))
export const faultsAt = (answer: { body: Json }): string[] => Object.keys(Object(answer.body.fields))

/** The definition on a server of its own, with records to try it on. */
export class Subject {
  readonly server: ToyServer
  #seed = 0
  private constructor(server: ToyServer) {
    this.server = server
  }

  static async open(engine: TestEngine): Promise<Subject> {
    const server = await openToyServer(engine, rules, definitionsOf(all), [exportPart(rules)])
    // The caller is a user, so that records can name their author.
    await server.select(`insert into "user" ("id", "email") values ('u1', 'u1@sample.example')`)
    // A fresh sign-in, so that nothing asks for a confirmation.
    await server.select(`insert into "session" ("id", "userId", "absoluteExpiresAt", "confirmedAt")
      values ('s1', 'u1', '2026-03-03T08:00:00Z', '2026-03-02T08:00:00Z')`)
    return new Subject(server)
  }

  /** Another number each time, so that no two samples are alike. */
  next(): number {
    this.#seed += 1
    return this.#seed
  }

  /** The values of a new record that keep its rules, with the records that it has to point to. `given`: values that are wanted. */
  async body(of: AnyResource = resource, depth = 0, given: Json = {}): Promise<Json> {
    const seed = this.next()
    const samples = Object.entries(plainValues(of, seed)).filter(([name]) => {
      const field = of.fields[name]
      return of === resource || field?.unique || (field?.required === true && !('default' in field))
    })
    const values: Json = { ...Object.fromEntries(samples), ...of.subset?.where }
    for (const [name, field] of Object.entries<Field>(of.fields)) {
      if (Object.hasOwn(of.subset?.where ?? {}, name) || !isWritable(field, 'create') || field.when) continue
      const isNeeded = field.required === true && !('default' in field)
      if (field.type === 'reference' && isNeeded && depth < 3) values[name] = (await this.pointedTo(field.to, depth + 1)).id
    }
    const whole = { ...values, ...asked(of, values, seed), ...given }
    const fixed = [...Object.keys(given), ...Object.keys(of.subset?.where ?? {})]
    return fitting(of, whole, seed, fixed) ?? whole
  }

  /** A record of another resource. */
  async pointedTo(name: string, depth = 1): Promise<Json> {
    const target = known(name)
    return await this.server.made(pathOf(target, 'create') ?? name, await this.body(target, depth))
  }

  async alone(): Promise<void> {
    if (isScarce) await this.server.select(`delete from "${tableOf(resource)}"`)
  }

  async made(more: Json = {}): Promise<Json> {
    await this.alone()
    const values = await this.body(resource, 0, more)
    return await this.server.made(pathOf(resource, 'create') ?? resource.name, values, creator)
  }

  /** The row as it is stored. */
  async row(id: unknown): Promise<Json | undefined> {
    return (await this.server.select(`select * from "${tableOf(resource)}" where "id" = '${id}'`))[0]
  }

  async count(): Promise<number> {
    return Number((await this.server.select(`select count(*)::int as "rows" from "${tableOf(resource)}"`))[0]?.rows)
  }
}
