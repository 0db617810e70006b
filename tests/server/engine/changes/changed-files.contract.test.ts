import { beforeEach, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { dayMs } from '#schema/format/durations.ts'
import { removeUnusedFiles } from '#server/engine/files/remove-unused-files.ts'
import { changingDatabase, label, visit } from '#tests/support/changing-table.ts'
import { engines } from '#tests/support/databases.ts'
import { PlannedTable, plannedAt } from '#tests/support/planned-table.ts'

const paper = (type: 'file' | 'files', facts: object = {}) => visit({ paper: { type, label, ...facts } as Field })
const stored = (id: string) => ({ id, name: `${id}.txt`, type: 'text/plain', sizeBytes: 1, sha256: 'x' })
const later = new Date(Date.parse(plannedAt) + 30 * dayMs)

describe.each(engines)('a field of one file or several on $name', (engine) => {
  const database = changingDatabase(engine)
  let table: PlannedTable
  beforeEach(() => {
    table = new PlannedTable(database())
  })
  const upload = (...ids: string[]) =>
    Promise.all(
      ids.map((id) =>
        table.run(`insert into "storedFile"
          ("id", "owner", "field", "name", "type", "sizeBytes", "sha256", "content", "uploadedBy", "uploadedAt", "usedAt")
          values ('${id}', 'visit', 'paper', '${id}.txt', 'text/plain', 1, 'x', 'x', 'u1', '${plannedAt}', '${plannedAt}')`),
      ),
    )
  const left = async () => (await table.run('select "id" from "storedFile" order by "id"')).map(({ id }) => id)
  const values = async () => (await table.rows('"paper"')).map((row) => row.paper)

  it('takes one file into several by a plan, and loses none of them by clean-up and purge', async () => {
    await table.start(paper('file'))
    await table.fill('visit', [
      { id: 'a', paper: stored('p') },
      { id: 'b', paper: null },
    ])
    await upload('p')
    await expect(table.start(paper('files'))).rejects.toThrow('To do: say `convert` at the field')
    const next = paper('files', { convert: { from: 'file' } })
    expect(await table.change(next)).toMatchObject([{ kind: 'convert', field: 'paper', rows: 1, from: 'file', to: 'files' }])
    expect(await values()).toEqual([[stored('p')], null])
    await removeUnusedFiles({ database: database(), definitions: definitionsOf([next]) }, later)
    await table.purge([next], later.toISOString())
    expect(await left()).toEqual(['p'])
  })

  it('takes several into one where there is one, and says which rows have more', async () => {
    await table.start(paper('files'))
    await table.fill('visit', [
      { id: 'a', paper: [stored('p')] },
      { id: 'b', paper: [stored('q'), stored('r')] },
    ])
    await upload('p', 'q', 'r')
    const { obstacles } = await table.plan(paper('file', { convert: { from: 'files' } }))
    expect(obstacles).toMatchObject([{ kind: 'convert', field: 'paper', rows: 1, examples: [{ id: 'b' }] }])
    const next = paper('file', { convert: { from: 'files', otherwise: null } })
    await table.change(next)
    expect(await values()).toEqual([stored('p'), null])
    expect(await table.archive()).toMatchObject([
      { recordId: 'a', value: [stored('p')] },
      { recordId: 'b', value: [stored('q'), stored('r')] },
    ])
    await removeUnusedFiles({ database: database(), definitions: definitionsOf([next]) }, later)
    expect(await left()).toEqual(['p', 'q', 'r'])
  })

  it('tells that the address of a download changes, both ways, under another name too, and only then', async () => {
    const one = '/api/visit/{id}/paper'
    await table.start(paper('file'))
    await table.fill('visit', [{ id: 'a', paper: stored('p') }])
    const several = paper('files', { convert: { from: 'file' } })
    const { links } = await table.plan(several)
    expect(links).toEqual([{ resource: 'visit', address: one, why: `downloads are at ${one}/{file} now` }])
    expect((await table.plan(paper('file', { maxBytes: 9 }))).links).toEqual([])
    await table.change(several)
    expect((await table.plan(paper('file', { convert: { from: 'files' } }))).links).toEqual([
      { resource: 'visit', address: `${one}/{file}`, why: `downloads are at ${one} now` },
    ])
    const renamed = visit({ sheet: { type: 'files', label, was: 'paper' } })
    expect((await table.plan(renamed)).links).toContainEqual({
      resource: 'visit',
      address: `${one}/{file}`,
      why: 'downloads are at /api/visit/{id}/sheet/{file} now',
    })
  })

  it('does not take a file that is kept by the rules of its resource', async () => {
    const { id: _, ...file } = stored('p')
    await table.start(paper('file', { sent: 'alone' }))
    await table.fill('visit', [{ id: 'a', paper: file }])
    expect((await table.plan(paper('files', { convert: { from: 'file' } }))).obstacles).toMatchObject([
      { kind: 'convert', field: 'paper', rows: 1 },
    ])
  })
})
