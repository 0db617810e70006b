import { test as base } from './console.ts'
import { startFleet } from './live-server.ts'
import { ServerClock } from './server-clock.ts'

/** The console before a server whose clock can be put ahead. */
export const test = base.extend<object, { clock: ServerClock }>({
  clock: [
    async ({ browserName }, use) => {
      const clock = await ServerClock.make(browserName)
      await use(clock)
      await clock.remove()
    },
    { scope: 'worker' },
  ],
  server: [
    async ({ clock }, use) => {
      const server = await startFleet({ env: clock.env })
      await use(server)
      await server.stop()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
})
