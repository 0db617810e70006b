import { describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { checkResources, faultLine, faultReport, fileOf } from '#schema/check-resources.ts'
import { iconNames } from '#schema/icon-names.ts'
import { widgetNames } from '#schema/widget-names.ts'
import { definitionFiles, unlistedHints } from '#server/dev/definition-files.ts'
import { iconPaths } from '#ui/icon/icon-paths.ts'

describe('a run over several faults', () => {
  const label = { one: ['A', 'А'], many: ['A', 'А'] }
  const faults = checkResources([
    { name: 'a', label, fields: { one: { type: 'txt', label: ['One', 'Один'] }, two: { type: 'text', label: ['Two'] } } },
    { name: 'b', label, fields: { one: { type: 'text', label: ['One', 'Один'] } }, list: { columns: ['on'] } },
  ])

  const named = { a: 'resources/a.ts', b: 'resources/b.ts' }

  it('names all of them, with the file of each', () => {
    expect(faults.map((fault) => [fileOf(fault, named), fault.code])).toEqual([
      ['resources/a.ts', 'unknown-field-type'],
      ['resources/a.ts', 'missing-translation'],
      ['resources/b.ts', 'unknown-column'],
    ])
  })

  it('names the file in which a definition stands, whatever it is called', () => {
    expect(faultReport(faults, { a: 'resources/first.ts' })).toContain('resources/first.ts: a.fields.one.type')
    // No file is guessed: a name does not tell it.
    expect(faultReport(faults, { a: 'resources/first.ts' })).toContain('\nb.list.columns[0]: there is no field')
    expect(faultLine({ code: 'x', path: 'constructor.name', message: 'y' })).toBe('constructor.name: y (x)')
    const files = definitionFiles(process.cwd())
    expect(files).toMatchObject({ ess: 'resources/ess.ts', package: 'resources/package.ts' })
    expect(resources.filter(({ name }) => !files[name])).toEqual([])
  })

  it('is beside a hint where a definition stands in no list', () => {
    const files = definitionFiles(process.cwd())
    const names = resources.map(({ name }) => name)
    expect(unlistedHints(files, names)).toEqual([])
    const [hint, ...others] = unlistedHints({ ...files, trip: 'resources/fleet/trip.ts' }, names)
    expect(others).toEqual([])
    expect(hint && faultLine(hint, { trip: 'resources/fleet/trip.ts' })).toBe(
      'resources/fleet/trip.ts: trip: nothing knows it: import it in resources/index.ts and add it to `resources` there, or delete the file (unlisted)',
    )
  })

  it('is reported as one text, a line a fault', () => {
    expect(faultReport(faults).split('\n')).toHaveLength(4)
    expect(faultReport(faults, named)).toContain(
      'resources/b.ts: b.list.columns[0]: there is no field "on"; did you mean "one"? (unknown-column)',
    )
  })
})

describe('the definitions of this console', () => {
  it('have no fault, and their icons and widgets exist', () => {
    expect(checkResources(resources, { icons: iconNames, widgets: widgetNames })).toEqual([])
    expect(Object.keys(iconPaths).toSorted()).toEqual(iconNames.toSorted())
  })

  it('are plain data: they survive JSON unchanged', () => {
    expect(JSON.parse(JSON.stringify(resources))).toEqual(resources)
  })
})
