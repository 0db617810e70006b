import { execFile } from 'node:child_process'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const readme = await readFile('README.md', 'utf8')

/** The row that a recipe of the README adds. */
function rowOf(recipe: string): string {
  const [, text = ''] = readme.split(`### Recipe: ${recipe}\n`)
  const row = /```ts\n(.*?)```/s.exec(text.split('\n### ')[0] ?? '')?.[1]
  if (!row) throw new Error(`the recipe of ${recipe} has no row`)
  return row
}

const roots = [
  'server/fleet/warning/rules.ts',
  'server/demo/simulator/readings.ts',
  'resources/fleet/warnings/warning-guides.ts',
]

/** Compiles the files that hold what follows from a row, in a copy of the project. */
function compile(folder: string): Promise<string> {
  const compiler = resolve('node_modules/typescript/bin/tsc')
  return new Promise((settle) => {
    execFile(process.execPath, [compiler, '-p', 'tsconfig.recipe.json', '--pretty', 'false'], { cwd: folder }, (_, stdout) =>
      settle(stdout),
    )
  })
}

describe('the recipes of the fleet', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recipe-'))
    for (const name of ['resources', 'server', 'src/schema', 'package.json', 'tsconfig.json'])
      await cp(name, join(folder, name), { recursive: true })
    await symlink(resolve('node_modules'), join(folder, 'node_modules'))
    const options = { incremental: false, tsBuildInfoFile: null, types: ['node'] }
    await writeFile(
      join(folder, 'tsconfig.recipe.json'),
      JSON.stringify({ extends: './tsconfig.json', compilerOptions: options, files: roots, include: [] }),
    )
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const addRow = async (file: string, table: string, row: string) => {
    const text = await readFile(join(folder, file), 'utf8')
    expect(text).toContain(table)
    await writeFile(join(folder, file), text.replace(table, `${table}\n${row}`))
  }

  it('name every other place of a new channel and of a new warning by the compiler, and nothing else', {
    timeout: 240_000,
  }, async () => {
    await addRow('resources/fleet/channels.ts', 'export const channels = {', rowOf('a telemetry channel'))
    await addRow('resources/fleet/warnings/warnings.ts', 'export const warnings = {', rowOf('a warning code'))
    const errors = await compile(folder)
    expect([...errors.matchAll(/^(\S+)\(.*error TS/gm)].map(([, file]) => file).toSorted()).toEqual([
      'resources/fleet/warnings/warning-guides.ts',
      'server/demo/simulator/readings.ts',
    ])
    expect(errors).toContain('dcBusVoltageV')
    expect(errors).toContain('PUMP_FAULT')
  })
})
