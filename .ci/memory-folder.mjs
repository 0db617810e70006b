import { chmodSync, existsSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { freemem } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** The tests fill a quarter of it. */
const roomNeeded = 4 * 1024 ** 3

/** Containers often have 64 MB there, and files in memory must leave enough for the tests themselves. */
function hasRoom() {
  if (!existsSync(memory)) return false
  const { bavail, bsize } = statfsSync(memory)
  return bavail * bsize >= roomNeeded && freemem() >= 2 * roomNeeded
}

/**
 * A place for temporary files in memory, where there is one: the tests make and remove thousands of databases, and on a disk
 * the kernel's search for free inodes alone is an eighth of their work. Undefined where memory is short or TMPDIR is set.
 */
export function memoryFolder() {
  if (process.env.TMPDIR || !hasRoom()) return undefined
  const folder = mkdtempSync(join(memory, 'ess-tests-'))
  // PostgreSQL runs as another user.
  chmodSync(folder, 0o1777)
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  for (const [signal, code] of [
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ])
    process.once(signal, () => process.exit(code))
  return folder
}
