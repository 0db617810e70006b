import { mkdirSync, writeFileSync } from 'node:fs'

/** Keeps what was thrown outside of all tests, a line each: the summary names it. */
export default class StraysReporter {
  onTestRunEnd(_modules, errors) {
    mkdirSync('tests/output', { recursive: true })
    writeFileSync('tests/output/strays.json', JSON.stringify(errors.map(inLine)))
  }
}

const inLine = ({ type = 'Error', VITEST_TEST_PATH = '', VITEST_TEST_NAME = '', message = '', stack = '' }) =>
  `${type}: ${VITEST_TEST_PATH} ${VITEST_TEST_NAME}: ${message.slice(0, 300)} ${ownFrames(stack)}`

const ownFrames = (stack) =>
  stack
    .split('\n')
    .filter((line) => /^\s*at /.test(line) && !line.includes('node_modules'))
    .slice(0, 3)
    .map((line) => line.trim())
    .join(' | ')
