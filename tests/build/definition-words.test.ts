import { expect, it } from 'vitest'
import { cutWords } from '#build/definition-words.ts'
import { resources } from '#resources/index.ts'

const { code, count, forms, words } = cutWords(resources)

/** Definitions of the console with the words of both languages and all forms loaded. */
function read(cut: string): unknown {
  let next = 0
  let nextForm = 0
  const text = cut.replace(/F\(\)/g, () => forms[nextForm++] ?? '')
  const label = (place: number) => JSON.stringify([words.en.words[place], words.ru.words[place]])
  return JSON.parse(text.replace(/N\(\)|L\[(\d+)\]/g, (_, place) => label(place === undefined ? next++ : Number(place))))
}

it('definitions and the words of both languages make the very definitions', () => {
  expect(read(code)).toEqual(JSON.parse(JSON.stringify(resources)))
})

it('no word of any language is left in the definitions themselves', () => {
  expect(code).not.toMatch(/\p{Script=Cyrillic}/u)
  expect(code).not.toContain('"Control PCB"')
  expect(words.ru.words.map((word) => word === '')).toEqual(words.en.words.map((word) => word === ''))
  expect(words.en.words).toHaveLength(count)
})

it('no form of an action is left in the definitions, and no label of a form depends on the order of loading', () => {
  expect(code).not.toContain('"reportIntervalS"')
  expect(forms.length).toBeGreaterThan(10)
  expect(forms.join()).not.toContain('N()')
  expect(
    cutWords({ actions: { end: { label: ['End', 'Конец'], form: { why: { label: ['Why', 'Почему'] } } } } }),
  ).toMatchObject({
    code: '{"actions":{"end":{"label":N(),"form":F()}}}',
    forms: ['{"why":{"label":L[1]}}'],
    count: 2,
  })
})

it('what only looks like a label stays what it is', () => {
  const data = { label: ['Kind', 'Вид'], roles: ['admin', 'moderator'], options: ['AC', 'DC'], columns: ['code', 'name'] }
  const cut = cutWords(data)
  expect(cut.code).toBe('{"label":N(),"roles":["admin","moderator"],"options":["AC","DC"],"columns":["code","name"]}')
  expect(cutWords({ options: { AC: ['AC', 'Переменный'] } }).code).toBe('{"options":{"AC":N()}}')
})

it('the same label stands in the table once', () => {
  expect(cutWords([{ label: ['Code', 'Код'] }, { label: ['Code', 'Код'] }])).toMatchObject({
    code: '[{"label":N()},{"label":L[0]}]',
    count: 1,
  })
})
