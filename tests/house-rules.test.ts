import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

const root = join(import.meta.dirname, '..')

/** Laid out by hand; facts of the fleet are formatted like code. */
const definitions = /^resources\/(?!fleet\/)/

const folders = ['src', 'resources', 'providers', 'server', 'tests', '.ci']

const files = folders
  .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs|css)$/.test(entry.name))
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
  .filter((file) => !/^tests\/output|\/node_modules\//.test(file))

/** `file:line` of every line that matches. */
function linesOf(kind: RegExp, isFault: (line: string) => boolean): string[] {
  return files
    .filter((file) => kind.test(file))
    .flatMap((file) =>
      readFileSync(join(root, file), 'utf8')
        .split('\n')
        .flatMap((line, index) => (isFault(line) ? [`${file}:${index + 1}`] : [])),
    )
}

describe('the house rules that no linter knows', () => {
  it('keeps definitions, which are laid out by hand, within 128 columns', () => {
    expect(linesOf(definitions, (line) => [...line].length > 128)).toEqual([])
  })

  it('keeps a definition within 160 lines', () => {
    const lengthOf = (file: string) => readFileSync(join(root, file), 'utf8').trimEnd().split('\n').length
    expect(files.filter((file) => definitions.test(file) && lengthOf(file) > 160)).toEqual([])
  })

  it('lines the rows of a table of fields, states or figures up', () => {
    const rowStarts = new Map<number, number>()
    const stray = linesOf(definitions, (line) => {
      const indent = line.search(/\S/)
      for (const deeper of rowStarts.keys()) if (indent >= 0 && deeper > indent) rowStarts.delete(deeper)
      const row = /^( +\w+: +)\{ (?:type|tone|place): /.exec(line)?.[1]?.length
      const first = rowStarts.get(indent)
      if (row && !first) rowStarts.set(indent, row)
      return row !== undefined && first !== undefined && row !== first
    })
    expect(stray).toEqual([])
  })

  it('keeps at most 25 files of the product in a folder: more is a room that is missing', () => {
    const counts = new Map<string, number>()
    // A file a resource: that list grows with the product.
    for (const file of files.filter((one) => !/^(?:tests|\.ci)\/|^resources\/[^/]+$/.test(one)))
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    expect([...counts].filter(([, count]) => count > 25)).toEqual([])
  })

  it('never forces a type by way of unknown', () => {
    expect(linesOf(/\.tsx?$/, (line) => /as unknown as/.test(line) && !line.includes('/as unknown as/'))).toEqual([])
  })

  it('leaves code that is loaded later to the function that waits for the line', () => {
    expect(linesOf(/^src\/(?!ui\/layout\/).*\.tsx?$/, (line) => /\blazy\(/.test(line))).toEqual([])
  })

  it('leaves no note to finish something later', () => {
    expect(linesOf(/\.(?:tsx?|mjs|css)$/, (line) => /\b(?:TODO|FIXME|XXX)\b/.test(line) && !line.includes('FIXME|'))).toEqual(
      [],
    )
  })

  it('leaves the tables of samples and of their roll-ups to the room that has the store', () => {
    const table = /"telemetry"|\btelemetry(?:5m|1h|1d|OpenHour|OpenDay)\b|(?:from|into|join|update) "?caseSample\b/
    expect(linesOf(/^server\/(?!fleet\/telemetry\/)/, (line) => table.test(line))).toEqual([])
    expect(linesOf(/^server\/fleet\/telemetry\//, (line) => table.test(line)).length).toBeGreaterThan(10)
  })

  it('lets other rooms of the server reach samples by the store alone', () => {
    const doors = /telemetry\/(?:telemetry-(?:store|part|tables|subject)|days\/day-steps|bucket-rule|sample-columns|zones)\.ts'/
    const others = (line: string) =>
      /from '#server\/fleet\/telemetry\//.test(line) && !line.startsWith('import type ') && !doors.test(line)
    expect(linesOf(/^server\/(?!fleet\/telemetry\/)/, others)).toEqual([])
  })
})
