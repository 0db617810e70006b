import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'

const tsc = resolve('node_modules/typescript/bin/tsc')
/** Types that the compiler makes for two definitions, which have every field type: 10,000. An editor makes them at each key. */
const maxTypes = 30_000

const folder = await mkdtemp(join(tmpdir(), 'definition-types-'))

describe('the compiler', () => {
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it('makes a bounded number of types for a definition, however many fields it has', async () => {
    const project = join(folder, 'tsconfig.json')
    const compilerOptions = {
      incremental: false,
      tsBuildInfoFile: null,
      typeRoots: [resolve('node_modules/@types')],
      types: ['node'],
    }
    const files = [resolve('tests/support/toy-resource.ts')]
    await writeFile(project, JSON.stringify({ extends: resolve('tsconfig.json'), compilerOptions, files, include: [] }))
    const { stdout } = await promisify(execFile)(process.execPath, [
      tsc,
      '-p',
      project,
      '--checkers',
      '1',
      '--extendedDiagnostics',
    ])
    const made = Number(/^Types:\s+(\d+)$/m.exec(stdout)?.[1])
    expect(made).toBeGreaterThan(1_000)
    expect(made).toBeLessThan(maxTypes)
  })
})
