import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { oneEngine } from '#tests/support/databases.ts'
import { codes, file, type Importer, openImporter, row } from '#tests/support/import-file.ts'

describe.each(oneEngine(import.meta.filename))('a large import on $name', (engine) => {
  let files: Importer
  beforeAll(async () => {
    files = await openImporter(engine)
  }, 120_000)
  afterAll(() => files?.server.close())

  it('tells a person of every system that is lost to them, beyond the changes that everybody is told of', async () => {
    const { server } = files
    const [former] = await Promise.all(
      ['former', 'next'].map((name) => server.addUser({ email: `${name}@fitters.example`, role: 'installer' })),
    )
    const systems = codes('FIT', 450)
    const fittedBy = (name: string) =>
      ['code,installerId', ...systems.map((code) => `${code},${name}@fitters.example`)].join('\n')
    await files.send('ess', file(...systems.map((code) => row(code))))
    const given = await files.send('ess?update=true', fittedBy('former'))
    expect(given.report, given.text).toMatchObject({ updated: 450 })
    await server.rows('delete from "event"')
    const taken = await files.send('ess?update=true', fittedBy('next'))
    expect(taken.report, taken.text).toMatchObject({ updated: 450 })
    expect(await files.count('event', `"resource" = 'ess' and "userId" = '${former}' and "type" = 'deleted'`)).toBe(450)
    // Two batches, and one of each batch beyond them.
    expect(await files.count('event', `"resource" = 'ess' and "userId" is null`)).toBe(203)
    await server.rows('delete from "event"')
    const undone = await server.call('POST', `import-job/${taken.report.jobId}/undo`, { token: files.token })
    expect(undone.body).toMatchObject({ restored: 450 })
    expect(await files.count('event', `"resource" = 'ess' and "userId" is not null and "type" = 'deleted'`)).toBe(450)
  }, 60_000)
})
