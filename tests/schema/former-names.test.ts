import { expect, it } from 'vitest'
import { presentChoices, presentName, presentPath } from '#schema/former-names.ts'

it('a field is found by every name that it had, and a name of today is that of today', () => {
  const text = { type: 'text', label: ['Words', 'Слова'] } as const
  const fields = { saying: { ...text, was: ['motto', 'claim'] }, note: { ...text, was: 'remark' }, claim: text }
  expect(['motto', 'remark', 'claim', 'saying', 'other'].map((name) => presentName(fields, name))).toEqual([
    'saying',
    'note',
    'claim',
    'saying',
    'other',
  ])
})

it('a part is found by every name that it and its group had', () => {
  const text = { type: 'text', label: ['Words', 'Слова'] } as const
  const fields = {
    spot: { type: 'group', label: text.label, was: 'place', fields: { line: { ...text, was: 'row' } } },
  } as const
  expect(
    ['place.row', 'spot.row', 'place.line', 'place.other', 'place', 'x.row'].map((path) => presentPath(fields, path)),
  ).toEqual(['spot.line', 'spot.line', 'spot.line', 'spot.other', 'spot', 'x.row'])
})

it('a choice is found by its former key, also among several and in parts', () => {
  const label = ['Kind', 'Вид'] as const
  const options = { NEW: ['New', 'Новый'], OLD: ['Old', 'Старый'] } as const
  const kind = { type: 'enum', label, options, choicesWere: { NEW: 'FRESH', OLD: 'NEW' } } as const
  const kinds = { type: 'tags', label, options, choicesWere: { NEW: 'FRESH' } } as const
  expect(['FRESH', 'NEW', 'OLD', 'OTHER', null].map((value) => presentChoices(kind, value))).toEqual([
    'NEW',
    'NEW',
    'OLD',
    'OTHER',
    null,
  ])
  expect(presentChoices(kinds, ['FRESH', 'OLD'])).toEqual(['NEW', 'OLD'])
  expect(presentChoices({ type: 'group', label, fields: { kind } }, { kind: 'FRESH', note: 1 })).toEqual({
    kind: 'NEW',
    note: 1,
  })
  expect(presentChoices({ type: 'list', label, fields: { kind } }, [{ kind: 'FRESH' }])).toEqual([{ kind: 'NEW' }])
})
