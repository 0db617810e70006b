import { expect, it } from 'vitest'
import { cutWords } from '#build/definition-words.ts'
import { resources } from '#resources/index.ts'

const { code, count, later, words } = cutWords(resources)

/** Definitions of the console with the words of both languages and all later parts loaded. */
function read(cut: string): unknown {
  let next = 0
  const values = { F: [...later.forms], G: [...later.figures] }
  const text = cut.replace(/([FG])\(\)/g, (_, part: 'F' | 'G') => values[part].shift() ?? '')
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

it('nothing of a later part is left in the definitions, and no label of one depends on the order of loading', () => {
  expect(code).not.toContain('"reportIntervalS"')
  expect(code).not.toMatch(/"(reveals|guard|ends|figures)":\{/)
  expect(later.forms.length).toBeGreaterThan(10)
  expect(later.figures.length).toBeGreaterThan(3)
  expect([...later.forms, ...later.figures].join()).not.toContain('N()')
  expect(
    cutWords({ actions: { end: { label: ['End', 'Конец'], form: { why: { label: ['Why', 'Почему'] } } } } }),
  ).toMatchObject({
    code: '{"actions":{"end":{"label":N(),"form":F()}}}',
    later: { forms: ['{"why":{"label":L[1]}}'], figures: [] },
    count: 2,
  })
})

it('what only a form reads comes with the forms: its outlook, and how a list divides it', () => {
  const data = { outlook: { of: 'boat' }, fields: { turns: { divides: { count: 'men' } } }, confirm: { outlook: true } }
  expect(cutWords([{ label: ['Watch', 'Вахта'], ...data }])).toMatchObject({
    code: '[{"label":N(),"outlook":F(),"fields":{"turns":{"divides":F()}},"confirm":{"outlook":true}}]',
    later: { forms: ['{"of":"boat"}', '{"count":"men"}'] },
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
