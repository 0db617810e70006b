import { expect, it } from 'vitest'
import { presentName } from '#schema/former-names.ts'

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
