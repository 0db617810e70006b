import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { resources } from '#resources/index.ts'

const usage = `Say which definition: npm run prove -- service-visit
  --all              every definition
  --engine ENGINE    pglite (without it), postgres or both`

const engines = ['pglite', 'postgres', 'both']

type Wanted = { names: string[]; engine: string }

/** Arguments of the command line; undefined where they are not understood. */
function wantedOf(args: string[]): Wanted | undefined {
  try {
    const options = { all: { type: 'boolean' }, engine: { type: 'string' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const { all = false, engine = 'pglite' } = values
    if ((positionals.length === 1) === all || !engines.includes(engine)) return undefined
    return { names: all ? resources.map(({ name }) => name) : positionals, engine }
  } catch {
    return undefined
  }
}

const tests = ['vitest', 'run', '--project', 'contract', 'tests/prove', '--reporter', 'verbose']

/** Tests one definition on a server of its own; true when all of it holds. */
function prove(name: string, { engine }: Wanted, leftOut: string): boolean {
  const env = { ...process.env, PROVE: name, PROVE_ENGINE: engine, PROVE_LEFT_OUT: leftOut }
  return spawnSync('npx', tests, { stdio: 'inherit', env }).status === 0
}

const wanted = wantedOf(process.argv.slice(2))
if (!wanted) {
  console.error(usage)
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'prove-'))
const leftOut = join(folder, 'left-out')
writeFileSync(leftOut, '')
const failed = wanted.names.filter((name) => !prove(name, wanted, leftOut))
const lines = readFileSync(leftOut, 'utf8').trimEnd()
rmSync(folder, { recursive: true })
console.log(lines ? `Left out, and why:\n${lines}` : 'Nothing was left out.')
if (failed.length > 0) console.error(`Not proven: ${failed.join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)
