import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { checkHints } from '#schema/check-resources.ts'
import { definitionsOf, isWritable, pathOf, rolesFor } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { AnyResource, Verb } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import { rulesByResource } from '#server/app/rules.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { boothResources } from '#tests/support/booth-definitions.ts'
import { embedded } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'
import { sampleOf, wrongValues } from './samples.ts'

type Json = Record<string, unknown>

const asked = process.env.PROVE
const all: readonly AnyResource[] = asked ? resources : boothResources
const rules = asked ? rulesByResource : {}
const found = all.find(({ name }) => name === (asked ?? 'booth'))
if (!found) throw new Error(`There is no resource "${asked}". Name one of: ${all.map(({ name }) => name).join(', ')}`)
const resource: AnyResource = found

const fields = Object.entries<Field>(resource.fields)
/** Fields that both forms have, that no condition hides, and that sample values exist for. */
const open = fields.filter(
  ([, field]) => isWritable(field, 'create') && !field.when && !field.access && sampleOf(field, 1) !== undefined,
)
const editable = open.filter(
  ([, field]) => isWritable(field, 'edit') && field.readOnly === undefined && field.type !== 'secret',
)
const status = fields.find(([, field]) => field.type === 'status' && isWritable(field, 'edit'))
const mayDo = (verb: Verb) => rolesFor(resource, verb)
const creator = mayDo('create').find((role) => mayDo('edit').includes(role) && !resource.scope?.[role])

describe(`the definition ${resource.name}`, () => {
  let server: ToyServer
  let seed = 0
  beforeAll(async () => {
    server = await openToyServer(embedded, rules, definitionsOf(all))
    // The caller is a user, so that records can name their author.
    await server.select(`insert into "user" ("id", "email") values ('u1', 'u1@sample.example')`)
  }, 120_000)
  afterAll(() => server?.close())

  /** The values of a new record, with the records that it has to point to. */
  async function body(of: AnyResource = resource, depth = 0): Promise<Json> {
    seed += 1
    const values: Json = {}
    for (const [name, field] of Object.entries<Field>(of.fields)) {
      if (!isWritable(field, 'create') || field.when || (field.access && !field.required)) continue
      const isNeeded = field.required === true && !('default' in field)
      const sample = sampleOf(field, seed)
      if (sample !== undefined && (of === resource || isNeeded || field.unique)) values[name] = sample
      if (field.type === 'reference' && isNeeded && depth < 3) values[name] = (await madeOf(field.to, depth + 1)).id
    }
    return values
  }
  async function madeOf(name: string, depth: number): Promise<Json> {
    const target = all.find((one) => one.name === name)
    if (!target) throw new Error(`there is no resource ${name}`)
    return await server.made(pathOf(target, 'create') ?? name, await body(target, depth))
  }
  const made = async () => server.made(pathOf(resource, 'create') ?? resource.name, await body(), creator)
  const at = (id: unknown, verb: Verb) => String(pathOf(resource, verb)).replace('{id}', String(id))
  const faultsAt = (answer: { body: Json }) => Object.keys(Object(answer.body.fields))

  describe('lets nobody do what is not granted', () => {
    it.each(roles)('as a %s', async (role: Role) => {
      const id = creator ? (await made()).id : 'none'
      const calls: Record<Verb, () => Promise<{ status: number }>> = {
        list: () => server.get(at('', 'list'), role),
        show: () => server.get(at(id, 'show'), role),
        create: async () => server.post(at('', 'create'), {}, role),
        edit: () => server.put(at(id, 'edit'), {}, role),
        delete: () => server.delete(at(id, 'delete'), undefined, role),
      }
      for (const verb of ['list', 'show', 'create', 'edit', 'delete'] as const) {
        if (pathOf(resource, verb) === undefined) continue
        const { status: code } = await calls[verb]()
        if (mayDo(verb).includes(role)) expect([200, 204, 400, 404, 409], `${verb}: ${code}`).toContain(code)
        else expect([403, 404, 405], `${verb}: ${code}`).toContain(code)
      }
    })
  })

  it.runIf(creator)('gives back what was written, and keeps what a change leaves out', async () => {
    const values = await body()
    const record = await server.made(pathOf(resource, 'create') ?? '', values, creator)
    const shown = (await server.get(at(record.id, 'show'), creator)).body
    const kept = Object.entries(values).filter(([name]) => resource.fields[name]?.type !== 'secret')
    expect(shown).toMatchObject(Object.fromEntries(kept))
    for (const [name, field] of editable) {
      if (field.type === 'status' || field.type === 'group') continue
      const before = (await server.get(at(record.id, 'show'), creator)).body
      const value = sampleOf(field, ++seed)
      const answer = await server.put(at(record.id, 'edit'), { [name]: value, version: before.version }, creator)
      expect(answer.status, `${name}: ${answer.text}`).toBe(200)
      expect(answer.body[name], name).toEqual(value)
    }
  })

  it.runIf(creator)('refuses at its field what is out of bounds, in both languages', async () => {
    for (const [name, field] of open)
      for (const [what, value] of wrongValues(field)) {
        const sent = { ...(await body()), [name]: value }
        const send = (language: string) =>
          server.call('POST', at('', 'create'), { as: creator ?? '', body: sent, headers: { 'accept-language': language } })
        const [english, russian] = [await send('en'), await send('ru')]
        expect([english.status, russian.status], `${name} ${what}`).toEqual([400, 400])
        expect(
          faultsAt(english).some((path) => path.split('.')[0] === name),
          `${name} ${what}: ${english.text}`,
        ).toBe(true)
        expect(russian.text, `${name} ${what}`).toMatch(/\p{Script=Cyrillic}/u)
        expect(JSON.stringify(english.body.fields), `${name} ${what}`).not.toMatch(/\p{Script=Cyrillic}/u)
      }
  })

  it.runIf(creator)('asks for what is required, and for each of it', async () => {
    const needed = open.filter(([, field]) => field.required === true && !('default' in field)).map(([name]) => name)
    for (const name of needed) {
      const { [name]: _, ...rest } = await body()
      const answer = await server.post(at('', 'create'), rest, creator)
      expect([answer.status, faultsAt(answer).map((path) => path.split('.')[0])], name).toEqual([
        400,
        expect.arrayContaining([name]),
      ])
    }
  })

  it.runIf(creator && status)('changes its state only along the transitions', async () => {
    const [name, field] = status ?? []
    if (!name || field?.type !== 'status') return
    const states = Object.keys(field.states)
    const hasSteps = Object.values(field.states).some(({ next }) => next)
    for (const from of states)
      for (const to of states.filter((state) => state !== from)) {
        const { id } = await made()
        await server.select(`update "${tableOf(resource)}" set "${name}" = '${from}' where "id" = '${id}'`)
        const { status: code, text } = await server.put(at(id, 'edit'), { [name]: to, version: 1 }, creator)
        const isStep = !hasSteps || field.states[from]?.next?.includes(to)
        // A step may ask for more: then it is refused at another field, and not as a step.
        expect(isStep ? [200, 400] : [409], `${from} → ${to}: ${text}`).toContain(code)
      }
  })

  it('says everything in both languages', () => {
    expect(checkHints([resource])).toEqual([])
  })
})
