import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const readme = await readFile('README.md', 'utf8')

/** Rows that a recipe adds: the file, the line that they stand under, and their text. */
type Row = { file: string; under: string; text: string }

/** Recipes of the README whose block of code names the place of each row. */
const recipes = new Map(
  readme.split('\n### Recipe: ').flatMap((text): [string, Row[]][] => {
    const block = /```ts\n(\/\/ .*?)```/s.exec(text.split('\n## ')[0] ?? '')?.[1]
    const rows = [...(block ?? '').matchAll(/^\/\/ (\S+): `(.+)`\n((?:(?!\/\/ ).*\n)+)/gm)]
    if (rows.length === 0) return []
    return [[text.split('\n')[0] ?? '', rows.map(([, file = '', under = '', row = '']) => ({ file, under, text: row }))]]
  }),
)

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

const tsc = 'node_modules/typescript/bin/tsc'
/** One checker does half of the work of two, which both come to know the same types. */
const compile = (folder: string) => run(folder, tsc, '-p', 'tsconfig.recipe.json', '--pretty', 'false', '--checkers', '1')

/** Tells of the result as the console and the server see it. */
const probe = `
import { resources } from '#resources/index.ts'
import { definitionsOf } from '#schema/definition.ts'
import { permissionsFor } from '#schema/permissions.ts'
import { valueSchema } from '#schema/value-schema.ts'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { channels } from '#server/frames/channels.ts'
const country = (value) => valueSchema({ type: 'country', label: ['Country', 'Страна'] }).safeParse(value).success
const may = permissionsFor(definitionsOf(resources), 'auditor')['control-pcb']
console.log(JSON.stringify({
  auditor: [may.list, may.create],
  country: [country('NL'), country('Netherlands')],
  warning: warnings.PUMP_FAULT.title[0],
  channel: channels.some(({ name }) => name === 'dcBusVoltageV'),
}))
`

describe('a recipe of the README', { timeout: 240_000 }, () => {
  let folder = ''

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recipe-'))
    for (const name of ['resources', 'server', 'src', 'providers', 'package.json', 'tsconfig.json'])
      await cp(name, join(folder, name), { recursive: true })
    await symlink(resolve('node_modules'), join(folder, 'node_modules'))
    const compilerOptions = { incremental: true, tsBuildInfoFile: 'recipe.tsbuildinfo' }
    const include = ['src', 'resources', 'providers', 'server']
    await writeFile(
      join(folder, 'tsconfig.recipe.json'),
      JSON.stringify({ extends: './tsconfig.json', compilerOptions, include, exclude: ['src/worker'] }),
    )
    await writeFile(join(folder, 'probe.ts'), probe)
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  async function add({ file, under, text }: Row): Promise<void> {
    const path = join(folder, file)
    const source = await readFile(path, 'utf8')
    expect(source.split('\n').filter((line) => line.endsWith(under))).toHaveLength(1)
    await writeFile(
      path,
      source.replace(`${under}\n`, () => `${under}\n${text}`),
    )
  }

  it('touches at most four files, three for a channel and two for a warning code', () => {
    const touched = Object.fromEntries([...recipes].map(([name, rows]) => [name, new Set(rows.map(({ file }) => file)).size]))
    expect(touched).toEqual({
      'a field type': 4,
      'a telemetry channel': 2,
      'a warning code': 2,
      'a role': 3,
      'a widget': 2,
    })
  })

  it('begins in a file after which the compiler names every other one', async () => {
    for (const rows of recipes.values()) for (const row of rows.filter(isFirst)) await add(row)
    const { printed } = await compile(folder)
    const named = new Set([...printed.matchAll(/^(\S+)\(.*error TS/gm)].map(([, file]) => file ?? ''))
    const others = [...recipes.values()].flatMap((rows) => rows.filter((...of) => !isFirst(...of)).map(({ file }) => file))
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
    for (const rows of recipes.values()) for (const row of rows.filter((...of) => !isFirst(...of))) await add(row)
    expect(await compile(folder)).toEqual({ status: 0, printed: '' })
    const { printed } = await run(folder, 'node_modules/tsx/dist/cli.mjs', 'probe.ts')
    expect(JSON.parse(printed)).toEqual({
      auditor: [true, false],
      country: [true, false],
      warning: 'Pump fault',
      channel: true,
    })
    expect((await run(folder, 'node_modules/tsx/dist/cli.mjs', 'server/check.ts')).printed).toContain('no fault')
  })
})
