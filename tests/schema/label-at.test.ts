import { expect, it } from 'vitest'
import { labelAt } from '#schema/facts/label-at.ts'
import type { Fields } from '#schema/field-types.ts'
import { say } from '#schema/words.ts'

const day = { type: 'text', label: ['Day', 'День'] } as const
const fields: Fields = {
  name: { type: 'text', label: ['Name', 'Имя'] },
  desired: {
    type: 'group',
    label: ['Desired', 'Желаемое'],
    fields: { schedule: { type: 'list', label: ['Schedule', 'Расписание'], fields: { day } } },
  },
}

it.each([
  ['name', 'Name', 'Имя'],
  ['desired.schedule', 'Desired / Schedule', 'Желаемое / Расписание'],
  ['desired.schedule.0.day', 'Desired / Schedule 1 / Day', 'Желаемое / Расписание 1 / День'],
])('a fault at %s is at “%s”', (path, en, ru) => {
  const label = labelAt(fields, path)
  expect([label && say(label, 'en'), label && say(label, 'ru')]).toEqual([en, ru])
})

it('a fault at an unknown path has no label, and one of an unknown part that of its group', () => {
  expect(labelAt(fields, 'toString')).toBeUndefined()
  const label = labelAt(fields, 'desired.gone')
  expect(label && say(label, 'en')).toBe('Desired')
})
