import { describe, expect, it } from 'vitest'
import { checkResources } from '#schema/check-resources.ts'
import { presetValues } from '#schema/form/presets.ts'
import { holds } from '#schema/rule.ts'

const context = { user: { id: 'u1', role: 'admin' }, now: '2026-01-31T10:00:00.000Z' } as const
const label = ['Time', 'Время'] as const
const day = (preset: string) => ({ type: 'date', label, default: preset }) as const

describe('a default that is made of another time', () => {
  it.each([
    { preset: '$today+90d', end: '2026-05-01' },
    { preset: '$today-2w', end: '2026-01-17' },
    { preset: '{startsOn}+1y', end: '2025-02-28' },
    { preset: '{startsOn}+1m', end: '2024-03-29' },
    { preset: '{startsOn}-1d', end: '2024-02-28' },
  ])('of $preset is $end', ({ preset, end }) => {
    expect(presetValues({ endsOn: day(preset) }, { startsOn: '2024-02-29' }, context)).toEqual({ endsOn: end })
  })

  it('keeps the time of the day of a moment, and is empty while the other is', () => {
    const fields = { endsAt: { type: 'dateTime', label, default: '{startsAt}+1m' } } as const
    expect(presetValues(fields, { startsAt: '2026-01-31T08:15:00.000Z' }, context)).toEqual({
      endsAt: '2026-02-28T08:15:00.000Z',
    })
    expect(presetValues(fields, {}, context)).toEqual({})
    expect(presetValues({ endsOn: day('$today+9999y') }, {}, context)).toEqual({})
  })

  it('is a fault where the field is no time, or another kind of time', () => {
    const found = (field: object) =>
      checkResources([
        {
          name: 'site',
          label: { one: ['Site', 'Объект'], many: ['Sites', 'Объекты'] },
          fields: {
            name: { type: 'text', label: ['Name', 'Имя'] },
            startsOn: { type: 'date', label },
            own: { label: ['Own', 'Своё'], ...field },
          },
        },
      ]).map(({ code, path }) => `${code} ${path}`)
    expect(found({ type: 'date', default: '{startsOn}+1y' })).toEqual([])
    expect(found({ type: 'date', default: '$today+365d' })).toEqual([])
    expect(found({ type: 'dateTime', default: '{startsOn}+1y' })).toEqual(['wrong-kind site.fields.own.default'])
    expect(found({ type: 'integer', default: '{startsOn}+1y' })).toEqual(['wrong-kind site.fields.own.default'])
    expect(found({ type: 'date', default: '{startOn}+1y' })).toEqual(['unknown-field site.fields.own.default'])
    expect(found({ type: 'date', default: '$today+1q' })).toEqual(['unknown-value site.fields.own.default'])
  })
})

describe('a rule about today', () => {
  const is = (value: string, endsOn: string) => holds({ field: 'endsOn', op: 'lte', value }, { endsOn }, context)
  it('holds by the day in UTC', () => {
    expect([is('$today', '2026-01-31'), is('$today', '2026-02-01')]).toEqual([true, false])
  })
})
