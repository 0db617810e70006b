import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openLine } from '#tests/support/device-line.ts'

const run = promisify(execFile)

describe.each(oneEngine(import.meta.filename))('the key of the board in Python on $name', (engine) => {
  let server: BoardServer
  let folder: string
  beforeAll(async () => {
    server = await openLine(engine)
    folder = await mkdtemp(join(tmpdir(), 'ess-former-'))
  })
  afterAll(async () => {
    await server.close()
    await rm(folder, { recursive: true })
  })

  /** Statuses of calls of the state, one after the other, by a process that begins with the keys in the folder. */
  const ask = async (times: number) => {
    const { port } = server.app.server.address() as AddressInfo
    const calls = `import sys; sys.path.insert(0, 'examples/device')
from keys import Keys
from line import Line
line = Line('http://127.0.0.1:${port}', Keys('${join(folder, 'key')}'))
if sys.argv[1] == '0': print([line.keys.rotate(line).status])
else: print([line.call('GET', 'state').status for _ in range(int(sys.argv[1]))])`
    return JSON.parse((await run('python3', ['-B', '-c', calls, String(times)])).stdout)
  }
  const keyOf = (name: string) => readFile(join(folder, name), 'utf8')

  it('is the former one again where the server knows that alone, as after a restore', async () => {
    const board = await server.addBoard()
    await writeFile(join(folder, 'key'), board.key)
    expect([await ask(0), await ask(1)]).toEqual([[201], [200]])
    const changed = await keyOf('key')
    expect([await keyOf('key.former'), changed === board.key]).toEqual([board.key, false])
    await server.rows(
      `update "deviceKey" set "hash" = "oldHash", "oldHash" = null, "oldUntil" = null where "controlPcbId" = '${board.id}'`,
    )
    expect(await ask(3)).toEqual([403, 200, 200])
    // The other one is kept: the service may bring back a newer backup.
    expect([await keyOf('key'), await keyOf('key.former')]).toEqual([board.key, changed])
  })

  it('stays the present one where the server knows the former one neither, which is tried once', async () => {
    await writeFile(join(folder, 'key'), 'present')
    await writeFile(join(folder, 'key.former'), 'former')
    expect(await ask(3)).toEqual([403, 403, 403])
    expect([await keyOf('key'), existsSync(join(folder, 'key.former'))]).toEqual(['present', false])
  })
})
