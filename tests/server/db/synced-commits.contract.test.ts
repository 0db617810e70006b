import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { embeddedFolder } from '#tests/support/databases.ts'

/** Runs before everything in each thread, and says each time that the system is really asked to write to the disk. */
const watch = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
const sync = fs.fsyncSync
fs.fsyncSync = (file) => { fs.writeSync(1, 'synced\\n'); return sync(file) }
syncBuiltinESMExports()`

const writer = `
import { writeSync } from 'node:fs'
import { openDatabase } from '#server/db/connect.ts'
const database = await openDatabase({ dataDir: process.env.DATA_DIR })
await database.pool.query('create table "row" ("n" int)')
for (let n = 1; n <= 10; n += 1) {
  writeSync(1, 'asked\\n')
  await database.pool.query('insert into "row" values ($1)', [n])
  writeSync(1, 'answered\\n')
}
await database.close()`

it('a commit of the embedded database is on the disk when it is answered', async () => {
  const dataDir = await embeddedFolder()
  const args = ['--import', 'tsx', '--input-type=module', '-e', writer]
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(watch)}`
  const { stdout } = await promisify(execFile)(process.execPath, args, {
    env: { ...process.env, DATA_DIR: dataDir, NODE_OPTIONS },
  })
  rmSync(dataDir, { recursive: true })
  const commits = [...stdout.matchAll(/asked\n((?:synced\n)*)answered\n/g)].map(([, between = '']) => between !== '')
  expect(commits).toEqual(Array(10).fill(true))
})
