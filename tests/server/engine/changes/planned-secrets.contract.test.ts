import { beforeEach, describe, expect, it } from 'vitest'
import type { Field, Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { planText } from '#server/engine/changes/plan-text.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const of = (type: string, facts: object = {}) => ({ type, label, ...facts }) as Field
const pin = (facts: object = {}) => of('secret', facts)
const place = (key: Field | undefined, facts: object = {}) =>
  of('group', { fields: { city: of('text', { maxLength: 9 }), ...(key ? { key } : {}) }, ...facts })
const keys = (key: Field, facts: object = {}) => of('list', { fields: { key }, ...facts })
const before = {
  name: of('text'),
  level: of('text'),
  pin: pin(),
  word: of('text'),
  place: place(pin()),
  keys: keys(pin()),
}
const { pin: secret, place: group, word, keys: list, ...plain } = before
const all = (more: Fields, facts: Partial<AnyResource> = {}) => visit({ ...before, ...more }, facts)
const when = { field: 'level', op: 'eq', value: 'FULL' } as const
const rule = { field: 'level', op: 'eq', value: 'FULL' } as const
const fromSecret = { convert: { from: 'secret' } }

/** Findings of the change, and the definition of after. */
const changes: [string, string, AnyResource][] = [
  ['a new `when`', 'notes pin', all({ pin: pin({ when }) })],
  [
    'a new `when` under another name',
    'notes code',
    visit({ ...plain, word, place: group, keys: list, code: pin({ was: 'pin', when }) }),
  ],
  ['a shorter maxLength', 'notes pin', all({ pin: pin({ maxLength: 4 }) })],
  ['a longer minLength', 'notes pin', all({ pin: pin({ minLength: 30 }) })],
  ['a new rule', 'notes pin', all({}, { rules: [{ rule, at: 'pin', message: label }] })],
  ['`unique`', 'obstacles pin', all({ pin: pin({ unique: true }) })],
  ['`unique` together', 'obstacles level + pin', all({}, { unique: [['level', 'pin']] })],
  ['a type that takes the rest', 'steps pin', all({ pin: of('integer', { convert: { from: 'secret', otherwise: 3 } }) })],
  ['a type that does not', 'obstacles pin', all({ pin: of('integer', fromSecret) })],
  ['a shorter text', 'obstacles pin', all({ pin: of('text', { ...fromSecret, maxLength: 4 }) })],
  ['a text with a `when`', 'notes pin', all({ pin: of('text', { ...fromSecret, when }) })],
  ['a text that is one now', 'obstacles word', all({ word: pin({ convert: { from: 'text' }, minLength: 30 }) })],
  [
    'a text that is one now, in part',
    'steps word',
    all({ word: pin({ convert: { from: 'text', otherwise: 'x'.repeat(30) }, minLength: 30 }) }),
  ],
  ['a field filled with it', 'steps copy', all({ copy: of('text', { required: true, backfill: '$record.pin' }) })],
  ['a field filled with its group', 'steps copy', all({ copy: of('json', { required: true, backfill: '$record.place' }) })],
  [
    'a field filled with what it fills',
    'steps copy',
    all({ copy: of('text', { required: true, backfill: '$record.word' }), word: of('text', { backfill: '$record.pin' }) }),
  ],
  ['a `when` of its group', 'notes place', all({ place: place(pin(), { when }) })],
  ['a bound in its group', 'notes place.key', all({ place: place(pin({ maxLength: 4 })) })],
  ['a bound in its list', 'notes keys.key', all({ keys: keys(pin({ maxLength: 4 })) })],
  ['fewer rows of its list', 'notes keys', all({ keys: keys(pin(), { maxItems: 1 }) })],
  ['another type in its group', 'obstacles place.key', all({ place: place(of('integer', fromSecret)) })],
  ['another type of its group', 'obstacles place', all({ place: of('text') })],
  ['a part that is lost', 'obstacles place.key', all({ place: place(undefined) })],
  ['a group that is lost', 'obstacles place', visit({ ...plain, pin: secret, word, keys: list })],
  [
    'a title that was one',
    'notes name',
    all({ name: of('text', { maxLength: 1 }), pin: of('text', fromSecret) }, { title: 'pin' }),
  ],
]

describe.each(engines)('a plan of secrets on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(async () => {
    table = new PlannedTable(database())
    await table.start(visit(before))
    const secrets = { pin: 'hush-hush', word: 'hush-hush', place: { city: 'Riga', key: 'hush-hush' } }
    const rows = [{ key: 'hush-hush' }, { key: 'hush-hush' }]
    await table.fill('visit', [
      { id: 'a', name: 'One', level: 'BASIC', ...secrets, keys: rows },
      { id: 'b', name: 'Two', level: 'BASIC', ...secrets, keys: rows },
    ])
  })

  it.each(changes)('shows none of them for %s', async (_, found, next) => {
    const plan = await table.plan(next)
    const [kind = '', ...path] = found.split(' ')
    const list = kind === 'notes' ? plan.notes : kind === 'steps' ? plan.steps : plan.obstacles
    expect(list.map(({ field }) => field)).toContain(path.join(' '))
    expect(JSON.stringify(plan)).not.toContain('hush')
    expect(planText(plan)).not.toContain('hush')
    if (kind === 'notes') return
    expect(planText(plan)).toContain('•••')
    await expect(table.start(next)).rejects.toThrow('•••')
    await expect(table.start(next)).rejects.not.toThrow('hush')
  })

  it('shows none of a part of the table that is removed', async () => {
    const part = visit({ code: pin() }, { name: 'late-visit', subset: { of: 'visit', where: { level: 'LATE' } } })
    await table.start(visit(before), part)
    await table.run(`update "visit" set "code" = 'hush-hush'`)
    for (const next of [visit(before), { ...visit(before), name: 'call', was: 'visit' }]) {
      const plan = await table.plan(next)
      expect(plan.obstacles.map(({ kind, field }) => `${kind} ${field}`)).toEqual(['lost code'])
      expect(planText(plan)).toContain('•••')
      expect(JSON.stringify(plan)).not.toContain('hush')
      await expect(table.start(next)).rejects.not.toThrow('hush')
    }
  })

  it('shows what stands beside them', async () => {
    const plan = await table.plan(all({ place: of('group', { fields: { city: of('text', { maxLength: 1 }), key: pin() } }) }))
    expect(planText(plan)).toContain('One (a): "Riga"; Two (b): "Riga"')
  })

  it('shows no constant that a new one takes', async () => {
    expect(planText(await table.plan(all({ code: pin({ default: 'hush' }) })))).toContain(
      'visit.code: the default "•••" is written to 2 rows',
    )
  })
})
