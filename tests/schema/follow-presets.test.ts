import { describe, expect, it } from 'vitest'
import type { Fields } from '#schema/field-types.ts'
import { followPresets } from '#schema/form/presets.ts'

const fields: Fields = {
  code: { type: 'code', label: ['Code', 'Код'] },
  keeper: { type: 'group', label: ['Keeper', 'Хранитель'], fields: { email: { type: 'email', label: ['E-mail', 'Почта'] } } },
  title: { type: 'text', label: ['Title', 'Заголовок'], default: 'Visit {code}' },
  contact: { type: 'text', label: ['Contact', 'Контакт'], default: '{keeper.email}' },
}
const context = { user: { id: 'u1', role: 'admin' }, now: '2026-01-01T00:00:00.000Z' } as const
const empty = { code: null, keeper: null, title: null, contact: null }
const follow = (before: object, after: object) =>
  followPresets(fields, { ...empty, ...before }, { ...empty, ...after }, context)

describe('a computed default in a form', () => {
  it('is made of values as they are stored, so that the server computes the same', () => {
    expect(follow({}, { code: 'v-1 ' })).toMatchObject({ code: 'v-1 ', title: 'Visit V-1' })
    expect(follow({}, { keeper: { email: 'Ann@B.example' } })).toMatchObject({ contact: 'ann@b.example' })
  })

  it('follows each letter, also of a text that no field takes yet', () => {
    const first = follow({}, { code: 'v-' })
    expect(first.title).toBe('Visit V-')
    expect(follow(first, { ...first, code: 'v-?' }).title).toBe('Visit v-?')
    expect(follow(follow(first, { ...first, code: 'v-?' }), { code: 'v-2', title: 'Visit v-?' }).title).toBe('Visit V-2')
  })

  it('stays as a person wrote it', () => {
    expect(follow({ code: 'v-1', title: 'Mine' }, { code: 'v-2', title: 'Mine' }).title).toBe('Mine')
  })
})
