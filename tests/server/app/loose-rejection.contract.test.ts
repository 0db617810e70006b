import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

/** Runs in the server before its own code: a mistake that nothing of the server waits for. */
const mistake = `process.on('SIGUSR2', () => { Promise.reject(new Error('nobody waits for this')) })`

describe.each(oneEngine(import.meta.filename))('a promise that nobody waits for on $name', (engine) => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await ServerProcess.on(engine)
    vi.stubEnv('NODE_OPTIONS', `--import=data:text/javascript,${encodeURIComponent(mistake)}`)
    await server.start()
    vi.unstubAllEnvs()
  }, 90_000)
  afterAll(() => server.remove())

  it('fails without ending the process, and the log has it', async () => {
    server.signal('SIGUSR2')
    await expect.poll(() => server.output).toContain('nobody waits for this')
    expect(server.output).toContain('unhandled rejection')
    expect(await server.call('GET', 'user')).toMatchObject([{ email: 'admin@example.com' }])
    expect((await server.terminate()).code).toBe(0)
  }, 60_000)
})
