import { describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import type { AnyResource } from '#schema/resource.ts'
import { applyPlan } from '#server/engine/changes/plan.ts'
import { recordsPart } from '#server/engine/engine-part.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { valuesBeforeImport } from '#server/filling/job-store.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { engines, openMigrated } from '#tests/support/databases.ts'
import { openServer } from '#tests/support/open-server.ts'
import { anybody, ToyServer } from '#tests/support/toy-server.ts'

const now = '2026-03-02T08:00:00.000Z'
const admins = { list: ['admin'], create: ['admin'], edit: ['admin'], delete: ['admin'] } as const
const of = (type: string, one: string, facts: object = {}) => ({ type, label: [one, `${one}я`], ...facts }) as Field
const resource = (name: string, fields: Fields, more: Partial<AnyResource> = {}): AnyResource => ({
  name,
  label: { one: [name, `${name}я`], many: [`${name}s`, `${name}и`] },
  fields,
  access: admins,
  ...more,
})
const user = resource('user', {
  email: of('email', 'Mail', { required: true, unique: true }),
  firstName: of('text', 'First name'),
  lastName: of('text', 'Last name'),
})
const code = of('text', 'Code', { required: true, unique: true })
const kind = (facts: object) => of('enum', 'Kind', facts)
const before = resource('visit', {
  code,
  note: of('text', 'Note'),
  size: of('text', 'Size'),
  kind: kind({ options: ['A', 'B'] }),
  old: of('text', 'Old'),
})
const after = resource(
  'trip',
  {
    code,
    remark: of('text', 'Remark', { was: 'note' }),
    size: of('integer', 'Size', { convert: { from: 'text' } }),
    kind: kind({ options: ['C', 'B'], choicesWere: { C: 'A' } }),
  },
  { was: 'visit', gone: ['old'] },
)

describe.each(engines)('an import from before a plan on $name', (engine) => {
  const start = async (database: Awaited<ReturnType<typeof openMigrated>>, definitions: AnyResource[]) => {
    const parts = [anybody, recordsPart({ rules: {}, mailOf: mailerOf }), fillingPart({ rules: {}, mailOf: mailerOf })]
    const opened = await openServer({
      database,
      definitions: definitionsOf(definitions),
      clock: { at: Date.parse(now) },
      parts,
    })
    return new ToyServer(opened)
  }

  it('is undone under the names, types and choices of today; what they do not take is said and stays', async () => {
    const database = await openMigrated(engine)
    const first = await start(database, [user, before])
    for (const [name, size] of [
      ['V1', '5'],
      ['V2', 'five'],
      ['V4', '4'],
    ])
      await first.made('visit', { code: name, note: 'former', size, kind: 'A', old: 'o' })
    const text = 'code,note,size,kind,old\nV1,newer,6,B,p\nV2,newer,7,B,o\nV3,x,8,A,o\nV4,newer,9,B,o'
    const sent = await first.call('POST', 'import/visit?update=true', {
      as: 'admin',
      body: text,
      headers: { 'content-type': 'text/csv' },
    })
    expect(sent.body, sent.text).toMatchObject({ created: 1, updated: 3 })
    const next = [user, after]
    const wanted = { definitions: definitionsOf(next), goneResources: [], rules: {}, now }
    const places = [{ table: 'importJob', column: 'target' }]
    const { plan } = await applyPlan(database, { ...wanted, places, keptValues: [valuesBeforeImport] }, { version: '1' })
    expect(plan.obstacles).toEqual([])
    const second = await start(database, next)
    const undone = await second.post(`import-job/${sent.body.jobId}/undo`, undefined)
    expect(undone.body, undone.text).toMatchObject({ removed: 1, restored: 3 })
    expect((undone.body as { kept: unknown }).kept).toEqual([
      { code: 'V1', reason: expect.stringContaining('defined otherwise since: old') },
      { code: 'V2', reason: expect.stringContaining('defined otherwise since: Size') },
    ])
    expect((await second.get('trip?_sort=code')).rows).toMatchObject([
      { code: 'V1', remark: 'former', size: 5, kind: 'C' },
      { code: 'V2', remark: 'former', size: 7, kind: 'C' },
      { code: 'V4', remark: 'former', size: 4, kind: 'C' },
    ])
    await second.close()
  })

  it('is undone as far as it can be after a plan of a release that left its values as they were', async () => {
    const database = await openMigrated(engine)
    const first = await start(database, [user, before])
    await first.made('visit', { code: 'V1', note: 'former', size: 'five', kind: 'A', old: 'o' })
    const body = 'code,note,size,kind,old\nV1,newer,6,B,p'
    const sent = await first.call('POST', 'import/visit?update=true', {
      as: 'admin',
      body,
      headers: { 'content-type': 'text/csv' },
    })
    const next = [user, after]
    const wanted = { definitions: definitionsOf(next), goneResources: [], rules: {}, now }
    await applyPlan(database, { ...wanted, places: [{ table: 'importJob', column: 'target' }] }, { version: '1' })
    const second = await start(database, next)
    const undone = await second.post(`import-job/${sent.body.jobId}/undo`, undefined)
    expect(undone.body, undone.text).toMatchObject({ restored: 1 })
    expect((undone.body as { kept: unknown }).kept).toEqual([
      { code: 'V1', reason: expect.stringMatching(/: old, Kind, Size$/) },
    ])
    expect((await second.get('trip')).rows).toMatchObject([{ code: 'V1', remark: 'former', size: 6, kind: 'B' }])
    await second.close()
  })
})
