import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkHints } from '#schema/check-resources.ts'
import { isWritable, pathOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import type { Verb } from '#schema/resource.ts'
import { type Role, roles } from '#schema/roles.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { embedded, engines, postgres, type TestEngine } from '#tests/support/databases.ts'
import { actionCells } from './action-cells.ts'
import { fieldCells } from './field-cells.ts'
import { otherValue } from './fitting.ts'
import { handOver, leaveOut } from './left-out.ts'
import { sampleOf, wrongValues } from './samples.ts'
import { at, creator, faultsAt, fields, mayDo, resource, Subject, whyNoCreator } from './subject.ts'

const wanted = process.env.PROVE_ENGINE ?? 'pglite'
const choices: Readonly<Record<string, readonly TestEngine[]>> = { pglite: [embedded], postgres: [postgres], both: engines }
const proven = choices[wanted]
if (!proven) throw new Error(`PROVE_ENGINE=${wanted}: use pglite, postgres or both`)

/** Fields that both forms have, that no condition hides, and that sample values exist for. */
const open = fields.filter(([name, field]) => {
  if (!isWritable(field, 'create') || field.access) return false
  const isHidden = field.when !== undefined
  const isPlain = sampleOf(field, 1) !== undefined
  if (isHidden) leaveOut(`${name}, written and read back`, 'a condition shows it')
  else if (!isPlain) leaveOut(`${name}, written and read back`, `there is no sample value of a ${field.type} like this`)
  return !isHidden && isPlain
})
/** Reasons why a change of a field is not read back. */
const unchanged: [(field: Field) => boolean, string][] = [
  [({ readOnly }) => readOnly !== undefined, 'a rule closes it'],
  [({ type }) => type === 'secret', 'a secret is never read back'],
  [({ type }) => type === 'group', 'a group is tried in new records only'],
]
const editable = open.filter(([name, field]) => {
  if (!isWritable(field, 'edit') || field.type === 'status') return false
  const why = unchanged.find(([holds]) => holds(field))?.[1]
  if (why) leaveOut(`${name}, changed and read back`, why)
  return !why
})
for (const [name, field] of open) if (wrongValues(field).length === 0) leaveOut(`${name}, out of bounds`, 'it takes any value')
const status = fields.find(([, field]) => field.type === 'status' && isWritable(field, 'edit'))
if (!creator) leaveOut('values, bounds, required fields, transitions', whyNoCreator)
if (!status) leaveOut('transitions', 'no form changes a status')

describe.each(proven)(`the definition ${resource.name} on $name`, (engine) => {
  let subject: Subject
  beforeAll(async () => {
    subject = await Subject.open(engine)
  }, 120_000)
  afterAll(async () => {
    await subject?.server.close()
    if (engine === proven.at(-1)) handOver(resource.name)
  })

  describe('lets nobody do what is not granted', () => {
    it.each(roles)('as a %s', async (role: Role) => {
      const id = creator ? (await subject.made()).id : 'none'
      const calls: Record<Verb, () => Promise<{ status: number }>> = {
        list: () => subject.server.get(at('', 'list'), role),
        show: () => subject.server.get(at(id, 'show'), role),
        create: async () => subject.server.post(at('', 'create'), {}, role),
        edit: () => subject.server.put(at(id, 'edit'), {}, role),
        delete: () => subject.server.delete(at(id, 'delete'), undefined, role),
      }
      for (const verb of ['list', 'show', 'create', 'edit', 'delete'] as const) {
        if (pathOf(resource, verb) === undefined) continue
        const { status: code } = await calls[verb]()
        if (mayDo(verb).includes(role))
          expect(creator ? [200, 204, 400, 404, 409] : [200, 400, 404, 409, 415], `${verb}: ${code}`).toContain(code)
        else expect([403, 404, 405], `${verb}: ${code}`).toContain(code)
      }
    })
  })

  it.runIf(creator)('gives back what was written, and keeps what a change leaves out', async () => {
    await subject.alone()
    const values = await subject.body()
    const record = await subject.server.made(pathOf(resource, 'create') ?? '', values, creator)
    const shown = (await subject.server.get(at(record.id, 'show'), creator)).body
    const kept = Object.entries(values).filter(([name]) => resource.fields[name]?.type !== 'secret')
    expect(shown).toMatchObject(Object.fromEntries(kept))
    let [changed, bound] = [0, 0]
    for (const [name] of editable) {
      const before = (await subject.server.get(at(record.id, 'show'), creator)).body
      const value = otherValue(resource, before, name, subject.next())
      if (value === undefined) {
        leaveOut(`${name}, changed and read back`, 'no other value keeps the rules beside the other values')
        bound += 1
        continue
      }
      const answer = await subject.server.put(at(record.id, 'edit'), { [name]: value, version: before.version }, creator)
      // A rule of the server may refuse the value, but at another field: this one takes it.
      if (answer.status === 400) expect(faultsAt(answer), `${name}: ${answer.text}`).not.toContain(name)
      else expect([answer.status, answer.body[name]], `${name}: ${answer.text}`).toEqual([200, value])
      changed += answer.status === 200 ? 1 : 0
    }
    expect(changed > 0, 'a field was changed').toBe(editable.length > bound)
  })

  it.runIf(creator)('refuses at its field what is out of bounds, in both languages', async () => {
    for (const [name, field] of open)
      for (const [what, value] of wrongValues(field)) {
        const sent = { ...(await subject.body()), [name]: value }
        const send = (language: string) =>
          subject.server.call('POST', at('', 'create'), {
            as: creator ?? '',
            body: sent,
            headers: { 'accept-language': language },
          })
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
      const { [name]: _, ...rest } = await subject.body()
      const answer = await subject.server.post(at('', 'create'), rest, creator)
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
    for (const from of states)
      for (const to of states.filter((state) => state !== from)) {
        const { id } = await subject.made()
        await subject.server.select(`update "${tableOf(resource)}" set "${name}" = '${from}' where "id" = '${id}'`)
        const {
          status: code,
          text,
          body: answer,
        } = await subject.server.put(at(id, 'edit'), { [name]: to, version: 1 }, creator)
        const isStep = field.states[from]?.next?.includes(to)
        // A step may ask for more: then it is refused with a reason of its own, and not as a step.
        if (isStep) expect(answer.code, `${from} → ${to}: ${text}`).not.toBe('transition')
        else expect([code, answer.code], `${from} → ${to}: ${text}`).toEqual([409, 'transition'])
      }
  })

  fieldCells(() => subject)
  actionCells(() => subject)

  it('says everything in both languages', () => {
    expect(checkHints([resource])).toEqual([])
  })
})
