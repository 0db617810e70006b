import { beforeEach, describe, expect, it } from 'vitest'
import { planText } from '#server/engine/changes/plan-text.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const day = { type: 'date', label } as const
const group = (fields: Record<string, typeof text | (typeof text & { required: true })>) =>
  ({ type: 'group', label, fields }) as const

describe.each(engines)('the words of a plan on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(() => {
    table = new PlannedTable(database())
  })
  const told = async (...next: Parameters<PlannedTable['plan']>) => planText(await table.plan(...next))

  it('name the type of a column that is another one than the former definition says', async () => {
    const next = visit({ costCentre: text, at: { type: 'dateTime', label } })
    await table.start(next)
    await table.run(`alter table "visit" drop column "costCentre", drop column "at"`)
    await table.run(`alter table "visit" add column "costCentre" bigint, add column "at" text`)
    await table.fill('visit', [{ id: 'a', costCentre: 7, at: 'noon' }])
    const words = await told(next)
    expect(words).toContain('visit.costCentre: 1 value is kept as bigint, the definition says text')
    expect(words).toContain('visit.at: 1 value is kept as text, the definition says dateTime')
    const converted = visit({ ...next.fields, costCentre: { ...text, convert: { from: 'integer' } } })
    expect((await table.plan(converted)).steps).toMatchObject([{ kind: 'convert', field: 'costCentre', rows: 1 }])
  })

  it('ask of a lost field for its new name first, and of the new one for nothing', async () => {
    await table.start(visit({ name: text, due: day, office: group({ room: text }) }))
    await table.fill('visit', [{ id: 'a', name: 'n', due: '2028-01-01', office: { room: 'attic' } }])
    const next = visit({
      title: { ...text, required: true },
      due: day,
      size: { type: 'integer', label, required: true },
      office: group({ place: { ...text, required: true } }),
    })
    const { obstacles } = await table.plan(next)
    expect(obstacles.map(({ kind, field }) => `${kind} ${field}`).toSorted()).toEqual([
      'lost name',
      'lost office.room',
      'required size',
    ])
    const words = await told(next)
    expect(words).toContain("To do: say `was: 'name'` at title, if it became that; ")
    expect(words).toContain("To do: say `was: 'room'` at place, if it became that; ")
    const orFill = (field: string) =>
      `if its values may go, and say \`backfill\` at ${field}, which is required and empty in 1 row; `
    expect(words).toContain(orFill('title'))
    expect(words).toContain(orFill('office.place'))
    expect(await told(visit({ due: day, office: group({ room: text }) }))).toContain(
      'To do: name it in `was` of the field that it became; ',
    )
  })

  it('say which record a row is by its title, and values that are alike together as they are', async () => {
    const fields = { code: text, name: text, size: { type: 'integer', label } as const, note: text }
    await table.start(visit(fields, { title: 'code' }))
    await table.fill('visit', [
      { id: 'a', code: 'V-1', name: 'n', size: 3, note: 'old' },
      { id: 'b', code: 'V-2', name: 'n', size: 3, note: null },
      { id: 'c', code: null, name: 'm', size: null, note: null },
    ])
    const { note: _, ...others } = fields
    const next = { ...others, size: { ...fields.size, required: true } } as const
    const words = await told(visit(next, { title: 'code', unique: [['name', 'size']] }))
    expect(words).toContain('V-1 (a): ["n",3]; V-2 (b): ["n",3]')
    expect(words).toContain('V-1 (a): "old"')
    expect(words).toContain('    c: null')
    const unique = await told(visit({ ...fields, code: { ...text, maxLength: 2 } }, { title: 'code' }))
    expect(unique).toContain('    a: "V-1"; b: "V-2"')
  })

  it('advise a conversion only where there is one', async () => {
    const file = { type: 'file', label } as const
    await table.start(visit({ photo: file, paper: file, due: day, extra: { type: 'json', label } }))
    const value = { id: 'f', name: 'a.png' }
    await table.fill('visit', [{ id: 'a', photo: value, paper: value, due: '2028-01-01', extra: { any: 1 } }])
    const words = await told(
      visit({
        photo: { type: 'tags', label },
        paper: { type: 'files', label },
        due: { type: 'dateTime', label },
        extra: { type: 'integer', label },
      }),
    )
    expect(words.match(/ {2}visit\.\w+|To do: .*/g)).toEqual([
      '  visit.due',
      'To do: say `convert` at the field, or take a new field and keep this one, or keep the type.',
      '  visit.extra',
      'To do: take a new field and keep this one, or keep the type.',
      '  visit.photo',
      'To do: take a new field and keep this one, or keep the type: stored files become nothing else.',
      '  visit.paper',
      'To do: say `convert` at the field, or correct the values, or keep the type.',
    ])
  })

  it('advise on words that become choices as on choices that go, and on keys that change places', async () => {
    const levels = { A: ['Basic', 'Базовый'], B: ['Full', 'Полный'] } as const
    await table.start(visit({ tags: { type: 'tags', label }, level: { type: 'enum', label, options: levels } }))
    await table.fill('visit', [{ id: 'a', tags: ['odd'], level: 'A' }])
    const level = (options: Record<string, readonly [string, string]>, facts: object = {}) =>
      ({ type: 'enum', label, options, ...facts }) as const
    const tags = { type: 'tags', label, options: ['x'] } as const
    const swapped = await told(visit({ tags, level: level({ A: levels.B, B: levels.A }) }))
    expect(swapped).toContain('visit.tags: 1 row holds a value that is no choice of the definition')
    expect(swapped).toContain('To do: name them in `choicesWere` or `choicesGone` of the field, add them to its choices, ')
    expect(swapped).toContain('(keys that change places take two plans: give each a new key, apply, then give it the key of ')
    const gone = { ...tags, choicesGone: { odd: 'x' } } as const
    const apart = level({ A1: levels.A, B1: levels.B }, { choicesWere: { A1: 'A', B1: 'B' } })
    await table.change(visit({ tags: gone, level: apart }))
    await table.change(visit({ tags, level: level({ B: levels.A, A: levels.B }, { choicesWere: { B: 'A1', A: 'B1' } }) }))
    expect(await table.rows('"level", "tags"')).toEqual([{ level: 'B', tags: ['x'] }])
  })

  it('say what a constant default writes to stored rows, and which values stay under another type', async () => {
    await table.start(visit({ share: { type: 'percent', label }, fee: { type: 'money', label, currency: 'EUR' } }))
    await table.fill('visit', [
      { id: 'a', share: 5, fee: 2 },
      { id: 'b', share: null, fee: 3 },
    ])
    const decimal = (from: 'percent' | 'money') => ({ type: 'decimal', label, convert: { from } }) as const
    const next = visit({
      share: decimal('percent'),
      fee: decimal('money'),
      extra: { type: 'integer', label, default: 7 },
      isOpen: { type: 'boolean', label, default: false },
      endsOn: { type: 'date', label, default: '$today' },
    })
    const words = await told(next)
    expect(words).toContain('  visit.extra: the default 7 is written to 2 rows\n')
    expect(words).toContain('  visit.isOpen: the default false is written to 2 rows\n')
    expect(words).toContain('  visit.endsOn\n')
    expect(words).toContain('  visit.share: becomes decimal from percent, and its values stay as they are (1 row)\n')
    expect(words).toContain('  visit.fee: becomes decimal from money, and its values stay as they are (2 rows)')
    await table.start(next)
    expect(await table.rows('"extra", "isOpen", "endsOn", "share"')).toEqual([
      { extra: 7, isOpen: false, endsOn: null, share: 5 },
      { extra: 7, isOpen: false, endsOn: null, share: null },
    ])
    expect(await told(next)).toBe('The database fits the definitions.')
  })
})
