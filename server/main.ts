import { runDataCommand } from './app/data-commands.ts'
import { fail } from './app/fail.ts'
import { runMove } from './app/move-command.ts'
import { serveNotReady } from './app/not-ready-server.ts'
import { runPlan } from './app/plan-command.ts'
import { serve } from './app/serve.ts'
import { readConfig } from './base/config.ts'
import { ChangesRefused } from './engine/changes/obstacles.ts'

function leaveOn(signals: readonly NodeJS.Signals[], { close }: { close(): Promise<void> }, code: number) {
  for (const signal of signals) {
    process.once(signal, () => {
      console.log(`${signal}: closing`)
      close().then(() => process.exit(code), fail)
    })
  }
}

/** A start that the data stands against is not repeated: nothing changes until a person acts. */
async function answerNotReady(refused: ChangesRefused) {
  console.error(refused.message)
  const notReady = await serveNotReady(readConfig(process.env), refused)
  console.error(`Until it is stopped, ${notReady.address}/api/ready answers 503 with this list`)
  leaveOn(['SIGTERM', 'SIGINT'], notReady, 1)
}

async function start() {
  const starting = serve(process.env, fail)
  // Also while it starts: what has begun is ended in order.
  leaveOn(['SIGTERM', 'SIGINT'], { close: async () => (await starting).close() }, 0)
  const serving = await starting
  // A mistake in one answer must not end all others.
  process.on('unhandledRejection', (reason) => serving.app.log.error({ err: reason }, 'unhandled rejection'))
}

const [command, ...options] = process.argv.slice(2)
if (command === 'plan') process.exitCode = await runPlan(options, process.env, { print: console.log }).catch(fail)
else if (command === 'move') await runMove(options, process.env, console.log).catch(fail)
else {
  const work = command ? runDataCommand([command, ...options], process.env).then(console.log) : start()
  work.catch((error: unknown) => (error instanceof ChangesRefused ? answerNotReady(error) : fail(error))).catch(fail)
}
