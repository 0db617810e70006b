import { describe, expect, it } from 'vitest'
import { fieldsOfRule, holds, type Rule } from '#schema/rule.ts'

const context = { user: { id: 'u1', role: 'client' }, now: '2026-03-31T12:00:00.000Z' } as const
const record = {
  state: 'OPEN',
  size: 4,
  ownerId: 'u1',
  dueAt: '2026-03-30T00:00:00.000Z',
  place: { zone: 'UTC' },
  low: 3,
  empty: null,
  memberIds: ['u1', 'u2'],
}
const says = (rule: Rule) => holds(rule, record, context)

describe('a rule', () => {
  it.each<[string, Rule, boolean]>([
    ['equal', { field: 'state', op: 'eq', value: 'OPEN' }, true],
    ['not equal', { field: 'state', op: 'ne', value: 'OPEN' }, false],
    ['one of', { field: 'state', op: 'in', value: ['DONE', 'OPEN'] }, true],
    ['none of', { field: 'state', op: 'nin', value: ['DONE'] }, true],
    ['at least', { field: 'size', op: 'gte', value: 4 }, true],
    ['more than another field', { field: 'size', op: 'gt', value: '$record.low' }, true],
    ['the caller', { field: 'ownerId', op: 'eq', value: '$user.id' }, true],
    ['the role', { field: 'ownerId', op: 'eq', value: '$user.role' }, false],
    ['before now', { field: 'dueAt', op: 'lt', value: '$now' }, true],
    ['inside a group', { field: 'place.zone', op: 'eq', value: 'UTC' }, true],
    ['empty', { field: 'empty', op: 'null', value: true }, true],
    ['empty where the field is missing', { field: 'nothing', op: 'null', value: true }, true],
    ['never greater when empty', { field: 'empty', op: 'gt', value: 0 }, false],
    ['among several', { field: 'memberIds', op: 'eq', value: '$user.id' }, true],
    ['not among several', { field: 'memberIds', op: 'eq', value: 'u3' }, false],
    ['none of several', { field: 'memberIds', op: 'ne', value: 'u3' }, true],
    ['one of these among several', { field: 'memberIds', op: 'in', value: ['u3', 'u2'] }, true],
    ['none of these among several', { field: 'memberIds', op: 'nin', value: ['u3', 'u2'] }, false],
    ['another field among several', { field: 'memberIds', op: 'eq', value: '$record.ownerId' }, true],
    ['several are not empty', { field: 'memberIds', op: 'eq', value: null }, false],
    ['never compares different types', { field: 'size', op: 'lt', value: '9' }, false],
  ])('answers: %s', (_, rule, expected) => expect(says(rule)).toBe(expected))

  it('joins by all, any and not', () => {
    const open: Rule = { field: 'state', op: 'eq', value: 'OPEN' }
    expect(says({ all: [open, { not: { field: 'size', op: 'eq', value: 9 } }] })).toBe(true)
    expect(says({ any: [{ not: open }, { field: 'size', op: 'eq', value: 9 }] })).toBe(false)
    expect(says({ all: [] })).toBe(true)
    expect(says({ any: [] })).toBe(false)
  })

  it('does not reach into the prototype', () => {
    expect(says({ field: 'constructor.name', op: 'null', value: true })).toBe(true)
  })

  it('tells which fields it reads', () => {
    expect(
      fieldsOfRule({
        all: [{ field: 'size', op: 'gt', value: '$record.low' }, { not: { field: 'state', op: 'null', value: true } }],
      }),
    ).toEqual(['size', 'low', 'state'])
  })
})
