import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { configurationFields } from '#resources/shared/configuration.ts'
import { definitionsOf } from '#schema/definition.ts'
import { journalPart } from '#schema/journal/journal-parts.ts'
import { auditActionLabel, auditActionWords, kindLabel, kinds } from '#schema/journal/journal-words.ts'
import { verbs } from '#schema/resource.ts'

const definitions = definitionsOf(resources)
const folder = join(import.meta.dirname, '../../../server')
const sources = readdirSync(folder, { recursive: true })
  .map(String)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))

/** Every text that the server's sources write as such a fact of an entry: `action: 'login'`, and of the choices in one place all. */
function written(fact: string): string[] {
  const places = new RegExp(`\\b${fact}: ([^,}\\n]+)`, 'g')
  const values = sources.flatMap((text) => [...text.matchAll(places)].map(([, value = '']) => value))
  const texts = values.flatMap((value) => [...value.replace(/=== '[^']*'/g, '').matchAll(/'([\w .-]+)'/g)])
  return [...new Set(texts.flatMap(([, text = '']) => text))]
}

it('finds words in both languages for every deed that the server writes into the audit log', () => {
  const codes = written('action').filter((code) => !definitions.has(code))
  expect(codes.length).toBeGreaterThan(25)
  const known = (code: string) => [undefined, ...resources].some((resource) => auditActionLabel(resource, code))
  expect([...codes, ...verbs.filter((verb) => verb !== 'edit')].filter((code) => !known(code))).toEqual([])
})

it('finds them for every kind of record that an entry is about', () => {
  const codes = written('entityType')
  expect(codes.length).toBeGreaterThan(10)
  expect(codes.filter((code) => !kindLabel(definitions.get(code), code))).toEqual([])
})

it('has no words that nothing is written for', () => {
  const codes = new Set<string>([...written('action'), ...verbs])
  expect(Object.keys(auditActionWords).filter((code) => !codes.has(code))).toEqual([])
  expect(Object.keys(kinds).filter((code) => !written('entityType').includes(code))).toEqual([])
})

it('finds them for what such an entry tells, beside the fields of records', () => {
  const texts = sources.flatMap((text) =>
    [...text.matchAll(/\b(?:before|after)(?: =|:) \{ ([^}]+)\}/g)].map(([, parts = '']) => parts),
  )
  const names = texts.flatMap((parts) => [...parts.matchAll(/(?:^|, )([A-Za-z]\w*)/g)].map(([, name = '']) => name))
  expect(names).toEqual(expect.arrayContaining(['total', 'kept', 'subject', 'sizeBytes', 'columns']))
  const isField = (name: string) => resources.some(({ fields }) => Object.hasOwn(fields, name))
  const inForm = new Set(Object.keys(configurationFields))
  expect(names.filter((name) => !isField(name) && !inForm.has(name) && !journalPart(name, definitions))).toEqual([])
  expect(journalPart('target', definitions)).toMatchObject({ options: { ess: ['ESS', 'СНЭ'] } })
  expect(journalPart('list', definitions)).toMatchObject({
    options: { package: ['Package control', 'Контроль пакетов'], 'user/client': ['Clients', 'Клиенты'] },
  })
  expect(journalPart('constructor', definitions)).toBeUndefined()
})
