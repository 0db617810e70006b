import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { cutWords } from '#build/definition-words.ts'
import { resources } from '#resources/index.ts'
import type { Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'

const { code, count, later, words } = cutWords(resources)

/** Definitions of the console with the words of both languages and all later parts loaded. */
function read(cut: string): unknown {
  let next = 0
  const L = words.en.words.map((word, place) => [word, words.ru.words[place]])
  const nextLabel = () => L[next++]
  const partOf = (values: readonly string[]) => {
    let index = 0
    return (given: unknown) => {
      const later = run(values[index++] ?? '')
      return Array.isArray(later) ? later : Object.assign(given ?? {}, later)
    }
  }
  const parts = { F: partOf(later.forms), G: partOf(later.figures), H: partOf(later.lists) }
  const run = (script: string): unknown => runInNewContext(`(${script})`, { ...parts, L, N: nextLabel, S })
  const S: unknown[] = []
  return JSON.parse(JSON.stringify(run(cut)))
}

/** Facts that only the server keeps do not come to the console. */
const bare = (fields: Fields): object =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { unique: _, fresh: __, ...field }]) => [
      name,
      'fields' in field ? { ...field, fields: bare(field.fields) } : field,
    ]),
  )
const bareActions = (actions: AnyResource['actions']) =>
  actions &&
  Object.fromEntries(Object.entries(actions).map(([name, { reason: _, roles: __, fresh: ___, ...action }]) => [name, action]))
const bareResource = ({ scope: _, unseen: __, unique: ___, logsReads: ____, fields, actions, ...resource }: AnyResource) => ({
  ...resource,
  fields: bare(fields),
  actions: bareActions(actions),
})
const sent = resources.map(bareResource)

it('definitions and the words of both languages make the very definitions', () => {
  expect(read(code)).toEqual(JSON.parse(JSON.stringify(sent)))
})

it('choices that stand in several fields are written once', () => {
  const options = { A: ['Apple', 'Яблоко'], B: ['Pear', 'Груша'] }
  const other = { options: { A: ['Apple', 'Яблоко'] } }
  expect(cutWords({ fields: { one: { options }, two: other, three: { options: { ...options } } } })).toMatchObject({
    code: '{"fields":{"one":{"options":(S[0]={"A":N(),"B":N()})},"two":{"options":{"A":N()}},"three":{"options":S[0]}}}',
    count: 3,
  })
})

it('no word of any language is left in the definitions themselves', () => {
  expect(code).not.toMatch(/\p{Script=Cyrillic}/u)
  expect(code).not.toContain('"Control PCB"')
  expect(words.ru.words.map((word) => word === '')).toEqual(words.en.words.map((word) => word === ''))
  expect(words.en.words).toHaveLength(count)
})

it('nothing of a later part is left in the definitions, and no label of one depends on the order of loading', () => {
  expect(code).not.toContain('"rawCaptureUntil"')
  expect(code).not.toMatch(/"(reveals|guard|ends|figures)":\{/)
  expect(later.forms.length).toBeGreaterThan(10)
  expect(later.figures.length).toBeGreaterThan(3)
  expect([...later.forms, ...later.figures, ...later.lists].join()).not.toContain('N()')
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

it('a label that stands again is written again, and a later part names the first', () => {
  const label = ['Code', 'Код']
  expect(cutWords([{ label }, { label }])).toMatchObject({ code: '[{"label":N()},{"label":N()}]', count: 2 })
  expect(cutWords({ actions: { end: { label, form: { why: { label } } } } })).toMatchObject({
    code: '{"actions":{"end":{"label":N(),"form":F()}}}',
    later: { forms: ['{"why":{"label":L[0]}}'] },
    count: 1,
  })
})

it('what only lists read comes with them, and what only the server keeps does not come', () => {
  const data = {
    label: ['Boat', 'Лодка'],
    scope: { client: { field: 'ownerId', op: 'eq', value: '$user.id' } },
    unseen: { client: ['pin'] },
    unique: [['pier', 'place']],
    logsReads: true,
    fields: { code: { type: 'code', label: ['Code', 'Код'], unique: true, fresh: true } },
    actions: { sink: { label: ['Sink', 'Затопить'], reason: 'note', roles: ['admin'], fresh: true } },
    list: {
      columns: ['code'],
      views: { all: { label: ['All', 'Все'], filters: {} } },
      tone: { bad: { field: 'code', op: 'null' } },
    },
  }
  expect(cutWords([data])).toMatchObject({
    code: '[{"label":N(),"fields":{"code":{"type":"code","label":N()}},"actions":{"sink":{"label":N()}},"list":{"columns":["code"],"views":H(),"tone":H()}}]',
    later: { lists: ['{"all":{"label":L[3],"filters":{}}}', '{"bad":{"field":"code","op":"null"}}'] },
  })
})
