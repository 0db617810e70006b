import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { describe, expect, it } from 'vitest'
import { englishUiWords } from '#ui/theme/ui-words.tsx'
import { recordWords } from '#views/show/record-words.ts'

const root = join(import.meta.dirname, '..', '..')

const leaves = (value: unknown, path = ''): [string, unknown][] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => leaves(inner, path ? `${path}.${key}` : key))
    : [[path, value]]
const wordsOf = (language: string): Record<string, unknown> =>
  Object.fromEntries(leaves(JSON.parse(readFileSync(join(root, `public/locales/${language}.json`), 'utf8'))))
const words = { en: wordsOf('en'), ru: wordsOf('ru') }

type Part = ReturnType<typeof parse>[number]

const inner = (part: Part): readonly Part[][] =>
  part.type === TYPE.plural || part.type === TYPE.select ? Object.values(part.options).map(({ value }) => value) : []
const partsOf = (text: unknown): Part[] => {
  const all = (parts: readonly Part[]): Part[] => parts.flatMap((part) => [part, ...inner(part).flatMap(all)])
  return all(parse(String(text), { ignoreTag: true }))
}
const marksOf = (text: unknown) =>
  [
    ...new Set(partsOf(text).flatMap((part) => (part.type === TYPE.literal || part.type === TYPE.pound ? [] : part.value))),
  ].sort()
const pluralsOf = (text: unknown) => partsOf(text).filter((part) => part.type === TYPE.plural)

describe('both languages', () => {
  it('have the same words', () => {
    expect(Object.keys(words.ru).toSorted()).toEqual(Object.keys(words.en).toSorted())
  })

  it('leave no text empty', () => {
    const empty = Object.entries(words).flatMap(([language, tree]) =>
      Object.entries(tree)
        .filter(([, text]) => typeof text !== 'string' || text.trim() === '')
        .map(([key]) => `${language}: ${key}`),
    )
    expect(empty).toEqual([])
  })

  it('name the same values in a text', () => {
    const differing = Object.keys(words.en).filter((key) => marksOf(words.en[key]).join() !== marksOf(words.ru[key]).join())
    expect(differing).toEqual([])
  })

  it.each(['en', 'ru'] as const)('have every plural form that the language knows (%s)', (language) => {
    const forms = new Intl.PluralRules(language).resolvedOptions().pluralCategories
    const counted = Object.entries(words[language]).flatMap(([key, text]) =>
      pluralsOf(text).map(({ options }) => ({ key, options })),
    )
    const missing = counted.flatMap(({ key, options }) =>
      forms.filter((form) => !(form in options)).map((form) => `${key}: ${form}`),
    )
    expect(counted.length).toBeGreaterThan(0)
    expect(missing).toEqual([])
  })
})

describe('the texts of the specification', () => {
  it('stand as they are quoted, in their own language', () => {
    expect(words.ru['errors.reload']).toBe('Обновить страницу')
    expect(words.ru['errors.stale']).toBe('У вас устаревшая версия страницы')
    expect(words.en).toMatchObject({
      'errors.oops': 'Oops! Error',
      'session.updating': 'Updating token',
      'push.ask': 'Please, allow receive notifications',
      'push.allow': 'Allow',
    })
    expect(recordWords.noIdTitle).toEqual(['No ID provided', 'Не указан идентификатор'])
  })
})

const sources = ['src', 'providers']
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))))
  .filter((path) => /\.tsx?$/.test(path))

/** Keys that the source gives in full to t, translate or words. */
const usedKeys = sources.flatMap((path) => {
  const calls = readFileSync(join(root, path), 'utf8').matchAll(/(?<![\w$])(?:t|translate|words)\(\s*(['"])([\w.-]+)\1/g)
  return [...calls].map(([, , key = '']) => ({ path, key }))
})

/** Words that Refine and its antd components ask for. */
const refineWords = /^(buttons|notifications)\./

it('are all used by the screens or by Refine', () => {
  const source = sources.map((path) => readFileSync(join(root, path), 'utf8')).join('\n')
  const composed = [...source.matchAll(/[`']([a-z]+)\.(?:\$\{|')/gi)].map(([, group]) => `${group}.`)
  const unused = Object.keys(words.en).filter(
    (key) => !source.includes(key) && !composed.some((group) => key.startsWith(group)) && !refineWords.test(key),
  )
  expect(unused).toEqual([])
})

it('exist for every key that the screens use', () => {
  const known = new Set(Object.keys(words.en))
  expect(usedKeys.filter(({ key }) => !known.has(key))).toEqual([])
})

it('exist for every failure that the http client words itself', () => {
  const source = ['http.ts', 'http-problem.ts'].map((name) => readFileSync(join(root, 'providers', name), 'utf8')).join()
  const keys = [...source.matchAll(/'(errors\.[\w.]+)'/g)].map(([, key = '']) => key)
  expect(keys.length).toBeGreaterThan(8)
  expect(keys.filter((key) => !(key in words.en))).toEqual([])
})

it('exist for every word of the kit, with the values that it puts in', () => {
  const wrong = Object.entries(englishUiWords).filter(
    ([key, text]) => marksOf(words.en[`ui.${key}`]).join() !== marksOf(text).join(),
  )
  expect(wrong.map(([key]) => key)).toEqual([])
  expect(Object.keys(englishUiWords).filter((key) => !(`ui.${key}` in words.en))).toEqual([])
})
