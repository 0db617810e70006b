import { describe, expect, it } from 'vitest'
import { unmetText } from '#schema/format/unmet-rule.ts'
import { defineResource } from '#schema/resource.ts'
import type { Rule } from '#schema/rule.ts'
import { say } from '#schema/words.ts'

const order = defineResource({
  name: 'order',
  label: { one: ['Order', 'Заказ'], many: ['Orders', 'Заказы'] },
  fields: {
    code: { type: 'text', label: ['Code', 'Код'] },
    state: {
      type: 'status',
      label: ['State', 'Состояние'],
      states: {
        OPEN: { tone: 'info', label: ['Open', 'Открыт'], next: ['DONE'] },
        DONE: { tone: 'good', label: ['Done', 'Готов'] },
      },
    },
    scan: { type: 'file', label: ['Signed scan', 'Скан с подписью'] },
    kind: {
      type: 'enum',
      label: ['Kind', 'Вид'],
      options: { FIX: ['Repair', 'Ремонт'], LOOK: ['Check', 'Осмотр'], NEW: ['New', 'Новый'] },
    },
    isPaid: { type: 'boolean', label: ['Paid', 'Оплачен'] },
    powerW: { type: 'quantity', label: ['Power', 'Мощность'], unit: 'W' },
    startsOn: { type: 'date', label: ['Starts', 'Начало'] },
    endsOn: { type: 'date', label: ['Ends', 'Конец'] },
    helperIds: { type: 'references', label: ['Helpers', 'Помощники'], to: 'user' },
    marks: { type: 'tags', label: ['Marks', 'Метки'], options: { HOT: ['Urgent', 'Срочно'], OLD: ['Old', 'Старый'] } },
    workerId: { type: 'reference', label: ['Worker', 'Работник'], to: 'user' },
    margin: { type: 'decimal', label: ['Margin', 'Наценка'], access: { read: ['admin'] } },
  },
})

const stored = {
  state: 'OPEN',
  scan: null,
  kind: 'NEW',
  isPaid: false,
  powerW: 20,
  startsOn: '2026-05-05',
  endsOn: '2026-05-04',
  workerId: 'u2',
  helperIds: ['u3'],
  marks: ['NEW'],
  margin: 1,
}
const textOf = (when: Rule, role: 'admin' | 'client' = 'admin', language: 'en' | 'ru' = 'en') =>
  say(
    unmetText(when, {
      resource: order,
      record: stored,
      context: { user: { id: 'u1', role }, now: '2026-05-06T00:00:00.000Z' },
    }),
    language,
  )

describe('a refusal by a condition', () => {
  it.each<[string, Rule, string]>([
    ['a missing file', { field: 'scan', op: 'null', value: false }, '. Needed: “Signed scan” is filled in'],
    ['what must be empty', { field: 'kind', op: 'null', value: true }, '. Needed: “Kind” is empty'],
    ['a choice by its label', { field: 'kind', op: 'in', value: ['FIX', 'LOOK'] }, '. Needed: “Kind” is Repair or Check'],
    ['a switch', { field: 'isPaid', op: 'ne', value: false }, '. Needed: “Paid” is Yes'],
    ['a bound with its unit', { field: 'powerW', op: 'gte', value: 5_000 }, '. Needed: “Power” is at least 5,000 W'],
    ['another field', { field: 'endsOn', op: 'gt', value: '$record.startsOn' }, '. Needed: “Ends” is after “Starts”'],
    ['the present', { field: 'endsOn', op: 'gte', value: '$today' }, '. Needed: “Ends” is not before today'],
    ['the caller', { field: 'workerId', op: 'eq', value: '$user.id' }, '. Needed: “Worker” is you'],
    ['the caller among several', { field: 'helperIds', op: 'eq', value: '$user.id' }, '. Needed: “Helpers” includes you'],
    ['a mark by its label', { field: 'marks', op: 'in', value: ['HOT', 'OLD'] }, '. Needed: “Marks” includes Urgent or Old'],
    ['no mark', { not: { field: 'marks', op: 'eq', value: 'NEW' } }, '. Needed: “Marks” does not include NEW'],
    ['no ids', { field: 'workerId', op: 'eq', value: 'u7' }, '. Needed: “Worker” has another value'],
    [
      'states before all',
      {
        all: [
          { field: 'state', op: 'eq', value: 'DONE' },
          { field: 'scan', op: 'null', value: false },
        ],
      },
      '. It is possible in: Done',
    ],
    ['what a negation excludes', { not: { field: 'kind', op: 'eq', value: 'NEW' } }, '. Needed: “Kind” is not New'],
  ])('names %s', (_, when, text) => {
    expect(textOf(when)).toBe(text)
  })

  it('leaves out what holds, joins what does not, and speaks both languages', () => {
    const when: Rule = {
      all: [
        { field: 'state', op: 'eq', value: 'OPEN' },
        {
          not: {
            any: [
              { field: 'scan', op: 'null', value: true },
              { field: 'kind', op: 'eq', value: 'NEW' },
            ],
          },
        },
        {
          any: [
            { field: 'isPaid', op: 'eq', value: true },
            { field: 'powerW', op: 'lt', value: 10 },
          ],
        },
      ],
    }
    expect(textOf(when)).toBe(
      '. Needed: “Signed scan” is filled in and “Kind” is not New and “Paid” is Yes or “Power” is less than 10 W',
    )
    expect(textOf(when, 'admin', 'ru')).toBe(
      '. Нужно: поле «Скан с подписью» заполнено и «Вид» — не Новый и «Оплачен» — Да или «Мощность» меньше 10 Вт',
    )
  })

  it('names no field that the caller may not read', () => {
    expect(textOf({ field: 'margin', op: 'gt', value: 5 })).toContain('Margin')
    expect(textOf({ field: 'margin', op: 'gt', value: 5 }, 'client')).toBe('')
  })
})
