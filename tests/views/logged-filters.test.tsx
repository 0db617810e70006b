import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { defineResource } from '#schema/resource.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'
import { boat, sailor } from '#tests/support/toy-definition.ts'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

const text = { type: 'text', label: ['Text', 'Текст'] } as const
const values = { type: 'json', label: ['Values', 'Значения'] } as const
const log = defineResource({
  name: 'log',
  label: { one: ['Entry', 'Запись'], many: ['Entries', 'Записи'] },
  fields: { kind: text, of: text, code: text, action: text, reason: text, before: values, after: values },
  journal: {
    kind: 'kind',
    id: 'of',
    title: 'code',
    action: 'action',
    reason: 'reason',
    before: 'before',
    after: 'after',
    columns: ['action'],
    details: {
      filters: { type: 'json', label: ['Filters', 'Фильтры'] },
      relation: {
        type: 'enum',
        label: ['Relation', 'Связь'],
        options: { guest: ['Guest', 'Гость'], crew: ['Crew', 'Команда'] },
      },
    },
    filters: ['filters'],
  },
  access: { list: ['admin'] },
})

it('says the filters of a logged list by label and name, in the language of the reader', async () => {
  const filters = {
    kind: ['SAIL', 'MOTOR'],
    powerW_gte: '1500',
    ownerId: 's1',
    builtOn_null: 'true',
    q: 'B-1',
    relation: ['guest', 'crew'],
    mast: '2',
  }
  renderScreens({
    at: '/boats/b1/history',
    language: 'ru',
    resources: [boat, sailor, log],
    tables: {
      boat: [{ id: 'b1', code: 'B-1', name: 'Ann', version: 1 }],
      sailor: [{ id: 's1', name: 'Ann Lee', version: 1 }],
      log: [{ id: 'l1', kind: 'boat', of: 'b1', action: 'list', after: { filters }, version: 1 }],
    },
  })
  const line = await screen.findByText('Фильтры:')
  await screen.findByText(/Ann Lee/)
  expect(line.closest('li')?.textContent).toBe(
    'Фильтры: Вид: Парус, Мотор; Мощность: ≥ 1,50 кВт; Владелец: Ann Lee; Построена: Не заполнено; Поиск: B-1; Связь: Гость, Команда; mast: 2',
  )
})

it('says the filters of the log itself by the labels of kinds and actions', async () => {
  const filters = { kind: ['boat', 'session'], action_ne: 'list', code: 'plain words' }
  // Under the address of a list that the screens have.
  const own = { ...log, name: 'sailor' }
  renderScreens({
    at: '/sailor',
    language: 'ru',
    resources: [boat, own],
    tables: { sailor: [{ id: 'l1', kind: 'sailor', action: 'list', after: { filters }, version: 1 }] },
  })
  const line = await screen.findByText('Фильтры:')
  await waitFor(() =>
    expect(line.closest('li')?.textContent).toBe('Фильтры: Текст: Лодка, Сеанс; Текст: не Чтение списка; Текст: plain words'),
  )
})
