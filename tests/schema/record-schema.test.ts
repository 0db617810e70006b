import { describe, expect, expectTypeOf, it } from 'vitest'
import { client } from '#resources/client.ts'
import { ess } from '#resources/ess.ts'
import { firmware } from '#resources/firmware.ts'
import { faultText } from '#schema/faults.ts'
import { check, createSchema, editSchema, ruleFaults, writableFields } from '#schema/record-schema.ts'
import { type AnyResource, defineResource, type RecordOf } from '#schema/resource.ts'

const context = { user: { id: 'u', role: 'admin' }, now: '2026-01-01T00:00:00.000Z' } as const
const definition: AnyResource = ess
const good = {
  code: 'ESS-000900',
  name: 'House',
  profile: 'HOME',
  chemistry: 'LFP',
  ratedEnergyWh: 10_000,
  ratedChargePowerW: 5000,
  ratedDischargePowerW: 5000,
  location: { timezone: 'Europe/Berlin' },
}
const create = (more: object) => check(createSchema(writableFields(definition, 'create', 'admin')), { ...good, ...more })
const faultsOf = (result: ReturnType<typeof check>) =>
  result.ok ? [] : result.faults.map(({ path, code }) => `${path}: ${code}`)

describe('what a new record must be', () => {
  it('takes what is whole, and trims it', () => {
    expect(create({ name: '  House  ' })).toMatchObject({ ok: true, value: { name: 'House' } })
  })

  it('has at least one choice of a required field of several, also in the rows of a list', () => {
    const days = { type: 'tags', label: ['Days', 'Дни'], required: true, options: { MON: ['Mon', 'Пн'] } } as const
    const fields = { days, plan: { type: 'list', label: ['Plan', 'План'], fields: { days } } } as const
    expect(faultsOf(check(createSchema(fields), { days: [], plan: [{ days: [] }] }))).toEqual([
      'days: required',
      'plan.0.days: required',
    ])
    expect(check(createSchema(fields), { days: ['MON'], plan: [] }).ok).toBe(true)
  })

  it('has at least one choice also where a rule asks for it', () => {
    const days = { type: 'tags', label: ['Days', 'Дни'], required: { field: 'on', op: 'eq', value: true } } as const
    const resource: AnyResource = { ...definition, fields: { on: { type: 'boolean', label: ['On', 'Вкл.'] }, days }, rules: [] }
    const faults = (record: object) => ruleFaults(resource, { ...record }, context).map(({ path, code }) => [path, code])
    expect(faults({ on: true, days: [] })).toEqual([['days', 'required']])
    expect([faults({ on: false, days: [] }), faults({ on: true, days: ['MON'] })]).toEqual([[], []])
  })

  it('has no date from before 1900, whose year is a slip of the keyboard', () => {
    const fields = { on: { type: 'date', label: ['On', 'День'] }, at: { type: 'dateTime', label: ['At', 'Время'] } } as const
    const faults = (on: string) => faultsOf(check(createSchema(fields), { on, at: `${on}T10:00Z` }))
    for (const day of ['0000-01-01', '0001-01-01', '1899-12-31'])
      expect(faults(day)).toEqual(['on: too-early', 'at: too-early'])
    expect([faults('1900-01-01'), faults('9999-12-31')]).toEqual([[], []])
    expect(faults('2026-02-30')).toEqual(['on: bad-date', 'at: bad-time'])
  })

  it('is a file alone where the file is the whole body of the call', () => {
    expect(Object.keys(writableFields(firmware, 'create', 'admin'))).toEqual(['file'])
    expect(Object.keys(writableFields(firmware, 'edit', 'admin'))).toEqual(['releaseNotes', 'mandatory'])
  })

  it('takes codes in either case, and bytes as a label shows them', () => {
    const fields = {
      code: { type: 'code', label: ['Code', 'Код'] },
      uid: { type: 'hex', label: ['Uid', 'Номер'], bytes: 6 },
      revision: { type: 'code', label: ['Hardware', 'Версия'], pattern: '^[A-Z][1-9]$' },
    } as const
    const written = check(createSchema(fields), { code: 'ess-9001', uid: 'E7 C6:62-A1.AB 01', revision: 'a1' })
    expect(written).toEqual({ ok: true, value: { code: 'ESS-9001', uid: 'E7C662A1AB01', revision: 'A1' } })
    expect(faultsOf(check(createSchema(fields), { uid: 'E7 C6', revision: 'a0' }))).toEqual([
      'uid: hex-digits',
      'revision: bad-pattern',
    ])
  })

  it('says at once how many bytes a field takes, whatever is wrong with them', () => {
    const fields = { uid: { type: 'hex', label: ['Uid', 'Номер'], bytes: 6 } } as const
    for (const uid of ['label', 'E7 C6', 'E7C662A1AB0', 'E7C662A1AB01FF', 'E7C662A1AB0G']) {
      const result = check(createSchema(fields), { uid })
      const said = result.ok ? [] : result.faults.map((fault) => [faultText(fault, 'en'), faultText(fault, 'ru')])
      expect(said).toEqual([['Use 12 hexadecimal digits: 0–9, A–F', 'Нужно 12 шестнадцатеричных цифр: 0–9, A–F']])
    }
  })

  it('takes telephone numbers as people write them, and keeps them in one form', () => {
    const fields = { phone: { type: 'phone', label: ['Phone', 'Телефон'] } } as const
    const kept = (phone: string) => check(createSchema(fields), { phone })
    for (const phone of ['+74951234567', '+7 495 123-45-67', '+7 (495) 123\u201145.67', '007 495 1234567'])
      expect(kept(phone)).toEqual({ ok: true, value: { phone: '+74951234567' } })
    for (const phone of ['8 495 123-45-67', '+7 495', '+7 495 123 45 67 доб. 2', '() -'])
      expect(faultsOf(kept(phone))).toContain('phone: bad-phone')
  })

  it('makes no letter of another alphabet a Latin one', () => {
    const fields = {
      code: { type: 'code', label: ['Code', 'Код'] },
      email: { type: 'email', label: ['E-mail', 'Почта'] },
    } as const
    expect(faultsOf(check(createSchema(fields), { code: 'adm\u0131n', email: 'adm\u0131n@example.com' }))).toEqual([
      'code: bad-pattern',
      'email: bad-email',
    ])
  })

  it('tells every fault at once, each with its path', () => {
    const result = create({
      code: 'x',
      name: ' ',
      ratedEnergyWh: '5',
      location: { timezone: 'Mars/Base', lat: 91 },
      colour: 'red',
    })
    expect(faultsOf(result).toSorted()).toEqual(
      [
        'code: bad-pattern',
        'colour: unknown-key',
        'location.lat: too-big',
        'location.timezone: bad-zone',
        'name: required',
        'ratedEnergyWh: wrong-type',
      ].map((text) =>
        text === 'ratedEnergyWh: wrong-type' ? expect.stringMatching(/^ratedEnergyWh: not-(number|integer)$/) : text,
      ),
    )
  })

  it.each([
    ['numbers as text', { modules: '3' }],
    ['a number beyond all bounds', { modules: 2 ** 53 + 2 }],
    ['a list where one value is meant', { profile: ['HOME'] }],
    ['another case of a choice', { profile: 'home' }],
    ['a NUL in a text', { name: 'a\u0000b' }],
    ['half of a surrogate pair', { name: 'a\ud800b' }],
    ['the thirtieth of February', { installedAt: '2026-02-30' }],
    ['a field that only the server writes', { connection: 'ONLINE' }],
  ])('refuses %s', (_, more) => expect(create(more).ok).toBe(false))

  it('takes characters that draw nothing for no text', () => {
    const fault = faultsOf(create({ name: '   ' }))
    expect(fault).toHaveLength(1)
    for (const name of ['\u200B', '\u200B \uFEFF', '\u3164', '\u2800', '\u202E'])
      expect(faultsOf(create({ name })), JSON.stringify(name)).toEqual(fault)
  })

  it('drops from a line what would turn the names beside it, and keeps what joins an emoji', () => {
    expect(create({ name: '\u202EAnn\u2066 \u202C' })).toMatchObject({ ok: true, value: { name: 'Ann' } })
    expect(create({ name: 'Family 👩\u200D👧' })).toMatchObject({ ok: true, value: { name: 'Family 👩\u200D👧' } })
  })

  it('keeps emoji and right-to-left text as they are', () => {
    expect(create({ name: 'بيت 🏠' })).toMatchObject({ ok: true, value: { name: 'بيت 🏠' } })
  })

  it('speaks both languages', () => {
    expect(faultText({ path: 'name', code: 'too-long', params: { max: 64 } }, 'en')).toBe('Use at most 64 characters')
    expect(faultText({ path: 'name', code: 'too-long', params: { max: 64 } }, 'ru')).toBe('Не больше 64 символов')
  })
})

