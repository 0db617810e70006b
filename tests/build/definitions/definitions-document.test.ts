import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { definitionsDocument } from '#build/definitions/document.ts'
import { asCode, exampleFinder, exampleOf, examples, fieldExample, usesOf } from '#build/definitions/examples.ts'
import { placeholders } from '#build/definitions/placeholders.ts'
import { definitionShapes } from '#build/definitions/read-shapes.ts'
import { factsOfType, fieldTypeTexts } from '#build/definitions/read-types.ts'
import { resources } from '#resources/index.ts'
import { checkHints } from '#schema/check/hints/check-hints.ts'
import { valueLists } from '#schema/check/shape/shape.ts'
import { checkResources } from '#schema/check-resources.ts'
import { traits } from '#schema/field-types.ts'
import { iconNames } from '#schema/icon-names.ts'
import type { AnyResource } from '#schema/resource.ts'
import { widgetNames } from '#schema/widget-names.ts'
import { rulesByResource } from '#server/app/rules.ts'

const kept = readFileSync(join(import.meta.dirname, '../../../docs/definitions.md'), 'utf8')
const handlers = Object.fromEntries(
  Object.entries(rulesByResource).map(([name, { actions = {} }]) => [name, Object.keys(actions)]),
)
const documented = Object.keys(usesOf).map((type) => ({ type, facts: factsOfType(type) }))

describe('the reference of definitions', () => {
  it('is what the types say; `npm run definitions` writes it again', () => {
    expect(kept).toBe(definitionsDocument())
  })

  it('has the types as data for the check; `npm run definitions` writes them again', () => {
    const written = readFileSync(join(import.meta.dirname, '../../../src/schema/check/shape/shapes.json'), 'utf8')
    const shapes = definitionShapes()
    expect(JSON.parse(written)).toEqual(JSON.parse(JSON.stringify(shapes)))
    const named = [...JSON.stringify(shapes).matchAll(/"of":"([A-Z]\w*)"/g)].map(([, name]) => name)
    const known = { ...shapes, ...valueLists }
    expect(named.filter((name) => !name || !Object.hasOwn(known, name))).toEqual([])
    expect(Object.keys(shapes)).toContain('Resource')
  })

  it('has examples in which the check finds no fault', () => {
    expect(checkResources(examples, { widgets: widgetNames, icons: iconNames, handlers })).toEqual([])
    expect(checkHints(examples).filter(({ path }) => /^(machine|job)\./.test(path))).toEqual([])
  })

  it.each(documented)('says in words what every fact of $type means, and shows it in an example', ({ type, facts }) => {
    expect(facts.length).toBeGreaterThan(2)
    expect(facts.filter(({ text }) => text === '').map(({ name }) => name)).toEqual([])
    expect(facts.filter(({ name }) => exampleOf(type, name) === undefined).map(({ name }) => name)).toEqual([])
  })

  it('keeps its examples when a resource with shorter ones is added', () => {
    const brief = {
      name: 'a',
      label: { one: ['A', 'А'], many: ['A', 'А'] },
      menu: { group: 'fleet' },
      title: 'b',
      fields: { b: { type: 'text', label: ['B', 'Б'], help: ['C', 'В'] } },
      list: { columns: ['b'], views: { c: { label: ['C', 'В'], filters: {} } } },
      tabs: { d: { label: ['D', 'Г'], widget: 'ess-overview' } },
      actions: { e: { label: ['E', 'Д'], on: 'list', call: ['POST', 'a/e'] } },
      access: { list: [] },
    } as const satisfies AnyResource
    const examplesBeside = exampleFinder([...resources, brief])
    const changed = documented.flatMap(({ type, facts }) =>
      facts.flatMap(({ name }) => (examplesBeside(type, name) === exampleOf(type, name) ? [] : [`${type}.${name}`])),
    )
    expect(changed).toEqual([])
  })

  it('has every field type with its meaning, an example, and a word about each of its facts', () => {
    const types = fieldTypeTexts()
    expect(types.map(({ name }) => name)).toEqual(Object.keys(traits))
    for (const { name, text, facts } of types) {
      expect(text, name).not.toBe('')
      expect(fieldExample(name), name).toMatch(new RegExp(`: \\{ type: '${name}'`))
      const silent = facts.filter((fact) => fact.text === '' && !text.includes(`\`${fact.name}`))
      expect(silent.map((fact) => `${name}.${fact.name}`)).toEqual([])
    }
  })

  it('shows every fact of every field type in an example', () => {
    const used = new Set(
      (usesOf.CommonFacts ?? []).flatMap((field) => Object.keys(field).map((key) => `${Reflect.get(field, 'type')}.${key}`)),
    )
    const anyUse = new Set([...used].map((name) => name.split('.')[1]))
    const unused = fieldTypeTexts().flatMap(({ name, facts }) =>
      facts.filter((fact) => !used.has(`${name}.${fact.name}`) && !anyUse.has(fact.name)).map((fact) => `${name}.${fact.name}`),
    )
    expect(unused).toEqual([])
  })

  it('shows every placeholder in an example', () => {
    const all = asCode(examples)
    const forms: Readonly<Record<string, RegExp>> = { '{x}': /=\{\w+\}/, '{x}+1y': /\{\w+\}\+1y/, '{x.ago}': /\{\w+\.ago\}/ }
    const stands = (sign: string) => forms[sign]?.test(all) ?? all.includes(sign.endsWith('.x') ? sign.slice(0, -1) : sign)
    expect(placeholders.filter(({ sign }) => !stands(sign)).map(({ sign }) => sign)).toEqual([])
  })
})
