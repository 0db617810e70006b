import type { Api, ServerContext, ServerPart } from '#server/base/context.ts'
import { Simulation } from './simulation.ts'

const everyMs = 1_000
/** Ticks until stopped. Returns the stop function. */
function play(simulation: Simulation, { log }: ServerContext): () => Promise<void> {
  let underway: Promise<void> | undefined
  let isStopped = false
  const tick = () => {
    underway ??= simulation
      .tick()
      .catch((error: unknown) => {
        // Errors of aborted work during shutdown are not logged.
        if (!isStopped) log.error({ err: error }, 'the demo fleet stumbled')
      })
      .finally(() => {
        underway = undefined
      })
  }
  const timer = setInterval(tick, everyMs)
  timer.unref()
  tick()
  return async () => {
    isStopped = true
    clearInterval(timer)
    simulation.end()
    await underway
    await simulation.close()
  }
}

/**
 * Runs the demo fleet while the server listens: its boards call the server's own device API over HTTP. Does nothing when the
 * demo is off.
 */
export function simulatorPart(): ServerPart {
  const apis = new WeakMap<ServerContext, Api>()
  const stops = new WeakMap<ServerContext, () => Promise<void>>()
  return {
    name: 'simulator',
    register(api, context) {
      apis.set(context, api)
      // Before the server refuses requests, since the boards send some.
      api.addHook('preClose', async () => stops.get(context)?.())
    },
    async start(context) {
      const api = apis.get(context)
      const { demo, demoLive } = context.config
      if (demo && demoLive && api) stops.set(context, play(new Simulation(api, context), context))
      return async () => {}
    },
  }
}