describe('what a change must be', () => {
  const edit = (body: object) => check(editSchema(writableFields(definition, 'edit', 'admin')), body)
  it('names what it changes, and the version that was read', () => {
    expect(edit({ name: 'New', version: 3 })).toMatchObject({ ok: true })
    expect(faultsOf(edit({ name: 'New' }))).toEqual(['version: required'])
  })
  it('never takes what is fixed at creation', () =>
    expect(faultsOf(edit({ code: 'ESS-1', version: 1 }))).toEqual(['code: unknown-key']))
})

describe('rules over the whole record', () => {
  const companies: AnyResource = client
  it('ask for a field only where its condition holds', () => {
    expect(ruleFaults(companies, { clientType: 'COMPANY', companyName: null }, context)).toMatchObject([
      { path: 'companyName', code: 'required' },
    ])
    expect(ruleFaults(companies, { clientType: 'PERSON', companyName: null }, context)).toEqual([])
  })
  it('compare fields with one another', () => {
    expect(ruleFaults(definition, { ...good, installedAt: '2026-05-01', warrantyUntil: '2025-05-01' }, context)).toMatchObject([
      { path: 'warrantyUntil', rule: 0 },
    ])
  })
})

describe('the types of a definition', () => {
  it('give a record its choices, and null where nothing is required', () => {
    expectTypeOf<RecordOf<typeof ess>['chemistry']>().toEqualTypeOf<'LFP' | 'NMC' | 'LTO' | 'LEAD_ACID'>()
    expectTypeOf<RecordOf<typeof ess>['installedAt']>().toEqualTypeOf<string | null>()
    expectTypeOf<RecordOf<typeof ess>['lifecycle']>().toEqualTypeOf<
      'PLANNED' | 'COMMISSIONING' | 'IN_OPERATION' | 'DECOMMISSIONED'
    >()
  })

  it('do not compile a misspelt fact, a missing translation, or a column that is no field', () => {
    const label = { one: ['A', 'А'], many: ['A', 'А'] } as const
    const name = { type: 'text', label: ['Name', 'Имя'] } as const
    // @ts-expect-error: the fact is called maxLength
    defineResource({ name: 'a', label, fields: { name: { ...name, maxlength: 3 } } })
    // @ts-expect-error: a label has two texts
    defineResource({ name: 'a', label, fields: { name: { type: 'text', label: ['Name'] } } })
    // @ts-expect-error: there is no such field
    defineResource({ name: 'a', label, fields: { name }, list: { columns: ['nmae'] } })
    expect(
      defineResource({ name: 'a', label, fields: { name }, list: { columns: ['name', 'createdAt'] } }).list?.columns,
    ).toEqual(['name', 'createdAt'])
  })
})
