import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { withResource } from '#server/dev/new-resource.ts'
import { visitApi } from './fixtures/visit-api.ts'
import { visitTable } from './fixtures/visit-table.ts'
import { createTestDatabase, type TestDatabase } from './support/postgres.ts'

const manual = await readFile('docs/recipes.md', 'utf8')

/** Rows that a recipe adds: the file, the line that they stand under, and their text. Without such a line they are a new file. */
type Row = { file: string; under: string | undefined; text: string }

/** Recipes whose block of code names the place of each row. */
const recipes = new Map(
  manual.split('\n### Recipe: ').flatMap((text): [string, Row[]][] => {
    const block = /```ts\n(\/\/ .*?)```/s.exec(text.split('\n## ')[0] ?? '')?.[1]
    const rows = [...(block ?? '').matchAll(/^\/\/ (\S+)(?:: `(.+)`|, new)\n((?:(?!\/\/ ).*\n)+)/gm)]
    if (rows.length === 0) return []
    return [[text.split('\n')[0] ?? '', rows.map(([, file = '', under, row = '']) => ({ file, under, text: row }))]]
  }),
)

/** The definition of the first recipe, which the later ones go on with. */
const visit = /### Recipe: a resource\n.*?```ts\n(.*?)```/s.exec(manual)?.[1] ?? ''

/** Recipes whose rows the compiler asks for, one after the other. */
const forced = [...recipes.values()].filter((rows) => rows.every(({ under }) => under !== undefined))
const free = [...recipes.values()].filter((rows) => !forced.includes(rows))

/** True for a row in the file that its recipe begins with. */
const isFirst = ({ file }: Row, _index: number, rows: readonly Row[]) => file === rows[0]?.file

