import type { Reporter, TestCase, TestModule } from 'vitest/node'

const firstLines = (message: string) => message.split('\n').slice(0, 12).join('\n    ')

/** One line a check: ✓ holds, × fails, with the reason below, – was not tried. The reasons of the last are listed at the end, too. */
export default class LineReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors, ...result } = test.result()
    if ('note' in result && result.note) console.log(`– ${test.fullName}: not tried, ${result.note}`)
    if (state === 'skipped' || state === 'pending') return
    const { duration = 0 } = test.diagnostic() ?? {}
    console.log(`${state === 'passed' ? '✓' : '×'} ${test.fullName} (${(duration / 1000).toFixed(1)} s)`)
    for (const { message } of errors ?? []) console.log(`    ${firstLines(message)}`)
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly { message: string }[]): void {
    const ofSuites = modules.flatMap((module) => [
      ...module.errors(),
      ...[...module.children.allSuites()].flatMap((suite) => suite.errors()),
    ])
    for (const { message } of [...ofSuites, ...errors]) console.log(`× ${firstLines(message)}`)
  }
}
