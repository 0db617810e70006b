import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FolderInUse, takeLock } from '#server/db/lock-file.ts'

let folder: string
const file = () => join(folder, 'server.lock')
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'ess-lock-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const deadPid = () => spawnSync('true').pid

it('is held by one at a time and free again afterwards', async () => {
  const lock = await takeLock(folder)
  await expect(takeLock(folder)).rejects.toThrow(FolderInUse)
  await lock.release()
  expect(readdirSync(folder)).toEqual([])
  await (await takeLock(folder)).release()
})

it('goes to exactly one of many who come together', async () => {
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => takeLock(folder)))
  const taken = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
  expect(taken).toHaveLength(1)
  await taken[0]?.release()
})

it('is taken over from a process that has died, and from a pid that another program has got since', async () => {
  writeFileSync(file(), JSON.stringify({ pid: deadPid(), host: hostname(), started: 'then' }))
  await (await takeLock(folder)).release()
  writeFileSync(file(), JSON.stringify({ pid: process.ppid, host: hostname(), started: 'another boot/1' }))
  await (await takeLock(folder)).release()
  writeFileSync(file(), 'half a lo')
  await (await takeLock(folder)).release()
})

it('believes the beat of another machine, until it stops', async () => {
  writeFileSync(file(), JSON.stringify({ pid: 1, host: 'another-machine', started: '' }))
  await expect(takeLock(folder)).rejects.toThrow('process 1 on another-machine')
  const longAgo = new Date(Date.now() - 60_000)
  utimesSync(file(), longAgo, longAgo)
  await (await takeLock(folder)).release()
})

it('does not take a process of another container for one of its own, though host name and pid are the same', async () => {
  for (const pid of [process.pid, deadPid()]) {
    writeFileSync(file(), JSON.stringify({ pid, host: hostname(), space: 'pid:[1]', started: 'then' }))
    await expect(takeLock(folder)).rejects.toThrow(FolderInUse)
    const longAgo = new Date(Date.now() - 60_000)
    utimesSync(file(), longAgo, longAgo)
    await (await takeLock(folder)).release()
  }
})
