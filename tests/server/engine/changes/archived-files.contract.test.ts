import { beforeEach, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { dayMs } from '#schema/format/durations.ts'
import type { AnyResource } from '#schema/resource.ts'
import { removePurgedFiles, removeUnusedFiles } from '#server/engine/files/remove-unused-files.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable, plannedAt } from '#tests/support/planned-table.ts'

const text = { type: 'text', label } as const
const photo = { type: 'file', label } as const
const papers = { type: 'files', label } as const
const stored = (id: string) => ({ id, name: `${id}.txt`, sizeBytes: 1, sha256: 'x' })
const later = new Date(Date.parse(plannedAt) + 30 * dayMs)

describe.each(engines)('a file of an archived value on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  const clean = (...resources: AnyResource[]) =>
    removeUnusedFiles({ database: database(), definitions: definitionsOf(resources) }, later)
  const left = async () => (await table.run('select "id" from "storedFile" order by "id"')).map(({ id }) => id)
  const upload = (owner: string, field: string, ...ids: string[]) =>
    Promise.all(
      ids.map((id) =>
        table.run(`insert into "storedFile"
          ("id", "owner", "field", "name", "type", "sizeBytes", "sha256", "content", "uploadedBy", "uploadedAt", "usedAt")
          values ('${id}', '${owner}', '${field}', '${id}.txt', 'text/plain', 1, 'x', 'x', 'u1', '${plannedAt}', '${plannedAt}')`),
      ),
    )
  beforeEach(async () => {
    table = new PlannedTable(database())
    await table.start(visit({ name: text, photo, papers, kept: photo }))
    await table.fill('visit', [
      { id: 'a', name: 'n', photo: stored('p'), papers: [stored('q'), stored('r')], kept: stored('k') },
    ])
    await upload('visit', 'photo', 'p', 'idle')
    await upload('visit', 'papers', 'q', 'r')
    await upload('visit', 'kept', 'k')
  })

  it('outlives the clean-up of unused uploads, and goes with the purge at once', async () => {
    const next = visit({ name: text, kept: photo }, { gone: ['photo', 'papers'] })
    await table.change(next)
    await clean(next)
    expect(await left()).toEqual(['k', 'p', 'q', 'r'])
    await table.purge([next], later.toISOString())
    expect(await left()).toEqual(['k'])
  })

  it('goes with tens of thousands of others, more than a statement takes values', async () => {
    const many = Array.from({ length: 66_000 }, (_, index) => `none${index}`)
    await removePurgedFiles(database().kysely, definitionsOf([visit({ name: text, photo })]), [...many, 'idle', 'p', 'k'])
    expect(await left()).toEqual(['p', 'q', 'r'])
  })

  it('stays where its resource is gone, too', async () => {
    table.goneResources = ['visit']
    const other = visit({ name: text }, { name: 'trip' })
    await table.apply([other])
    await clean(other)
    expect(await left()).toEqual(['k', 'p', 'q', 'r'])
    await table.purge([other], later.toISOString())
    expect(await left()).toEqual([])
  })

  it('stays after a purge where a record names it again', async () => {
    const next = visit({ name: text, papers, kept: photo }, { gone: ['photo'] })
    await table.change(next)
    await table.run(`update "visit" set "kept" = (select "value" from "planArchive")`)
    await table.purge([next], later.toISOString())
    expect(await left()).toContain('p')
  })

  it('of a plan that is applied together with a purge stays until the next one', async () => {
    const next = visit({ name: text, papers, kept: photo }, { gone: ['photo'] })
    await table.purge([next], later.toISOString())
    expect(await left()).toContain('p')
  })
})
