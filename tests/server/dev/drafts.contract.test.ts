import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { checkResources } from '#schema/check-resources.ts'
import { widgetNames } from '#schema/widget-names.ts'
import { type Draft, draftResource, fieldName } from '#server/dev/drafts/draft.ts'
import { draftFromDocument } from '#server/dev/drafts/from-openapi.ts'
import { draftFromTable } from '#server/dev/drafts/from-postgres.ts'
import { visitApi } from '#tests/fixtures/visit-api.ts'
import { visitTable } from '#tests/fixtures/visit-table.ts'
import { createTestDatabase } from '#tests/support/postgres.ts'

const known = new Set(resources.map(({ name }) => name))
const faultsOf = (draft: Draft) => checkResources([...resources, draftResource('site-visit', draft)], { widgets: widgetNames })

describe('a definition drafted from the description of an API', () => {
  const draft = draftFromDocument(visitApi, '#/components/schemas/Visit', known)

  it('has a field per property with its type and facts, and no fault', () => {
    expect(faultsOf(draft)).toEqual([])
    expect(draft.fields).toMatchObject({
      number: { type: 'text', required: true, maxLength: 16 },
      kind: { type: 'enum', required: true, options: ['REPAIR', 'CHECK'] },
      plannedOn: { type: 'date', label: ['Planned on', 'Перевести: Planned on'] },
      essId: { type: 'reference', to: 'ess', label: ['Ess', 'Перевести: Ess'] },
      ownerEmail: { type: 'email' },
      powerW: { type: 'quantity', unit: 'W', min: 0, max: 5000, label: ['Power', 'Перевести: Power'] },
      hours: { type: 'integer', min: 1 },
      isPaid: { type: 'boolean' },
      tags: { type: 'tags', maxItems: 5 },
      address: { type: 'group', required: true, fields: { street: { required: true, maxLength: 80 } } },
      parts: { type: 'list', fields: { code: { type: 'text', required: true } } },
      site: { type: 'group', fields: { zip: { type: 'text' } } },
      statusText: { type: 'text', readOnly: true },
      remark: { type: 'longText' },
      extra: { type: 'json' },
      pageValue: { type: 'integer' },
      proto: { type: 'text' },
    })
    expect(Object.keys(draft.fields)).not.toContain('id')
    expect(Object.keys(draft.fields)).not.toContain('createdAt')
    expect(draft.fields.statusText).not.toHaveProperty('required')
  })

  it('says where a person has to decide', () => {
    expect(draft.doubts.map(({ field }) => field)).toEqual(['number', 'extra'])
    expect(() => draftFromDocument(visitApi, '#/components/schemas/Nothing', known)).toThrow('There is nothing at')
  })

  it.each([
    ['ShipDate', 'shipDate'],
    ['SHIP_DATE', 'shipDate'],
    ['ship-date', 'shipDate'],
    ['ID', 'id'],
    ['2nd', 'nd'],
    ['q', 'qValue'],
    ['!', 'value'],
  ])('calls %s %s', (text, name) => {
    expect(fieldName(text)).toBe(name)
  })
})

describe('a definition drafted from a table of PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof createTestDatabase>>
  beforeAll(async () => {
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(visitTable)
    await client.end()
  })
  afterAll(() => database?.drop())

  it('has a field per column with type, default, uniqueness and reference, and no fault', async () => {
    const draft = await draftFromTable(`${database.url}/site_visit`, known)
    expect(faultsOf(draft)).toEqual([])
    expect(draft.fields).toEqual({
      number: { type: 'text', label: ['Number', 'Перевести: Number'], required: true, unique: true, maxLength: 16 },
      kind: {
        type: 'enum',
        label: ['Kind', 'Перевести: Kind'],
        required: true,
        options: ['REPAIR', 'CHECK'],
        default: 'CHECK',
      },
      essId: { type: 'reference', label: ['Ess', 'Перевести: Ess'], required: true, to: 'ess' },
      crewId: { type: 'integer', label: ['Crew', 'Перевести: Crew'] },
      plannedOn: { type: 'date', label: ['Planned on', 'Перевести: Planned on'] },
      seenAt: { type: 'dateTime', label: ['Seen at', 'Перевести: Seen at'] },
      powerW: { type: 'quantity', label: ['Power', 'Перевести: Power'], required: true, unit: 'W', default: 5 },
      price: { type: 'decimal', label: ['Price', 'Перевести: Price'], digits: 2 },
      isPaid: { type: 'boolean', label: ['Is paid', 'Перевести: Is paid'], required: true, default: false },
      tags: { type: 'tags', label: ['Tags', 'Перевести: Tags'] },
      extra: { type: 'json', label: ['Extra', 'Перевести: Extra'] },
      note: { type: 'text', label: ['Note', 'Перевести: Note'], default: "it's new" },
      serial: { type: 'integer', label: ['Serial', 'Перевести: Serial'] },
      place: { type: 'text', label: ['Place', 'Перевести: Place'] },
    })
    expect(draft.unique).toEqual([['essId', 'plannedOn']])
    expect(draft.doubts.map(({ field }) => field)).toEqual(['crewId', 'place'])
  })

  it('is refused in words where there is no such table or none is named', async () => {
    await expect(draftFromTable(`${database.url}/nothing`, known)).rejects.toThrow('"nothing" does not exist')
    await expect(draftFromTable(database.url, known)).rejects.toThrow('Name the table')
  })
})

describe('the command that drafts a resource', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ess-draft-'))
    await cp('resources', join(folder, 'resources'), { recursive: true })
    for (const name of ['src', 'server', 'node_modules', 'package.json', 'tsconfig.json'])
      await symlink(resolve(name), join(folder, name))
    await writeFile(join(folder, 'api.json'), JSON.stringify(visitApi))
  })
  afterAll(() => rm(folder, { recursive: true }))
  const run = (...args: string[]) =>
    new Promise<string>((settle) => {
      execFile(process.execPath, args, { cwd: folder }, (error, out, err) => settle(`${error ? 1 : 0} ${out}${err}`))
    })
  const draft = (...args: string[]) =>
    run(
      '--preserve-symlinks',
      '--preserve-symlinks-main',
      '--import',
      resolve('node_modules/tsx/dist/esm/index.mjs'),
      'server/dev/new-resource.ts',
      ...args,
    )

  it('writes a file of short lines with its doubts, and its line in the list', async () => {
    expect(await draft('site-visit', '--from', 'api.json#/components/schemas/Visit')).toContain(
      '0 resources/site-visit.ts is written',
    )
    const text = await readFile(join(folder, 'resources/site-visit.ts'), 'utf8')
    expect(text.split('\n').filter((line) => line.length > 128)).toEqual([])
    expect(text).toContain('// It fits ^V-[0-9]+$: add `pattern`')
    expect(await readFile(join(folder, 'resources/index.ts'), 'utf8')).toContain("import { siteVisit } from './site-visit.ts'")
  })

  it('refuses what it cannot read in words, and writes nothing', async () => {
    expect(await draft('other-visit', '--from', 'api.json#/components/schemas/Nothing')).toMatch(/^1 .*There is nothing at/s)
    expect(await draft('other-visit', '--form', 'x')).toMatch(/^1 .*Say a singular name/s)
    await expect(readFile(join(folder, 'resources/other-visit.ts'))).rejects.toThrow()
  })
})
