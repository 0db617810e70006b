import { describe, expect, it } from 'vitest'
import { replay, valuesOf } from '#views/form/form-values.ts'

describe('what was typed, put over newer values', () => {
  const base = { limits: { chargeW: 5000, dischargeW: 5000 }, mode: 'MANUAL', note: null }

  it('changes only the parts that were touched', () => {
    const typed = { ...base, limits: { chargeW: 3000, dischargeW: 5000 } }
    const newer = { limits: { chargeW: 5000, dischargeW: 4000 }, mode: 'STANDBY', note: 'by a colleague' }
    expect(replay(newer, base, typed)).toEqual({ ...newer, limits: { chargeW: 3000, dischargeW: 4000 } })
  })

  it('wins where both have changed the same part, lists as a whole', () => {
    expect(replay({ days: [1] }, { days: [] }, { days: [2, 3] })).toEqual({ days: [2, 3] })
    expect(replay('theirs', 'before', 'mine')).toBe('mine')
  })
})

it('a form holds the rows of a list as they are stored, without the records that their references point to', () => {
  const person = { type: 'reference', label: ['Person', 'Человек'], to: 'user' } as const
  const text = { type: 'text', label: ['Text', 'Текст'] } as const
  const rows = {
    type: 'list',
    label: ['Rows', 'Строки'],
    fields: { personId: person, byId: person, by: text, at: { type: 'group', label: ['At', 'Где'], fields: { who: person } } },
  } as const
  const shown = { personId: 'u1', person: { id: 'u1', email: 'a@b.example' }, byId: 'u2', by: 'Bob' }
  const record = { rows: [{ ...shown, at: { who: 'u1', whoRef: { id: 'u1' } } }] }
  expect(valuesOf({ rows }, record)).toEqual({ rows: [{ personId: 'u1', byId: 'u2', by: 'Bob', at: { who: 'u1' } }] })
  // A group keeps the names of its own references, which the form shows.
  const place = { type: 'group', label: ['Place', 'Место'], fields: { who: person, rows, at: rows.fields.at } } as const
  const own = { who: 'u1', whoRef: { id: 'u1' } }
  expect(valuesOf({ place }, { place: { ...own, ...record, at: own } })).toEqual({
    place: { ...own, rows: [{ personId: 'u1', byId: 'u2', by: 'Bob', at: { who: 'u1' } }], at: { who: 'u1' } },
  })
})
