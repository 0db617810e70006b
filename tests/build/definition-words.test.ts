import { expect, it } from 'vitest'
import { cutWords } from '#build/definition-words.ts'
import { resources } from '#resources/index.ts'

const { code, count, words } = cutWords(resources)

/** Definitions of the console with the words of both languages loaded. */
function read(text: string): unknown {
  let next = 0
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
