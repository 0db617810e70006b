import { execFile } from 'node:child_process'
import { existsSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'

const execute = promisify(execFile)
const gigabyte = 1024 ** 3
const program = `
  import { memoryFolder } from '${pathToFileURL('.ci/memory-folder.mjs')}'
  import { statSync, writeFileSync } from 'node:fs'
  const folder = memoryFolder()
  if (folder) writeFileSync(folder + '/left', 'a file')
  console.log(JSON.stringify(folder ? { folder, mode: statSync(folder).mode & 0o7777 } : null))
  if (process.env.ENDS_BY) process.kill(process.pid, process.env.ENDS_BY)
  await new Promise((resolve) => setTimeout(resolve, 200))`

async function told(env: Record<string, string>): Promise<{ folder: string; mode: number } | null> {
  const { TMPDIR: _, ...rest } = process.env
  const run = execute(process.execPath, ['--input-type=module', '-e', program], { env: { ...rest, ...env } })
  const { stdout } = await run.catch((error: { stdout: string }) => error)
  return JSON.parse(stdout)
}

const { bavail, bsize } = existsSync('/dev/shm') ? statfsSync('/dev/shm') : { bavail: 0, bsize: 0 }
const hasRoom = bavail * bsize >= 5 * gigabyte && freemem() >= 9 * gigabyte
const ends: Record<string, string>[] = [{}, { ENDS_BY: 'SIGTERM' }, { ENDS_BY: 'SIGINT' }]

describe('the folder in memory for temporary files of the tests', () => {
  it.each(ends)('is open to every user while the tests run and gone after them: %o', async (env) => {
    const made = await told(env)
    if (hasRoom) expect(made).toEqual({ folder: expect.stringMatching(/^\/dev\/shm\/ess-tests-/), mode: 0o1777 })
    expect(existsSync(made?.folder ?? '/dev/shm/none')).toBe(false)
  })

  it('is not made where another place is asked for', async () => {
    expect(await told({ TMPDIR: '/tmp' })).toBe(null)
  })
})
