import { describe, expect, it } from 'vitest'
import type { Fields } from '#schema/field-types.ts'
import { mergeParts, mergeRecord, partConflicts } from '#views/form/merge/merge-parts.ts'

const fields: Fields = {
  name: { type: 'text', label: ['Name', 'Имя'] },
  address: {
    type: 'group',
    label: ['Address', 'Адрес'],
    fields: {
      country: { type: 'text', label: ['Country', 'Страна'] },
      region: { type: 'text', label: ['Region', 'Регион'] },
      city: { type: 'text', label: ['City', 'Город'] },
      code: { type: 'text', label: ['Postal code', 'Индекс'] },
    },
  },
  plan: { type: 'json', label: ['Plan', 'План'] },
}
const base = { name: 'Ada', address: { country: 'AT', region: 'Wien', city: 'Wien', code: '1010' }, plan: null }
const typed = (address: object | null) => ({ base, values: { ...base, address }, version: 1 })

describe('a record that someone else has saved meanwhile', () => {
  const mine = typed({ ...base.address, city: 'Graz', code: '8010' })
  const theirs = { ...base, address: { ...base.address, region: 'Oberösterreich', city: 'Linz' } }

  it('offers only the parts of a group that both have changed', () => {
    expect(partConflicts(fields, mine, theirs)).toEqual(['address.city'])
  })

  it('takes the parts that only the other person has changed, and sends the group as a whole', () => {
    const whole = { country: 'AT', region: 'Oberösterreich', city: 'Graz', code: '8010' }
    expect(mergeParts(fields, mine, theirs, { 'address.city': 'Graz' })).toEqual({ ...base, address: whole })
    expect(mergeParts(fields, mine, theirs, { 'address.city': 'Linz' }).address).toEqual({ ...whole, city: 'Linz' })
  })

  it('merges by itself into an open form when no part was changed by both', () => {
    const others = { ...base, address: { ...base.address, region: 'Oberösterreich' } }
    expect(mergeRecord(fields, mine, others, 2)).toEqual({
      base: others,
      values: { ...base, address: { country: 'AT', region: 'Oberösterreich', city: 'Graz', code: '8010' } },
      version: 2,
    })
  })

  it('keeps the base of a part that both have changed, and the version that the server refuses', () => {
    expect(mergeRecord(fields, mine, theirs, 2)).toEqual({
      base: { ...base, address: { ...base.address, region: 'Oberösterreich' } },
      values: { ...base, address: { country: 'AT', region: 'Oberösterreich', city: 'Graz', code: '8010' } },
      version: 1,
    })
  })

  it('keeps a group that was emptied empty, and one that nobody has touched as it is', () => {
    expect(mergeParts(fields, typed(null), { ...base, name: 'Bob' }, {})).toEqual({ ...base, name: 'Bob', address: null })
    const none = { base: { ...base, address: null }, values: { ...base, address: null, name: 'Eve' }, version: 1 }
    expect(mergeParts(fields, none, { ...base, address: null }, {})).toEqual({ ...base, address: null, name: 'Eve' })
  })

  it('takes a value with parts that is no group as one', () => {
    const plan = { base: { ...base, plan: { a: 1, b: 1 } }, values: { ...base, plan: { a: 2, b: 1 } }, version: 1 }
    expect(partConflicts(fields, plan, { ...base, plan: { a: 1, b: 2 } })).toEqual(['plan'])
  })
})
