import { describe, expect, it } from 'vitest'
import { checkResources } from '#schema/check-resources.ts'
import { relativeTime } from '#schema/facts/relative-times.ts'
import type { Field } from '#schema/field-types.ts'
import { figureFilters } from '#schema/figures.ts'
import { defineResource } from '#schema/resource.ts'
import { viewFilters } from '#views/list/view-filters.ts'

const now = new Date('2026-02-27T22:30:00.000Z')
const [day, moment]: Field[] = [
  { type: 'date', label: ['Day', 'День'] },
  { type: 'dateTime', label: ['Moment', 'Момент'] },
]

const visits = (day: string) =>
  defineResource({
    name: 'visit',
    label: { one: ['Visit', 'Выезд'], many: ['Visits', 'Выезды'] },
    fields: {
      code: { type: 'code', label: ['Code', 'Код'], required: true },
      endsOn: { type: 'date', label: ['Ends', 'Конец'] },
      seenAt: { type: 'dateTime', label: ['Seen', 'Видели'] },
    },
    list: { views: { soon: { label: ['Soon', 'Скоро'], filters: { endsOn_gte: '$today', endsOn_lte: day } } } },
    figures: {
      late: {
        place: 'tidy',
        label: ['Late', 'Поздно'],
        tone: 'warn',
        filters: { endsOn_lte: '$today-1d', seenAt_gte: '$now-7d' },
      },
    },
    access: { list: ['admin'], create: ['admin'], edit: ['admin'] },
  })

describe('a time that is named by its distance from now', () => {
  it.each([
    ['$now', day, '2026-02-27'],
    ['$today', day, '2026-02-27'],
    ['$today+2d', day, '2026-03-01'],
    ['$today-90d', day, '2025-11-29'],
    ['$now', moment, '2026-02-27T22:30:00.000Z'],
    ['$now-7d', moment, '2026-02-20T22:30:00.000Z'],
    ['$today', moment, '2026-02-27T00:00:00.000Z'],
    ['$today+1d', moment, '2026-02-28T00:00:00.000Z'],
    ['$today+', day, undefined],
    ['$tomorrow', day, undefined],
    ['2026-01-01', day, undefined],
    ['$today', { type: 'text', label: ['Text', 'Текст'] } satisfies Field, undefined],
  ])('%s of a field is what its address says', (value, field, expected) => {
    expect(relativeTime(value, field, now)).toBe(expected)
  })

  it('stands in the filters of views and figures, and the check reads it there', () => {
    const visit = visits('$today+90d')
    expect(checkResources([visit])).toEqual([])
    const context = { user: { id: 'u1', role: 'admin' }, now: now.toISOString() } as const
    expect(viewFilters(visit, visit.list?.views?.soon?.filters ?? {}, context)).toEqual([
      { field: 'endsOn', op: 'gte', values: ['2026-02-27'] },
      { field: 'endsOn', op: 'lte', values: ['2026-05-28'] },
    ])
    expect(figureFilters(visit, visit.figures?.late ?? {}, now)).toEqual({
      endsOn_lte: ['2026-02-26'],
      seenAt_gte: ['2026-02-20T22:30:00.000Z'],
    })
  })

  it.each(['$now', '$now+90d', '$nextYear'])('is a day in a view, and %s is a fault with the way to write it', (value) => {
    const [fault] = checkResources([visits(value)])
    expect(fault).toMatchObject({ code: 'wrong-kind', path: 'visit.list.views.soon.filters.endsOn_lte' })
    expect(fault?.message).toContain('"$today+30d"')
  })
})
