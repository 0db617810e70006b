import { type Serving, StartError, serve } from './app/serve.ts'
import { ConfigError } from './base/config.ts'

const isExplained = (error: unknown): error is Error => error instanceof ConfigError || error instanceof StartError

function fail(error: unknown): never {
  console.error(isExplained(error) ? error.message : error)
  process.exit(1)
}

function leaveOn(signals: readonly NodeJS.Signals[], serving: Serving) {
  for (const signal of signals) {
    process.once(signal, () => {
      console.log(`${signal}: closing`)
      serving.close().then(() => process.exit(0), fail)
    })
  }
}

try {
  const serving = await serve(process.env, fail)
  leaveOn(['SIGTERM', 'SIGINT'], serving)
  // A mistake in one answer must not end all others.
  process.on('unhandledRejection', (reason) => serving.app.log.error({ err: reason }, 'unhandled rejection'))
} catch (error) {
  fail(error)
}
