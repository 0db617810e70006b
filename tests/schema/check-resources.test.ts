import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { checkHints } from '#schema/check/hints/check-hints.ts'
import { checkResources, faultLine } from '#schema/check-resources.ts'
import type { AnyResource } from '#schema/resource.ts'
import { brokenChanges, soundChanges } from '#tests/fixtures/broken-changes.ts'
import { brokenDefinitions } from '#tests/fixtures/broken-definitions.ts'
import { brokenFigures } from '#tests/fixtures/broken-figures.ts'
import { brokenFiles } from '#tests/fixtures/broken-files.ts'
import { brokenFlows, soundFlows } from '#tests/fixtures/broken-flow.ts'
import { brokenMoney } from '#tests/fixtures/broken-money.ts'
import { brokenOutlooks, soundOutlooks } from '#tests/fixtures/broken-outlook.ts'
import { brokenPlaces, soundZones } from '#tests/fixtures/broken-places.ts'
import { brokenSelections, soundSelections } from '#tests/fixtures/broken-selection.ts'
import { brokenSteps, soundSteps } from '#tests/fixtures/broken-steps.ts'
import { brokenTabs } from '#tests/fixtures/broken-tabs.ts'
import { brokenReasons, soundReasons } from '#tests/fixtures/broken-why.ts'
import { misleadingDefinitions } from '#tests/fixtures/misleading-definitions.ts'
import { misleadingFacts } from '#tests/fixtures/misleading-facts.ts'
import { misleadingFields } from '#tests/fixtures/misleading-fields.ts'
import { misleadingIneffective } from '#tests/fixtures/misleading-ineffective.ts'
import { misleadingNever } from '#tests/fixtures/misleading-never.ts'
import { misleadingOutcomes, soundOutcomes } from '#tests/fixtures/misleading-outcomes.ts'
import { misleadingPartFacts } from '#tests/fixtures/misleading-part-facts.ts'
import { knownNames, soundDefinition } from '#tests/fixtures/misleading-parts.ts'
import { misleadingPatterns, soundPatterns } from '#tests/fixtures/misleading-patterns.ts'
import { misleadingPicks, soundPicks } from '#tests/fixtures/misleading-picks.ts'
import { misleadingPointers, soundPointers } from '#tests/fixtures/misleading-pointers.ts'
import { misleadingRules } from '#tests/fixtures/misleading-rules.ts'
import { misleadingShapes, soundShapes } from '#tests/fixtures/misleading-shapes.ts'
import { misleadingTexts, soundTexts } from '#tests/fixtures/misleading-texts.ts'
import { distinct, reminders } from '#tests/fixtures/reminders.ts'
import { soundNever } from '#tests/fixtures/sound-never.ts'

const misleading = [
  ...misleadingDefinitions,
  ...misleadingFields,
  ...misleadingFacts,
  ...misleadingIneffective,
  ...misleadingOutcomes,
  ...misleadingPatterns,
  ...misleadingNever,
  ...misleadingRules,
  ...misleadingPicks,
  ...misleadingPointers,
  ...misleadingTexts,
  ...misleadingPartFacts,
  ...misleadingShapes,
  ...brokenTabs,
  ...brokenSteps,
  ...brokenOutlooks,
  ...brokenSelections,
  ...brokenFlows,
  ...brokenReasons,
]
const broken = [...brokenDefinitions, ...brokenChanges, ...brokenFigures, ...brokenFiles, ...brokenMoney, ...brokenPlaces]

type Expected = { code: string; path: string }

/** One fault, at its place, and with its file in the line that is printed. */
function expectOnly(faults: ReturnType<typeof checkResources>, { code, path }: Expected) {
  expect(faults.map((fault) => ({ code: fault.code, path: fault.path }))).toEqual([{ code, path }])
  const file = path.startsWith('resources[') ? 'resources/index.ts' : `resources/${path.split('.')[0]}.ts`
  const [name = ''] = path.split('.')
  const files = { [name]: `resources/${name}.ts` }
  for (const fault of faults)
    expect(faultLine(fault, files)).toMatch(new RegExp(`^${file.replace('[', '\\[')}: .+ \\([a-z-]+\\)$`))
}

