import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { embedded } from '#tests/support/databases.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

let server: ServerProcess
let folder: string
beforeAll(async () => {
  server = await ServerProcess.on(embedded)
  folder = await mkdtemp(join(tmpdir(), 'ess-commands-'))
  await server.start()
})
afterAll(async () => {
  await server.remove()
  await rm(folder, { recursive: true })
})

it('a backup is taken of the server that runs, and a restore to a full place ends with code 1 and one line', async () => {
  const file = join(folder, 'fleet.tar.gz')
  const backup = await server.run(['backup', file])
  expect(backup).toMatchObject({ code: 0, output: expect.stringMatching(/^Backup of \d+ tables, \d+ rows in .*\n$/) })
  expect(await server.call('GET', 'user')).toMatchObject([{ email: 'admin@example.com' }])

  const refused = await server.run(['restore', file])
  expect(refused).toMatchObject({ code: 1, output: expect.stringMatching(/^The data folder .* is not empty, .*\n$/) })
})
