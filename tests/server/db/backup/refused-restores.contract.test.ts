import { chown, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { migrations } from '#server/app/migrations.ts'
import { backUp } from '#server/db/backup/backup.ts'
import { restore } from '#server/db/backup/restore.ts'
import { embeddedFolder } from '#tests/support/databases.ts'
import { productTables } from '#tests/support/templates.ts'

const ids = migrations.map(({ id }) => id)

describe('a restore', () => {
  let folder: string
  let file: string
  let count = 0
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ess-restores-'))
    file = join(folder, 'fleet.tar.gz')
    const dataDir = await embeddedFolder(productTables)
    await backUp({ dataDir, version: '0.1.0' }, file)
    await rm(dataDir, { recursive: true })
  })
  afterAll(() => rm(folder, { recursive: true }))

  const emptyFolder = async () => {
    const dataDir = join(folder, `target-${++count}`)
    await mkdir(dataDir)
    return dataDir
  }

  it('of a newer release names the step that this one lacks, since releases may have one number', async () => {
    const dataDir = await emptyFolder()
    await expect(restore({ dataDir, version: '0.1.0', migrations: ids.slice(0, -1) }, file)).rejects.toThrow(
      `made by a newer release (0.1.0, with the step ${ids.at(-1)}; this one ends with ${ids.at(-2)}): restore it with that one.`,
    )
    expect(await readdir(dataDir)).toEqual([])
  })

  it.runIf(process.getuid?.() === 0)('is refused to root where the folder belongs to another account', async () => {
    const dataDir = await emptyFolder()
    await chown(dataDir, 65_534, 65_534)
    await expect(restore({ dataDir, version: '0.1.0', migrations: ids }, file)).rejects.toThrow(
      `The folder ${dataDir} belongs to the account 65534: run this by that account. Nothing was changed.`,
    )
    expect(await readdir(dataDir)).toEqual([])
  })
})