describe('a broken definition', () => {
  it.each(broken)('gives exactly $code at $path for $what, with its file', ({ code, path, resources: given }) => {
    expectOnly(checkResources(given, { serverTables: ['session'] }), { code, path })
  })

  it('is met more than two hundred times in the fixtures, under every code that the checks have', () => {
    expect(broken.length + misleading.length).toBeGreaterThanOrEqual(230)
    const entries = readdirSync('src/schema/check', { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const files = entries.map((entry) => `${entry.parentPath}/${entry.name}`)
    const sources = ['src/schema/check-resources.ts', ...files].map((file) => readFileSync(file, 'utf8')).join('\n')
    const codes = new Set(
      [...sources.matchAll(/\b(?:report|counted|unknown(?:Keys|Words)\(\s*report,)\(?\s*'([a-z-]+)'/g)].map(([, code]) => code),
    )
    const met = new Set([...broken, ...misleading, ...reminders].map(({ code }) => code))
    expect(codes.size).toBeGreaterThanOrEqual(60)
    expect([...codes].filter((code) => code && !met.has(code))).toEqual([])
  })

  it('is told of a resource that is gone and there, or became another one', () => {
    const [job, ...others] = soundDefinition.map((one) => ({ ...Object(one), was: 'task' }))
    const faults = checkResources([job, ...others.slice(1)], { ...knownNames, goneResources: [job.name, 'task', 'other'] })
    expect(faults.filter(({ path }) => path.startsWith('gone')).map((fault) => faultLine(fault))).toEqual([
      `resources/index.ts: goneResources[0]: "${job.name}" is a resource of today (still-there)`,
      'resources/index.ts: goneResources[1]: "task" became another resource (claimed-twice)',
    ])
  })

  it('is none for saying what it was before', () => {
    expect(checkResources(soundChanges)).toEqual([])
  })

  it('names the resource that has the inbox already', () => {
    const second = brokenPlaces.find(({ code }) => code === 'second-inbox')
    expect(checkResources(second?.resources ?? [])[0]?.message).toBe(
      'the console has one inbox, and "alarm" has it; drop `inbox` in one of them',
    )
  })

  it('is none for a moment of a site whose zone the record tells', () => {
    for (const given of soundZones) expect(checkResources(given)).toEqual([])
  })

  it('asks whether a near word was meant', () => {
    const fault = brokenDefinitions.find(({ code }) => code === 'unknown-column')
    expect(checkResources(fault?.resources ?? [])[0]?.message).toContain('did you mean "name"?')
  })
})

describe('a definition that says what can not be', () => {
  it.each(misleading)('gives exactly $code at $path for $what, with its file', ({ code, path, resources: given }) => {
    expectOnly(checkResources(given, knownNames), { code, path })
  })

  it('is none where an action goes along the ways of a status, or a handler decides', () => {
    for (const given of [
      ...soundSteps,
      ...soundPicks,
      ...soundPointers,
      ...soundOutcomes,
      ...soundTexts,
      ...soundShapes,
      ...soundPatterns,
      ...soundNever,
    ])
      expect(checkResources(given, knownNames), JSON.stringify(given[0])).toEqual([])
  })

  it('is none where a form says what it takes in, divides it and asks by its number, and a sentence says why', () => {
    for (const given of [...soundOutlooks, ...soundSelections, ...soundReasons, ...soundFlows])
      expect(checkResources(given, knownNames), JSON.stringify(given[0])).toEqual([])
  })

  it('is told apart from a sound one of twenty fields and more', () => {
    const [site] = soundDefinition
    expect(Object.keys(Object(Object(site).fields)).length).toBeGreaterThanOrEqual(20)
    expect(checkResources(soundDefinition, knownNames)).toEqual([])
  })

  it('is met at least fifty times in the fixtures, and near words are named', () => {
    expect(misleading.length).toBeGreaterThanOrEqual(50)
    const messageOf = (what: string) =>
      checkResources(misleading.find((fault) => fault.what === what)?.resources ?? [], knownNames)[0]?.message
    expect(messageOf('an action from a state too many')).toContain('"NEW" does not lead to "SHUT"')
    expect(messageOf('an action from a state too many')).toContain('states that do: OPEN')
    expect(messageOf('an action by no way at all')).toContain('states that lead to "SHUT": OPEN')
    expect(messageOf('a view by a sign that nothing fills')).toContain('a view fills only "$user.id" and "$user.role" here')
    expect(messageOf('a figure by the role of the session')).toContain('nothing is filled here')
    expect(messageOf('a view of no state')).toContain('did you mean "OPEN"?')
    expect(messageOf('choices by no field')).toContain('did you mean "role"?')
    expect(messageOf('an order upwards')).toContain('"up" is no value here; choose from asc, desc')
    expect(messageOf('a zone of no place')).toContain('choose from utc, user, site')
    expect(messageOf('a switch that says yes')).toContain('"yes" is no value here; take true, or leave it out')
    expect(messageOf('misspelt labels of groups')).toContain('did you mean "labels"?')
    expect(messageOf('a call of no resource')).toContain('did you mean "site"?')
    expect(messageOf('rows matched by no field')).toContain('did you mean "$record.id"?')
    expect(messageOf('a misspelt verb of a tab')).toContain('did you mean "create"?')
    expect(messageOf('a new row that is matched by another field')).toContain('did you mean "siteId"?')
    expect(messageOf('a new row that two fields could bring here')).toContain("say which by match: { siteId: '$record.id' }")
  })
})

describe('what may be meant, but is a slip more often', () => {
  const soundOnes = (given: readonly unknown[]) => given as readonly AnyResource[]
  it.each(reminders)('is a hint, $code at $path for $what, and no fault', ({ code, path, resources: given }) => {
    expect(checkResources(given, knownNames)).toEqual([])
    expect(checkHints(soundOnes(given), knownNames).map((hint) => [hint.code, hint.path])).toEqual([[code, path]])
  })

  it('is none in a sound definition of twenty fields and more', () => {
    expect(checkHints(soundOnes(distinct(soundDefinition)))).toEqual([])
  })

  const label = { one: ['Site', 'Объект'], many: ['Sites', 'Объекты'] } as const

  it('is a hint in a label that says the same in both languages, unless it is a code or marked', () => {
    const hints = (text: string) =>
      checkHints([{ name: 'site', label, fields: { name: { type: 'text', label: [text, text] } } }]).map(({ path }) => path)
    expect(hints('Transport')).toEqual(['site.fields.name.label'])
    expect(['USB', 'Wi-Fi||name', 'RS485', '{reason}', '[{reason}: ]{name}.'].flatMap(hints)).toEqual([])
  })

  it('is hinted at in an ending of files that is nearly a known one, and in no other', () => {
    const hints = (accept: string) =>
      checkHints([{ name: 'site', label, fields: { paper: { type: 'file', label: ['Paper', 'Бумага'], accept } } }])
    expect(hints('.pdfx,.png').map(({ path, message }) => [path, message])).toEqual([
      ['site.fields.paper.accept', 'no other file ends in ".pdfx"; did you mean ".pdf"?'],
    ])
    expect(['.pdf', '.bin', 'image/*,.csv'].flatMap(hints)).toEqual([])
  })

  it('is hinted at in a question about one record that is asked about many', () => {
    const fields = { name: { type: 'text', label: ['Name', 'Имя'] } } as const
    const hints = (confirm: object, more: object) => {
      const close = {
        label: ['Close', 'Закрыть'] as const,
        confirm: { body: ['It is closed.', 'Закрывается.'] as const, ...confirm },
      }
      return checkHints([{ name: 'site', label, fields, actions: { close }, ...more }]).map(({ path }) => path)
    }
    const inBulk = { list: { columns: ['name'], bulk: ['close'] } }
    expect(hints({}, inBulk)).toEqual(['site.actions.close.confirm'])
    expect(hints({ many: ['They are closed.', 'Закрываются.'] }, inBulk)).toEqual([])
    expect(hints({}, {})).toEqual([])
  })
})

describe('the line of a group', () => {
  it('names parts that there are, and what no value means is said in both languages', () => {
    const fields = { from: { type: 'text', label: ['From', 'С'] } }
    const week = (line: string) => ({ type: 'group', label: ['Week', 'Неделя'], line, fields })
    const faultsOf = (field: object) =>
      checkResources([{ name: 'a', label: { one: ['A', 'А'], many: ['A', 'А'] }, fields: { week: field } }]).map(
        ({ code }) => code,
      )
    expect(faultsOf(week('{from}'))).toEqual([])
    expect(faultsOf(week('{from}–{too}'))).toEqual(['unknown-field'])
    expect(faultsOf({ ...week('{from}'), none: ['never'] })).toEqual(['missing-translation'])
  })
})

describe('the unit of a value', () => {
  it('is named by a field that there is', () => {
    const faultsOf = (unitOf: string) => {
      const value = { type: 'decimal', label: ['Value', 'Значение'], unitOf }
      const fields = { value, unit: { type: 'text', label: ['Unit', 'Единица'] } }
      return checkResources([{ name: 'a', label: { one: ['A', 'А'], many: ['A', 'А'] }, fields }])
    }
    expect(faultsOf('unit')).toEqual([])
    expect(faultsOf('units').map(({ code, path }) => [code, path])).toEqual([['unknown-field', 'a.fields.value.unitOf']])
  })
})
