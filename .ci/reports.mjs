import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'

const root = join(import.meta.dirname, '..')
export const output = join(root, 'tests/output')

/** Counts of a report, or undefined when the runner wrote none. */
function readReport(file, count) {
  const path = join(output, file)
  return existsSync(path) ? count(JSON.parse(readFileSync(path, 'utf8'))) : undefined
}

const firstLine = (text = '') => (text.split('\n').find((line) => line.trim()) ?? '').slice(0, 300)

/** Errors thrown in hooks and outside of tests: they fail the run, and the runner's own report does not name them. */
export const looseErrors = () => readReport('loose-errors.json', (found) => found) ?? { hooks: [], errors: [], files: [] }

const unrunStates = new Set(['pending', 'skipped', 'todo'])

function brokenOf(file) {
  const broken = file.assertionResults.filter(({ status }) => status === 'failed')
  const place = relative(root, file.name)
  // Without a message it was a hook, which is named by itself.
  if (broken.length === 0 && file.message) return [`${place}: ${firstLine(file.message)}`]
  return broken.map((test) => `${place}: ${test.fullName}: ${firstLine(test.failureMessages[0])}`)
}

const timedVitest = (file) =>
  file.assertionResults.map(({ fullName, duration }) => ({
    ms: duration ?? 0,
    title: `${relative(root, file.name)}: ${fullName}`,
  }))

export function vitestCounts(reportFile = 'vitest.json') {
  const loose = looseErrors()
  return readReport(reportFile, ({ numPassedTests, numFailedTests, testResults }) => {
    const tests = testResults.flatMap((file) => file.assertionResults)
    return {
      passed: numPassedTests,
      // A file that does not load has no tests to count, and is one failure.
      failed:
        numFailedTests +
        testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length +
        loose.errors.length,
      broken: [...loose.hooks, ...loose.errors, ...testResults.flatMap(brokenOf)],
      // A test that passed and has failures passed at its second try.
      flaky: tests
        .filter(({ status, failureMessages }) => status === 'passed' && failureMessages.length > 0)
        .map((test) => `${test.fullName}: ${firstLine(test.failureMessages[0])}`),
      skipped: tests.filter(({ status }) => unrunStates.has(status)).map((test) => test.fullName),
      times: testResults.flatMap(timedVitest),
    }
  })
}

const specsOf = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(specsOf)]

const errorsOf = (test) => test.results.flatMap(({ errors }) => errors.map(({ message }) => message))

/** A failure and the locator it waited for, without colours, on one line. */
const inShort = (text = '') =>
  stripVTControlCharacters(text)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line && line !== 'Call log:')
    .slice(0, 6)
    .join(' | ')
    .slice(0, 500)

const timedSpec = (spec) => ({
  ms: spec.tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration, 0),
  title: `tests/e2e/${spec.file}: ${spec.title}`,
})

export const playwrightCounts = (reportFile = 'e2e.json') =>
  readReport(reportFile, ({ stats, errors, suites }) => {
    const specs = suites.flatMap(specsOf)
    const ofStatus = (status) => specs.filter((spec) => spec.tests.some((test) => test.status === status))
    return {
      passed: stats.expected + stats.flaky,
      failed: stats.unexpected + errors.length,
      broken: specs
        .filter((spec) => !spec.ok)
        .map((spec) => `tests/e2e/${spec.file}:${spec.line}: ${spec.title}: ${inShort(spec.tests.flatMap(errorsOf)[0])}`),
      flaky: ofStatus('flaky').map((spec) => `${spec.title}: ${inShort(spec.tests.flatMap(errorsOf)[0])}`),
      skipped: ofStatus('skipped').map((spec) => spec.title),
      times: specs.map(timedSpec),
    }
  })
