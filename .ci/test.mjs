import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryFolder } from './memory-folder.mjs'
import { looseErrors, output, playwrightCounts, vitestCounts } from './reports.mjs'

const root = join(import.meta.dirname, '..')
const inCi = Boolean(process.env.CI)
const bin = (name) => join(root, 'node_modules/.bin', name)

/** More tests than these that pass only at their second try fail the run. */
const maxSecondTries = 2
const slowestCount = 25

const looseReporter = join(root, '.ci/loose-errors-reporter.mjs')
const vitest = (reportFile, ...args) => [
  bin('vitest'),
  'run',
  ...['default', 'json', looseReporter].map((reporter) => `--reporter=${reporter}`),
  `--outputFile.json=tests/output/${reportFile}`,
  ...args,
]

/** The slow specs mostly sleep, so they run beside the contract tests; the reports of the two runs stay apart. */
const playwright = (project, reportFile) => ({
  command: [bin('playwright'), 'test', `--project=${project}`],
  env: { E2E_REPORT: reportFile },
  count: () => playwrightCounts(reportFile),
})

/** Each lane runs its steps one after the other; the lanes of a stage run at the same time, the last one in the foreground. */
const stages = [
  [
    [
      // One checker does half of the work of two, which both come to know the same types.
      { name: 'types', command: [bin('tsc'), '--noEmit', '--checkers', '1'] },
      { name: 'types of the worker', command: [bin('tsc'), '-p', 'src/worker'] },
    ],
    [
      { name: 'build', command: [bin('vite'), 'build', '--app', '--logLevel', 'warn'] },
      { name: 'budgets', command: [process.execPath, '.ci/budgets.mjs'] },
      { name: 'commit messages', command: [process.execPath, '.ci/commit-messages.mjs'] },
      { name: 'style and layers', command: [bin('biome'), 'check', '--error-on-warnings', '.'] },
      { name: 'definitions', command: [bin('tsx'), 'server/check.ts'] },
      { name: 'dead code', command: [bin('knip')] },
      // Without the tests as users: finds product code that only a test imports.
      { name: 'code that only tests use', command: [bin('knip'), '--production'] },
    ],
  ],
  [
    [{ name: 'browser, slow', ...playwright('slow', 'e2e-slow.json') }],
    [{ name: 'units and contracts', command: vitest('vitest.json'), count: vitestCounts, secondTry: rerunLooseFiles }],
  ],
  // Not beside the contracts: that saves two minutes and costs second tries.
  [[{ name: 'browser', ...playwright('browser', 'e2e.json') }]],
  // Alone, because it compares times.
  [[{ name: 'first row', command: [bin('tsx'), 'bench/run.ts', 'first-row'] }]],
]

/** Runs a program and answers its exit code. In the background its output is printed in one piece when it ends. */
function execute([program, ...args], { env = {}, isForeground = true } = {}) {
  return new Promise((resolve) => {
    const stdio = ['ignore', isForeground ? 'inherit' : 'pipe', isForeground ? 'inherit' : 'pipe']
    const child = spawn(program, args, { cwd: root, env: { ...process.env, ...env }, stdio })
    const printed = []
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => printed.push(chunk))
    child.once('error', (error) => console.error(error.message))
    child.once('close', (status) => {
      process.stdout.write(Buffer.concat(printed))
      resolve(status)
    })
  })
}

/**
 * An error outside of a test has no second try of its own: in CI the files in which one was thrown run once more, without retries.
 * Answers the errors if the files pass then; each counts as a second try.
 */
async function rerunLooseFiles({ failed, broken }) {
  const { errors, files } = looseErrors()
  if (!inCi || files.length === 0 || failed > errors.length || broken.length > errors.length) return undefined
  const status = await execute(vitest('vitest-again.json', '--retry=0', ...files))
  return status === 0 ? errors : undefined
}

const seconds = (ms) => `${(ms / 1000).toFixed(1)} s`

/** Skipped tests are named; in CI, where everything is to be had, they count as failures. */
function reportSkipped(skipped) {
  for (const title of skipped) console.log(`skipped: ${title}`)
  return inCi ? skipped.length : 0
}

async function run({ name, command, env, count, secondTry }, isForeground) {
  const started = performance.now()
  if (isForeground) console.log(`\n== ${name}`)
  const status = await execute(command, { env, isForeground })
  let counts = count?.()
  const fallen = status !== 0 && counts ? await secondTry?.(counts) : undefined
  if (fallen) counts = { ...counts, failed: 0, broken: [], flaky: [...counts.flaky, ...fallen] }
  if (count && !counts) console.error(`${name}: the runner wrote no report`)
  const skippedFailures = reportSkipped(counts?.skipped ?? [])
  const ok = (status === 0 || fallen !== undefined) && skippedFailures === 0 && (!count || (counts?.passed ?? 0) > 0)
  const took = seconds(performance.now() - started)
  console.log(`== ${name}: ${ok ? 'passed' : 'FAILED'} in ${took}`)
  // A runner that failed without a failed test (a crash, no tests at all) is itself one failure.
  const failed = (counts?.failed ?? 0) + skippedFailures
  return {
    name,
    ok,
    took,
    broken: counts?.broken ?? [],
    flaky: counts?.flaky ?? [],
    times: counts?.times ?? [],
    passed: counts?.passed ?? 0,
    failed: ok || !count ? failed : Math.max(failed, 1),
  }
}

async function runLane(steps, index, lanes) {
  const results = []
  for (const step of steps) results.push(await run(step, index === lanes.length - 1))
  return results
}

const inMemory = memoryFolder()
if (inMemory) process.env.TMPDIR = inMemory

rmSync(output, { recursive: true, force: true })
mkdirSync(output, { recursive: true })

const started = performance.now()
const results = []
for (const lanes of stages) results.push(...(await Promise.all(lanes.map(runLane))).flat())

const slowest = results
  .flatMap(({ times }) => times)
  .toSorted((a, b) => b.ms - a.ms)
  .slice(0, slowestCount)
console.log(`\nThe ${slowest.length} slowest tests:`)
for (const { ms, title } of slowest) console.log(`${seconds(ms).padStart(9)}  ${title}`)
writeFileSync(join(output, 'times.json'), JSON.stringify(results.map(({ name, took, times }) => ({ name, took, times }))))

console.log('')
const flaky = results.flatMap((result) => result.flaky)
const isTooFlaky = flaky.length > maxSecondTries
for (const line of flaky) console.log(`passed at the second try: ${line}`)
if (isTooFlaky) console.log(`failed: ${flaky.length} tests needed a second try, ${maxSecondTries} may`)
for (const { broken } of results) for (const line of broken) console.log(`failed: ${line}`)
console.log('')
for (const { name, ok, took } of results) console.log(`${ok ? 'passed' : 'FAILED'}  ${name} (${took})`)

const total = (key) => results.reduce((sum, result) => sum + result[key], 0)
const brokenSteps = results.filter((result) => !result.ok && result.failed === 0).length
const failed = total('failed') + brokenSteps + (isTooFlaky ? 1 : 0)
console.log(`\n${total('passed')} passed, ${failed} failed, in ${seconds(performance.now() - started)}`)
process.exitCode = failed === 0 && results.every((result) => result.ok) ? 0 : 1
