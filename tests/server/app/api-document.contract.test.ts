import { execFile, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parts } from '#server/app/parts.ts'
import { oneEngine, openProductTables } from '#tests/support/databases.ts'
import { installDebianPackage } from '#tests/support/install-debian-package.ts'
import { type OpenedServer, openServer } from '#tests/support/open-server.ts'

const blocks = [...readFileSync('docs/api.md', 'utf8').matchAll(/```sh\n(.*?)```/gs)].map(([, text = '']) => text)

describe.each(oneEngine(import.meta.filename))('the page on the API, on $name', (engine) => {
  let server: OpenedServer
  beforeAll(async () => {
    if (spawnSync('curl', ['--version']).error) installDebianPackage('curl')
    const database = await openProductTables(engine)
    const env = { DEMO: '1', DEMO_SIZE: '10', DEMO_LIVE: 'false', DEMO_PASSWORD: 'demo-password', LOG_LEVEL: 'silent' }
    server = await openServer({ database, parts, isListening: true, env })
  })
  afterAll(() => server?.close())

  it('runs every command of docs/api.md, in its order, with the answers that the page tells of', async () => {
    const env = { ...process.env, API: `${server.app.listeningOrigin}/api` }
    const script = ['set -euo pipefail', ...blocks].join('\n')
    const { stdout, stderr } = await promisify(execFile)('bash', ['-c', script], { env })
    const lines = stdout.replace('\uFEFF', '').split('\n')
    expect(lines).toEqual([
      'Signed in as admin',
      expect.stringMatching(/^ESS-\d{6} ESS-\d{6}$/),
      expect.stringMatching(/^x-total-count: \d+\r?$/),
      '2',
      'HARBOUR-1',
      'invalid',
      expect.stringMatching(/^Code,Name,/),
      expect.stringMatching(/^ESS-\d{6},/),
      '1',
      '422',
      ': connected',
      '204',
      '',
    ])
    expect(stderr).toBe('')
  })
})
