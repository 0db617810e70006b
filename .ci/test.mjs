import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const root = join(import.meta.dirname, '..')
const output = join(root, 'tests/output')
const inCi = Boolean(process.env.CI)
const bin = (name) => join(root, 'node_modules/.bin', name)

/** Passed, failed and skipped tests of a report; nothing when the runner wrote none. */
function readReport(file, count) {
  const path = join(output, file)
  return existsSync(path) ? count(JSON.parse(readFileSync(path, 'utf8'))) : undefined
}

/** What fell in hooks and beside all tests: it fails the run, and the runner's report does not say what it was. */
const strays = () => readReport('strays.json', (found) => found) ?? { hooks: [], errors: [], files: [] }

const vitestCounts = () =>
  readReport('vitest.json', (report) => ({
    passed: report.numPassedTests,
    // A file that does not even load has no tests to count, and is one failure.
    failed:
      report.numFailedTests +
      report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length +
      strays().errors.length,
    broken: [...strays().hooks, ...strays().errors, ...report.testResults.flatMap(brokenOf)],
    // A test that passed and has failures passed at its second try.
    flaky: report.testResults
      .flatMap((file) => file.assertionResults)
      .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
      .map((test) => `${test.fullName}: ${firstLine(test.failureMessages[0])}`),
    skipped: report.testResults.flatMap((file) =>
      file.assertionResults
        .filter(({ status }) => status === 'pending' || status === 'skipped' || status === 'todo')
        .map((test) => test.fullName),
    ),
  }))

function brokenOf(file) {
  const broken = file.assertionResults.filter(({ status }) => status === 'failed')
  const place = relative(root, file.name)
  // Without a message it was a hook, which is named by itself.
  if (broken.length === 0 && file.message) return [`${place}: ${firstLine(file.message)}`]
  return broken.map((test) => `${place}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
}

/**
 * A test that fails has a second try in CI; what falls beside all tests has it here: the files in which it fell run once more.
 * Answers what fell, if they passed then.
 */
function strayedOnce({ failed, broken }) {
  const { errors, files } = strays()
  if (!inCi || files.length === 0 || failed > errors.length || broken.length > errors.length) return undefined
  const { status } = spawnSync(bin('vitest'), ['run', ...files], { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  return status === 0 ? errors : undefined
}

const firstLine = (text = '') => (text.split('\n').find((line) => line.trim()) ?? '').slice(0, 300)

const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]

const errorsOf = (test) => test.results.flatMap(({ errors }) => errors.map(({ message }) => message))

/** What failed and what it waited for, without colours, on one line. */
const inShort = (text = '') =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && line !== 'Call log:')
    .slice(0, 6)
    .join(' | ')
    .slice(0, 500)

const playwrightCounts = () =>
  readReport('e2e.json', (report) => ({
    passed: report.stats.expected + report.stats.flaky,
    failed: report.stats.unexpected + report.errors.length,
    broken: report.suites
      .flatMap(specsOf)
      .filter((spec) => !spec.ok)
      .map((spec) => `tests/e2e/${spec.file}:${spec.line}: ${spec.title}: ${inShort(spec.tests.flatMap(errorsOf)[0])}`),
    flaky: report.suites
      .flatMap(specsOf)
      .filter((spec) => spec.tests.some((test) => test.status === 'flaky'))
      .map((spec) => spec.title),
    skipped: report.suites
      .flatMap(specsOf)
      .filter((spec) => spec.tests.some((test) => test.status === 'skipped'))
      .map((spec) => spec.title),
  }))

const steps = [
  { name: 'style and layers', command: [bin('biome'), 'check', '--error-on-warnings', '.'] },
  { name: 'types', command: [bin('tsc'), '--noEmit', '--checkers', '2'] },
  { name: 'types of the worker', command: [bin('tsc'), '-p', 'src/worker'] },
  { name: 'definitions', command: [bin('tsx'), 'server/check.ts'] },
  { name: 'dead code', command: [bin('knip')] },
  {
    name: 'units and contracts',
    command: [
      bin('vitest'),
      'run',
      ...['default', 'json', join(root, '.ci/loose-errors-reporter.mjs')].map((reporter) => `--reporter=${reporter}`),
      '--outputFile.json=tests/output/vitest.json',
    ],
    count: vitestCounts,
    secondTry: strayedOnce,
  },
  { name: 'build', command: [bin('vite'), 'build', '--app', '--logLevel', 'warn'] },
  { name: 'budgets', command: [process.execPath, '.ci/budgets.mjs'] },
  { name: 'browser', command: [bin('playwright'), 'test'], count: playwrightCounts },
]

const seconds = (since) => `${((performance.now() - since) / 1000).toFixed(1)} s`

/** Skipped tests are named; in CI, where everything is to be had, they count as failures. */
function reportSkipped(skipped) {
  for (const title of skipped) console.log(`skipped: ${title}`)
  return inCi ? skipped.length : 0
}

function run({ name, command: [program, ...args], count, secondTry }) {
  const started = performance.now()
  console.log(`\n== ${name}`)
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error) console.error(error.message)
  let counts = count?.()
  const fallen = status !== 0 && counts ? secondTry?.(counts) : undefined
  if (fallen) counts = { ...counts, failed: 0, broken: [], flaky: [...counts.flaky, ...fallen] }
  if (count && !counts) console.error(`${name}: the runner wrote no report`)
  const skippedFailures = reportSkipped(counts?.skipped ?? [])
  const ok = (status === 0 || fallen !== undefined) && skippedFailures === 0 && (!count || (counts?.passed ?? 0) > 0)
  console.log(`== ${name}: ${ok ? 'passed' : 'FAILED'} in ${seconds(started)}`)
  // A runner that failed without a failed test (a crash, no tests at all) is itself one failure.
  const failed = (counts?.failed ?? 0) + skippedFailures
  return {
    name,
    ok,
    broken: counts?.broken ?? [],
    flaky: counts?.flaky ?? [],
    took: seconds(started),
    passed: counts?.passed ?? 0,
    failed: ok || !count ? failed : Math.max(failed, 1),
  }
}

rmSync(output, { recursive: true, force: true })
mkdirSync(output, { recursive: true })

const results = steps.map(run)
for (const { flaky } of results) for (const line of flaky) console.log(`passed at the second try: ${line}`)
for (const { broken } of results) for (const line of broken) console.log(`failed: ${line}`)
console.log('')
for (const { name, ok, took } of results) console.log(`${ok ? 'passed' : 'FAILED'}  ${name} (${took})`)

const total = (key) => results.reduce((sum, result) => sum + result[key], 0)
const brokenSteps = results.filter((result) => !result.ok && result.failed === 0).length
console.log(`\n${total('passed')} passed, ${total('failed') + brokenSteps} failed`)
process.exitCode = results.every((result) => result.ok) ? 0 : 1
