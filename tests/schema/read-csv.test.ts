import { describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { readCsv } from '#schema/format/read-csv.ts'
import { guessColumns, importColumns, importTargets } from '#schema/import-columns.ts'

/** Processor time of this process in milliseconds: other processes of a busy machine do not count. */
function cpuMsSince(started: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(started)
  return (user + system) / 1_000
}

describe('a table', () => {
  it.each([
    ['a,b\n1,2', ',', [['1', '2']]],
    ['a;b\r\n1;2\r\n', ';', [['1', '2']]],
    ['a\tb\r1\t2', '\t', [['1', '2']]],
    ['\uFEFFa,b\n1,2\n\n\n', ',', [['1', '2']]],
    ['"a;b",c\n"1\r\n2",3', ',', [['1\r\n2', '3']]],
    ['a,b\n"say ""hi""",', ',', [['say "hi"', '']]],
    ['a,b\n"",""""', ',', [['', '"']]],
    ['a\n\nb', ',', [[''], ['b']]],
    ['a,b\n1,2,3\n4', ',', [['1', '2', '3'], ['4']]],
    ['a,b\n1"2,x', ',', [['1"2', 'x']]],
    ['sep=;\na,x;b\n1;2', ';', [['1', '2']]],
    ['\uFEFF"sep=,"\r\na,b\r\n1,2', ',', [['1', '2']]],
    ['SEP=|\na|b\n1|2', '|', [['1', '2']]],
  ])('is read cell by cell: %j', (text, separator, rows) => {
    expect(readCsv(text)).toMatchObject({ separator, rows })
  })

  it.each([
    ['', 'empty', 1],
    [' \n ', 'empty', 1],
    ['a,b\n"1', 'open-quote', 2],
    ['sep=,\na,b\n"1', 'open-quote', 3],
    ['sep=,\n', 'empty', 1],
    ['a\n"1\n2"\n"3"x', 'text-after-quote', 4],
  ])('that is none is told by its line: %j', (text, code, line) => {
    expect(readCsv(text)).toEqual({ code, line })
  })

  it('of megabytes, quoted or with a quote that never closes, takes no time', () => {
    const started = process.cpuUsage()
    expect(readCsv(`a\n"${'x""'.repeat(1_000_000)}"`)).toMatchObject({ rows: [[expect.any(String)]] })
    expect(readCsv(`a\n"${'x'.repeat(4_000_000)}`)).toEqual({ code: 'open-quote', line: 2 })
    expect(cpuMsSince(started)).toBeLessThan(3_000)
  })

  it('with a hundred thousand empty lines before its last letter takes no time', () => {
    const started = process.cpuUsage()
    expect(readCsv(`a${'\n'.repeat(100_000)}b`)).toMatchObject({ rows: { length: 100_000 } })
    expect(readCsv(`a${'\n'.repeat(100_000)}b`, 10)).toMatchObject({ rows: { length: 11 } })
    expect(cpuMsSince(started)).toBeLessThan(1_000)
  })
})

describe('the columns of an import', () => {
  const definitions = definitionsOf(resources)
  const guess = (target: string, heads: string[]) => guessColumns(importColumns(definitions, target, 'admin'), heads)

  it('are known by field, by label in both languages, with units, groups and marks aside', () => {
    expect(
      guess('ess', ['code', 'Name', 'Ёмкость, Вт·ч', 'location.timezone', 'Расположение / Широта', 'charge_power', 'x']),
    ).toEqual(['code', 'name', 'ratedEnergyWh', 'location.timezone', 'location.lat', 'ratedChargePowerW', undefined])
    expect(guess('client', ['Эл. почта', 'Имя', 'Фамилия', 'Город'])).toEqual([
      'email',
      'firstName',
      'lastName',
      'address.city',
    ])
  })

  it('are known by the shown text of a label whose key has a context', () => {
    expect(guess('control-pcb', ['UID', 'Identifier'])).toEqual(['uid', undefined])
    const label = ['Open||state', 'Открыт'] as const
    const column = { path: 'stage', field: { type: 'text', label }, label, required: false } as const
    expect(guessColumns([column], ['Open'])).toEqual(['stage'])
  })

  it('are never filled twice', () => {
    expect(guess('ess', ['Code', 'code', 'Код'])).toEqual(['code', undefined, undefined])
  })

  it.each(importTargets(definitions, 'admin'))(
    'know what a new record needs, and hold only what one cell can hold: %s',
    (target) => {
      const columns = importColumns(definitions, target, 'admin')
      expect(columns.filter(({ required }) => required).length).toBeGreaterThan(1)
      expect(new Set(columns.map(({ path }) => path)).size).toBe(columns.length)
      expect(columns.filter(({ field }) => ['list', 'group', 'json', 'file'].includes(field.type))).toEqual([])
    },
  )
})
