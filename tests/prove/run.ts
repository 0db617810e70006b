import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { resources } from '#resources/index.ts'
import { verdictOf } from '#tests/prove/report/verdict.ts'
import { provePages } from './pages/prove-pages.ts'
import { handOver } from './skipped-checks.ts'

const usage = `Say which definition: npm run prove -- service-visit
  --all              every definition
  --engine ENGINE    pglite (without it), postgres or both
  --no-axe           without the pages of the console, which need a build and a browser`

const engines = ['pglite', 'postgres', 'both']

type Wanted = { names: string[]; engine: string; withPages: boolean }

/** Arguments of the command line; undefined where they are not understood. */
function wantedOf(args: string[]): Wanted | undefined {
  try {
    const options = { all: { type: 'boolean' }, engine: { type: 'string' }, 'no-axe': { type: 'boolean' } } as const
    const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
    const { all = false, engine = 'pglite' } = values
    if ((positionals.length === 1) === all || !engines.includes(engine)) return undefined
    const names = all ? resources.map(({ name }) => name) : positionals
    const unknown = names.find((name) => !resources.some((one) => one.name === name))
    if (unknown) console.error(`There is no resource "${unknown}".`)
    return unknown ? undefined : { names, engine, withPages: values['no-axe'] !== true }
  } catch {
    return undefined
  }
}

const reporter = 'tests/prove/line-reporter.ts'
const tests = ['vitest', 'run', '--project', 'contract', 'tests/prove/definition', '--reporter', reporter]

/** Tests one definition on a server of its own; true when all of it holds. */
function prove(name: string, { engine }: Wanted, files: { leftOut: string; unmade: string }): boolean {
  const env = { ...process.env, PROVE: name, PROVE_ENGINE: engine, PROVE_LEFT_OUT: files.leftOut, PROVE_UNMADE: files.unmade }
  return spawnSync('npx', tests, { stdio: 'inherit', env }).status === 0
}

const wanted = wantedOf(process.argv.slice(2))
if (!wanted) {
  console.error(usage)
  process.exit(1)
}
const folder = mkdtempSync(join(tmpdir(), 'prove-'))
const files = { leftOut: join(folder, 'left-out'), unmade: join(folder, 'unmade') }
for (const file of Object.values(files)) writeFileSync(file, '')
const linesIn = (file: string) => [...new Set(readFileSync(file, 'utf8').split('\n').filter(Boolean))]
const failed = new Set(wanted.names.filter((name) => !prove(name, wanted, files)))
const noteTo = (name: string) => handOver(name, files.leftOut)
if (wanted.withPages) for (const name of await provePages(wanted.names, noteTo)) failed.add(name)
else for (const name of wanted.names) appendFileSync(files.leftOut, `${name}: pages: --no-axe was given\n`)
const { lines, isSound } = verdictOf({
  names: wanted.names,
  failed: [...failed],
  leftOut: linesIn(files.leftOut),
  unmade: linesIn(files.unmade),
})
rmSync(folder, { recursive: true })
for (const line of lines) console.log(line)
process.exit(isSound ? 0 : 1)
