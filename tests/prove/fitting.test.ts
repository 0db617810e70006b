import { describe, expect, it } from 'vitest'
import type { AnyResource } from '#schema/resource.ts'
import type { Rule } from '#schema/rule.ts'
import { fitting, fittingForm, otherValue } from './fitting.ts'

const message = ['No', 'Нет'] as const
const label = ['Field', 'Поле'] as const
const visit = (...rules: Rule[]): AnyResource => ({
  name: 'visit',
  label: { one: ['Visit', 'Выезд'], many: ['Visits', 'Выезды'] },
  fields: {
    startsOn: { type: 'date', label, required: true },
    endsOn: { type: 'date', label, required: true },
    size: { type: 'integer', label, min: 1, max: 9 },
    kind: { type: 'enum', label, options: ['A', 'B'] },
    week: { type: 'group', label, fields: { from: { type: 'integer', label }, to: { type: 'integer', label } } },
  },
  rules: rules.map((rule) => ({ rule, at: 'endsOn', message })),
})
const after: Rule = { field: 'endsOn', op: 'gt', value: '$record.startsOn' }
const same = { startsOn: '2027-03-28', endsOn: '2027-03-28', size: 1, kind: 'A', week: { from: 3, to: 3 } }

describe('made-up values', () => {
  it('keep a rule that compares two fields, also where the first one stands at its end', () => {
    const found = fitting(visit(after), same, 1)
    expect(String(found?.endsOn) > String(found?.startsOn)).toBe(true)
    expect(found).toMatchObject({ size: 1, kind: 'A' })
    expect(fitting(visit(after), { ...same, endsOn: '2027-03-29' }, 1)?.endsOn).toBe('2027-03-29')
  })

  it('keep rules by constants, by the clock and of groups', () => {
    expect(fitting(visit({ field: 'size', op: 'gte', value: 9 }), same, 1)?.size).toBe(9)
    expect(fitting(visit({ field: 'kind', op: 'eq', value: 'B' }), same, 1)?.kind).toBe('B')
    expect(String(fitting(visit({ field: 'startsOn', op: 'lt', value: '$now' }), same, 1)?.startsOn) < '2026-03-02').toBe(true)
    const group = fitting(visit({ field: 'week.to', op: 'gt', value: '$record.week.from' }), same, 1)?.week
    expect(Number(Object(group).to)).toBeGreaterThan(Number(Object(group).from))
    expect(fitting(visit(after, { field: 'size', op: 'null', value: true }), same, 1)).not.toHaveProperty('size')
  })

  it('are none where rules contradict each other, or what they need is given', () => {
    expect(fitting(visit(after, { not: after }), same, 1)).toBeUndefined()
    expect(fitting(visit(after), same, 1, ['startsOn', 'endsOn'])).toBeUndefined()
  })

  it('of the form of an action keep the rules together with the record, and change nothing else of it', () => {
    const form = { endsOn: { type: 'date', label, required: true }, why: { type: 'text', label } } as const
    const record = { ...same, startsOn: '2027-03-28', endsOn: null }
    const found = fittingForm(visit(after), { record, values: { endsOn: '2027-03-02', why: 'A0001' }, form }, 1)
    expect(found).toEqual({ endsOn: '2027-03-29', why: 'A0001' })
    expect(fittingForm(visit(after), { record, values: { endsOn: '2027-03-30' }, form }, 1)).toEqual({ endsOn: '2027-03-30' })
    // The fitting value may be the one that the record has already.
    const long = { ...same, endsOn: '2027-03-29' }
    const [before] = [fittingForm(visit(after), { record: long, values: { endsOn: '2027-03-02' }, form }, 28)]
    expect(before).toEqual({ endsOn: '2027-03-29' })
    const { why } = form
    expect(fittingForm(visit(after), { record: same, values: { why: 'A0001' }, form: { why } }, 1)).toBeUndefined()
  })

  it('change one field beside the others', () => {
    const record = { ...same, startsOn: '2027-03-10', endsOn: '2027-03-12' }
    expect(String(otherValue(visit(after), record, 'endsOn', 2)) > '2027-03-10').toBe(true)
    expect(otherValue(visit(after), { ...record, startsOn: '2027-03-28' }, 'endsOn', 2)).toBeUndefined()
  })
})
