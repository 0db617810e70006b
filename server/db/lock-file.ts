import { existsSync, readFileSync, readlinkSync, statSync, unlinkSync } from 'node:fs'
import { link, mkdir, readFile, rename, unlink, utimes, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { dirname, join, resolve } from 'node:path'

/** The data folder is locked by a running process. */
export class FolderInUse extends Error {
  override readonly name = 'FolderInUse'
}

/** `path`: the file of the lock, which this process has made. */
export type Lock = { path: string; release(): Promise<void> }

type Holder = { pid: number; host: string; space: string; started: string }

const beatMs = 5_000
const deadAfterMs = 20_000
const fileName = 'server.lock'
const held = new Set<string>()

/** Identifies the pid namespace: containers may share a host name, and each has its own process 1. */
function spaceOfPids(): string {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

/** Start time of a process, to detect a reused pid; empty when unavailable. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}/${ticks}`
  } catch {
    return ''
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

const readHolder = async (path: string): Promise<{ text: string; holder: Holder | undefined } | undefined> => {
  const text = await readFile(path, 'utf8').catch(() => undefined)
  if (text === undefined) return undefined
  try {
    const { pid, host, space, started } = JSON.parse(text) as Partial<Holder>
    return {
      text,
      holder:
        typeof pid === 'number' && typeof host === 'string'
          ? { pid, host, space: space ?? spaceOfPids(), started: started ?? '' }
          : undefined,
    }
  } catch {
    return { text, holder: undefined }
  }
}

const ageOf = (path: string): number => Date.now() - (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0)

/** A local process is probed; for one on another machine or container only the heartbeat of its lock is visible. */
function isAlive(holder: Holder, path: string): boolean {
  if (holder.host !== hostname() || holder.space !== spaceOfPids()) return ageOf(path) < deadAfterMs
  if (holder.pid === process.pid) return held.has(path)
  return isRunning(holder.pid) && startOf(holder.pid) === holder.started
}

/** Moves a stale lock aside; false when another process was faster. */
async function putAside(path: string, stale: string): Promise<boolean> {
  const aside = `${path}.${process.pid}.stale`
  if (
    !(await rename(path, aside).then(
      () => true,
      () => false,
    ))
  )
    return false
  const taken = await readFile(aside, 'utf8')
  // The moved lock already belongs to a new owner: restore it.
  if (taken !== stale) await link(aside, path).catch(() => undefined)
  await unlink(aside)
  return taken === stale
}

const unusable = (folder: string) => (error: NodeJS.ErrnoException) => {
  throw new Error(
    `The data folder ${resolve(folder)} can not be used (${error.code}): set DATA_DIR to a folder that this user may write.`,
    { cause: error },
  )
}

const isFolder = (path: string) => existsSync(path) && statSync(path).isDirectory()

/** Step by step: the recursive call of Node does not return where a folder can not be made, as in /proc. */
async function makeFolder(folder: string): Promise<void> {
  const path = resolve(folder)
  if (isFolder(path)) return
  if (dirname(path) !== path) await makeFolder(dirname(path))
  await mkdir(path).catch((error) => isFolder(path) || unusable(folder)(error))
}

/** Locks a folder for this process. The lock of a dead process is taken over. Throws FolderInUse. */
export async function takeLock(folder: string): Promise<Lock> {
  await makeFolder(folder)
  const path = join(resolve(folder), fileName)
  const mine = `${path}.${process.pid}.new`
  const text = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    space: spaceOfPids(),
    started: startOf(process.pid),
  } satisfies Holder)
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const found = await readHolder(path)
    if (found?.holder && isAlive(found.holder, path)) {
      const { pid, host, space } = found.holder
      const where = host === hostname() && space === spaceOfPids() ? '' : ` on ${host}`
      throw new FolderInUse(
        `The data folder ${resolve(folder)} is in use by process ${pid}${where}. Stop it first, or set DATA_DIR to another folder.`,
      )
    }
    if (found && !(await putAside(path, found.text))) continue
    // Written first, then linked: no process ever reads a partial lock.
    await writeFile(mine, text).catch(unusable(folder))
    const taken = await link(mine, path).then(
      () => true,
      () => false,
    )
    await unlink(mine)
    if (taken) return keep(path)
  }
  throw new FolderInUse(`The data folder ${resolve(folder)} is being taken by another process right now.`)
}

function keep(path: string): Lock {
  held.add(path)
  const beat = setInterval(() => void utimes(path, new Date(), new Date()).catch(() => undefined), beatMs)
  beat.unref()
  // Removes the lock on process.exit, so that the next start need not probe for a live owner.
  const leave = () => {
    if (held.has(path)) unlinkSync(path)
  }
  process.once('exit', leave)
  return {
    path,
    async release() {
      clearInterval(beat)
      process.off('exit', leave)
      held.delete(path)
      await unlink(path).catch(() => undefined)
    },
  }
}
