import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { checkResources } from '#schema/check-resources.ts'
import { widgetNames } from '#schema/widget-names.ts'
import { type Draft, draftResource, draftText, fieldName } from '#server/dev/drafts/draft.ts'
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

  it('leaves out of parts what only a field of the record can be', () => {
    const text = { type: 'string' }
    const properties = {
      code: { ...text, readOnly: true },
      password: { ...text, writeOnly: true },
      scan: { ...text, format: 'binary' },
      xmin: text,
    }
    const place = { type: 'object', properties: { ...properties, end: { type: 'object', properties } } }
    const schema = { type: 'object', properties: { title: text, place, stops: { type: 'array', items: place } } }
    const tour = draftFromDocument({ components: { schemas: { Tour: schema } } }, '#/components/schemas/Tour', known)
    expect(faultsOf(tour)).toEqual([])
    expect(tour.fields.place).toMatchObject({
      fields: { code: { readOnly: true }, end: { fields: { code: { readOnly: true } } } },
    })
    expect(JSON.stringify(tour.fields.stops)).not.toMatch(/readOnly|password|scan/)
    expect(tour.doubts.map(({ text: said }) => said)).toContain('"password" is only written: add a field of its own for it.')
  })

  it('takes over defaults, numbers to choose from, descriptions, files and what is only written', () => {
    const schema = {
      type: 'object',
      properties: {
        customer: { type: 'object', properties: { id: { type: 'string' }, name: { type: 'string' } } },
        priority: { type: 'integer', enum: [1, 2, 3], default: 2 },
        state: { type: 'string', enum: ['OPEN', 'DONE'], default: 'OPEN' },
        price: { type: 'number', multipleOf: 0.01, minimum: 0 },
        step: { type: 'integer', multipleOf: 5 },
        secretToken: { type: 'string', writeOnly: true },
        pin: { type: 'string', format: 'password', maxLength: 8 },
        hours: { type: 'integer', exclusiveMinimum: 0, exclusiveMaximum: 24 },
        weight: { type: 'number', minimum: 0, exclusiveMinimum: true },
        report: { type: 'string', format: 'binary' },
        floor: { type: 'integer', description: 'Where the cabinet stands', default: 'none' },
      },
    }
    const visit = draftFromDocument({ components: { schemas: { Visit: schema } } }, '#/components/schemas/Visit', known)
    expect(faultsOf(visit)).toEqual([])
    expect(visit.fields).toMatchObject({
      customer: { type: 'group', fields: { ownId: { type: 'text' }, name: { type: 'text' } } },
      priority: { type: 'integer', options: { 1: ['1', '1'], 2: ['2', '2'], 3: ['3', '3'] }, default: 2 },
      state: { type: 'enum', default: 'OPEN' },
      price: { type: 'decimal', digits: 2, min: 0 },
      secretToken: { type: 'secret' },
      pin: { type: 'secret' },
      hours: { type: 'integer', min: 1, max: 23 },
      weight: { type: 'decimal', min: 0 },
      report: { type: 'file' },
      floor: { type: 'integer', help: ['Where the cabinet stands', 'Перевести: Where the cabinet stands'] },
    })
    expect(visit.fields.floor).not.toHaveProperty('default')
    expect(visit.doubts).toEqual([
      { field: 'step', text: 'It is a multiple of 5: a rule has to say so.' },
      { field: 'weight', text: 'It is above 0, and `min` takes 0: a rule has to say so.' },
    ])
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
      note: { type: 'longText', label: ['Note', 'Перевести: Note'], default: "it's new" },
      serial: { type: 'integer', label: ['Serial', 'Перевести: Serial'] },
      place: { type: 'text', label: ['Place', 'Перевести: Place'] },
    })
    expect(draft.unique).toEqual([['essId', 'plannedOn']])
    expect(draft.doubts.map(({ field }) => field)).toEqual(['crewId', 'place'])
  })

  it('takes over what the table works out, checks and says of its columns, and points to itself', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`
      create table "work_order" ("id" text primary key, "opened_on" date not null default current_date,
        "seen_at" timestamptz not null default now(), "price" numeric(10, 2) check ("price" >= 0), "hours" int4 check ("hours" <= 24),
        "state" text not null default 'OPEN' check ("state" in ('OPEN', 'DONE')), "part_of" text references "work_order" ("id"),
        "due_on" date, check ("due_on" >= "opened_on"));
      comment on column "work_order"."hours" is 'Working hours'`)
    await client.end()
    const draft = await draftFromTable(`${database.url}/work_order`, new Set([...known, 'work-order']))
    expect(draft.fields).toMatchObject({
      openedOn: { type: 'date', required: true, default: '$today' },
      seenAt: { type: 'dateTime', required: true, default: '$now' },
      price: { type: 'decimal', digits: 2, min: 0 },
      hours: { type: 'integer', max: 24, help: ['Working hours', 'Перевести: Working hours'] },
      state: { type: 'enum', options: ['OPEN', 'DONE'], required: true, default: 'OPEN' },
      partOf: { type: 'reference', to: 'work-order' },
    })
    expect(draft.doubts.map(({ text }) => text)).toEqual(['The table checks ((due_on >= opened_on)): say so in `rules`.'])
  })

  it('knows a table by its plural, an address by its name, and both ends of a range', async () => {
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(`
      create table "companies" ("id" text primary key);
      create table "deals" ("id" text primary key, "company_id" text references "companies" ("id"), "email" varchar(254), "home_phone" text,
        "quantity" int4 check ("quantity" between 1 and 100), "rate" numeric(4, 2) check ("rate" between -1.5 and 1.5))`)
    await client.end()
    const draft = await draftFromTable(`${database.url}/deals`, new Set([...known, 'company']))
    expect(draft.fields).toMatchObject({
      companyId: { type: 'reference', to: 'company' },
      email: { type: 'email' },
      homePhone: { type: 'phone' },
      quantity: { type: 'integer', min: 1, max: 100 },
      rate: { type: 'decimal', min: -1.5, max: 1.5 },
    })
    expect(draft.doubts).toEqual([])
    expect(draftText('delivery', draft, 'the table deals')).toContain("many: ['Deliveries', 'Перевести: Deliveries']")
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