/** A program of Node in the copy; answers its exit code and everything that it printed. */
function run(folder: string, program: string, ...args: string[]): Promise<{ status: number; printed: string }> {
  return new Promise((settle) => {
    execFile(process.execPath, [resolve(program), ...args], { cwd: folder, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      settle({ status: error ? 1 : 0, printed: stdout + stderr }),
    )
  })
}

const tsx = 'node_modules/tsx/dist/cli.mjs'
const tsc = 'node_modules/typescript/bin/tsc'
const biome = 'node_modules/@biomejs/biome/bin/biome'
/** One checker does half of the work of two, which both come to know the same types. */
const compile = (folder: string) => run(folder, tsc, '-p', 'tsconfig.recipe.json', '--pretty', 'false', '--checkers', '1')

/** Resources that `npm run resource` makes: a plain one, one of an API's description, one of a table. */
const drafts = (url: string): readonly (readonly string[])[] => [
  ['crane'],
  ['site-visit', '--from', 'api.json#/components/schemas/Visit'],
  ['table-visit', '--from', `${url}/site_visit`],
]

/** Tells of the result as the console and the server see it. */
const probe = `
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permission-snapshot.ts'
import { valueSchema } from '#schema/value-schema.ts'
import { say } from '#schema/words.ts'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { ownPages } from '#shell/own-pages.ts'
import { rulesByResource } from '#server/app/rules.ts'
import { migrations } from '#server/app/migrations.ts'
import { parts } from '#server/app/parts.ts'
import { variables } from '#server/base/config.ts'
import { loadMessages } from '#server/app/load-messages.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { channels } from '#server/frames/channels.ts'
await loadMessages()
const country = (value) => valueSchema({ type: 'country', label: ['Country', 'Страна'] }).safeParse(value).success
const may = permissionsFor(definitionsOf(resources), 'auditor')['control-pcb']
console.log(JSON.stringify({
  auditor: [may.list, may.create],
  country: [country('NL'), country('Netherlands')],
  warning: warnings.PUMP_FAULT.title[0],
  resources: resources.map(({ name }) => name).filter((name) => ['visit', 'crane', 'site-visit', 'table-visit'].includes(name)),
  rules: Object.keys(rulesByResource.visit),
  refusal: fleetProblem('visit.over').status,
  german: say(['Rated energy', 'Номинальная энергия'], 'de'),
  page: ownPages.some(({ href }) => href === '/visits'),
  channel: channels.some(({ name }) => name === 'dcBusVoltageV'),
  setting: variables.arrivalsKeptDays.name,
  migration: migrations.some(({ id }) => id === '0079-arrivals'),
  part: parts.some(({ name }) => name === 'arrivals'),
}))
`

describe('a recipe', { timeout: 480_000 }, () => {
  let folder = ''
  let database: TestDatabase

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recipe-'))
    const isSource = (path: string) => !/node_modules|tests.(?:output|tools)/.test(path)
    for (const name of [
      'resources',
      'server',
      'src',
      'providers',
      'tests',
      'public',
      'package.json',
      'tsconfig.json',
      'biome.json',
      '.gitignore',
    ])
      await cp(name, join(folder, name), { recursive: true, filter: isSource })
    await symlink(resolve('node_modules'), join(folder, 'node_modules'))
    const include = ['src', 'resources', 'providers', 'server', 'tests/server/fleet/visit.contract.test.ts']
    // A second incremental run repeats errors of files whose imports were mended since.
    const compilerOptions = { incremental: false, tsBuildInfoFile: null }
    await writeFile(
      join(folder, 'tsconfig.recipe.json'),
      JSON.stringify({ extends: './tsconfig.json', compilerOptions, include, exclude: ['src/worker'] }),
    )
    await writeFile(join(folder, 'probe.ts'), probe)
    database = await createTestDatabase()
    const client = new pg.Client({ connectionString: database.url })
    await client.connect()
    await client.query(visitTable)
    await client.end()
  })
  afterAll(async () => {
    await database?.drop()
    await rm(folder, { recursive: true, force: true })
  })

  async function add({ file, under, text }: Row): Promise<void> {
    const path = join(folder, file)
    if (under === undefined) {
      await mkdir(dirname(path), { recursive: true })
      return writeFile(path, text)
    }
    const source = await readFile(path, 'utf8')
    expect(source.split('\n').filter((line) => line.endsWith(under))).toHaveLength(1)
    await writeFile(
      path,
      source.replace(`${under}\n`, () => `${under}\n${text}`),
    )
  }

  it('touches at most five files, three for a channel and two for a warning code', () => {
    const touched = Object.fromEntries([...recipes].map(([name, rows]) => [name, new Set(rows.map(({ file }) => file)).size]))
    expect(touched).toEqual({
      'a field type': 5,
      'a telemetry channel': 2,
      'a warning code': 2,
      'a role': 4,
      'a widget': 2,
      rules: 3,
      'a setting': 1,
      'a migration': 2,
      'a route': 2,
      'a job': 2,
      'a page': 4,
      'a card of the dashboard': 5,
      'a test': 1,
      'a language': 2,
    })
  })

  it('of a resource keeps to the 128 columns of definitions', () => {
    expect(visit.split('\n').filter((line) => [...line].length > 128)).toEqual([])
  })

  it('begins in a file after which the compiler names every other one', async () => {
    for (const rows of forced) for (const row of rows.filter(isFirst)) await add(row)
    const { printed } = await compile(folder)
    const named = new Set([...printed.matchAll(/^(\S+)\(.*error TS/gm)].map(([, file]) => file ?? ''))
    const others = forced.flatMap((rows) => rows.filter((...of) => !isFirst(...of)).map(({ file }) => file))
    // A family's lists of guides are joined in one place, which tells of the missing one.
    const told = others.map((file) => file.replace('hardware-guides', 'warning-guides'))
    expect([...named]).toEqual(expect.arrayContaining(told))
    // Besides these it names the places where families are joined.
    expect([...named].filter((file) => !told.includes(file)).toSorted()).toEqual([
      'src/fields/inputs.ts',
      'src/fields/registry.ts',
    ])
  })

  it('compiles with all of its rows, and the console and the server have the result', async () => {
    for (const rows of forced) for (const row of rows.filter((...of) => !isFirst(...of))) await add(row)
    await writeFile(join(folder, 'resources/visit.ts'), visit)
    const list = join(folder, 'resources/index.ts')
    await writeFile(list, withResource(await readFile(list, 'utf8'), 'visit'))
    for (const rows of free) for (const row of rows) await add(row)
    await writeFile(join(folder, 'api.json'), JSON.stringify(visitApi))
    for (const [name = '', ...from] of drafts(database.url))
      expect((await run(folder, tsx, 'server/dev/new-resource.ts', name, ...from)).printed).toContain('is written')
    const { status, printed: errors } = await compile(folder)
    expect(errors).toBe('')
    expect(status).toBe(0)
    const made = ['index', ...drafts('').map(([name]) => name)].map((name) => `resources/${name}.ts`)
    const style = await run(folder, biome, 'check', '--error-on-warnings', ...made)
    expect(style.status, style.printed).toBe(0)
    expect(style.printed).toContain('Checked 4 files')
    const { printed } = await run(folder, tsx, 'probe.ts')
    expect(JSON.parse(printed)).toEqual({
      auditor: [true, false],
      country: [true, false],
      warning: 'Pump fault',
      channel: true,
      resources: ['visit', 'crane', 'site-visit', 'table-visit'],
      refusal: 409,
      german: 'Nennenergie',
      rules: ['derived', 'beforeUpdate', 'actions'],
      page: true,
      setting: 'ARRIVALS_KEPT_DAYS',
      migration: true,
      part: true,
    })
    expect((await run(folder, tsx, 'server/check.ts')).printed).toContain('no fault')
  })
})
