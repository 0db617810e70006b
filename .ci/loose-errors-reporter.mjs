import { mkdirSync, writeFileSync } from 'node:fs'
import { relative } from 'node:path'

/** Records errors that were thrown outside of tests, in hooks and beside them, a line each for the summary. */
export default class LooseErrorsReporter {
  onTestRunEnd(modules, errors) {
    const hooks = modules.flatMap((module) =>
      [...module.children.allSuites()].flatMap((suite) => suite.errors().map(inHookOf(suite))),
    )
    mkdirSync('tests/output', { recursive: true })
    const places = errors.map(({ VITEST_TEST_PATH: path }) => path)
    // Without a file for every error there is nothing to run again.
    const files = places.every(Boolean) ? [...new Set(places)] : []
    writeFileSync('tests/output/loose-errors.json', JSON.stringify({ hooks, errors: errors.map(inLine), files }))
  }
}

const inHookOf = (suite) => (error) =>
  inLine({ ...error, VITEST_TEST_PATH: suite.module.moduleId, VITEST_TEST_NAME: suite.fullName })

const inLine = ({ type = 'Error', VITEST_TEST_PATH: path = '', VITEST_TEST_NAME: name = '', message = '', stack = '' }) =>
  `${relative('', path)}: ${name}: ${type}: ${message.slice(0, 300)} ${ownFrames(stack)}`

const ownFrames = (stack) =>
  stack
    .split('\n')
    .filter((line) => /^\s*at /.test(line) && !line.includes('node_modules') && !line.includes('node:'))
    .slice(0, 3)
    .map((line) => line.trim())
    .join(' | ')
