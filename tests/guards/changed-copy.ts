import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import { type Guard, titlePattern, withoutGuard } from './guard.ts'

const root = join(import.meta.dirname, '../..')
const modules = ['node_modules', 'tests/tools/node_modules']
const leftOut = [...modules, '.git', 'dist', 'data', 'release', 'tests/output', 'bench/results']

/** A failed test with its message, or the reason why nothing was shown. */
export type Outcome = { isShown: boolean; says: string }

type Ran = { status: string; message: string }
type VitestReport = { testResults: { assertionResults: { status: string; failureMessages: string[] }[] }[] }
type Suite = { specs?: { tests: { results: { status: string; error?: { message: string } }[] }[] }[]; suites?: Suite[] }

const ofVitest = ({ testResults }: VitestReport): Ran[] =>
  testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .map(({ status, failureMessages }) => ({ status, message: failureMessages[0] ?? '' }))

const ofPlaywright = ({ specs = [], suites = [] }: Suite): Ran[] => [
  ...specs
    .flatMap(({ tests }) => tests.flatMap(({ results }) => results))
    .map(({ status, error }) => ({ status: status === 'timedOut' ? 'failed' : status, message: error?.message ?? '' })),
  ...suites.flatMap(ofPlaywright),
]

function projectOf(file: string): string {
  if (file.endsWith('.contract.test.ts')) return 'contract'
  return file.endsWith('.tsx') ? 'screens' : 'unit'
}

/** A copy of the sources in which one guard after the other is taken away; what is installed is shared. */
export class ChangedCopy {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  static async make(): Promise<ChangedCopy> {
    const folder = await mkdtemp(join(tmpdir(), 'guards-'))
    const isCopied = (path: string) => !leftOut.includes(relative(root, path).split(sep).join('/'))
    await cp(root, folder, { recursive: true, filter: isCopied })
    for (const path of modules) if (existsSync(join(root, path))) await symlink(join(root, path), join(folder, path))
    return new ChangedCopy(folder)
  }

  remove(): Promise<void> {
    return rm(this.#folder, { recursive: true, force: true })
  }

  /** Runs the named test without its guard, and puts the guard back. */
  async tryWithout(guard: Guard): Promise<Outcome> {
    const path = join(this.#folder, guard.file)
    const source = await readFile(path, 'utf8')
    await writeFile(path, withoutGuard(source, guard))
    try {
      return await this.#test(guard)
    } finally {
      await writeFile(path, source)
    }
  }

  async #test({ shownBy: [file, title] }: Guard): Promise<Outcome> {
    const report = join(this.#folder, 'tests/output/guard.json')
    await rm(report, { force: true })
    const said = file.startsWith('e2e/') ? await this.#browse(file, title, report) : await this.#check(file, title, report)
    if (!existsSync(report)) return { isShown: false, says: `nothing ran: ${said}` }
    const read = JSON.parse(readFileSync(report, 'utf8'))
    const ran: Ran[] = 'testResults' in read ? ofVitest(read) : ofPlaywright(read)
    const failed = ran.find(({ status }) => status === 'failed')
    if (failed) return { isShown: true, says: failed.message.split('\n').find((line) => line.trim()) ?? '' }
    const passed = ran.filter(({ status }) => status === 'passed').length
    return { isShown: false, says: passed > 0 ? 'the test passes without it' : `no test ran: ${said}` }
  }

  #check(file: string, title: string, report: string): Promise<string> {
    const place = ['--project', projectOf(file), `tests/${file}`, '-t', titlePattern(title)]
    return this.#run(['vitest', 'run', ...place, '--retry=0', '--reporter=json', `--outputFile=${report}`])
  }

  async #browse(file: string, title: string, report: string): Promise<string> {
    const built = await this.#run(['vite', 'build', '--app', '--logLevel', 'warn'])
    const asked = [`tests/${file}`, '-g', titlePattern(title), '--retries=0', '--reporter=json']
    const said = await this.#run(['playwright', 'test', '--project=browser', ...asked], { PLAYWRIGHT_JSON_OUTPUT_NAME: report })
    return built + said
  }

  /** Answers the end of what the program said. */
  #run([name = '', ...args]: string[], env: Record<string, string> = {}): Promise<string> {
    return new Promise((resolve, reject) => {
      const child = spawn(join(this.#folder, 'node_modules/.bin', name), args, {
        cwd: this.#folder,
        env: { ...process.env, CI_ENGINES: 'PostgreSQL', ...env },
        stdio: ['ignore', 'pipe', 'pipe'],
      })
      let said = ''
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          said = (said + chunk.toString()).slice(-2_000)
        })
      child.once('error', reject)
      child.once('close', () => resolve(said))
    })
  }
}
