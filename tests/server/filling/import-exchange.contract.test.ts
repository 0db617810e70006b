import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { boothDefinitions } from '#tests/support/booth-definitions.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

describe.each(engines)('a file that changes records on $name', (engine) => {
  let server: ToyServer
  let as: string
  beforeAll(async () => {
    server = await openToyServer(engine, {}, boothDefinitions, [
      fillingPart({ rules: {}, mailOf: mailerOf }),
    ])
    as = `admin:${(await server.made('user', { email: 'ann@example.com' })).id}`
  })
  afterAll(() => server.close())

  const send = async (query: string, text: string, target = 'booth') => {
    const headers = { 'content-type': 'text/csv' }
    const answer = await server.call('POST', `import/${target}?${query}`, { as, body: text, headers })
    return { ...answer, report: answer.body as ImportReport }
  }

  it('is taken back newest first to the last record: an undone file is no change by a person', async () => {
    const jobs: string[] = []
    const brings = async (query: string, text: string) => {
      const { report } = await send(query, text, 'voucher')
      expect(report.failed, JSON.stringify(report.faults)).toBe(0)
      jobs.unshift(String(report.jobId))
    }
    const undo = async (job: string | undefined) => (await server.post(`import-job/${job}/undo`, undefined, as)).body
    await brings('', 'code,serial\nU1,u1\nU2,u2')
    await brings('update=true', 'code,serial\nU1,v1\nU2,v2')
    const [, second] = (await server.get('voucher?code=U1&code=U2&_sort=code', as)).rows
    await server.put(`voucher/${second?.id}`, { isKept: true, version: second?.version }, as)
    await brings('update=true', 'code,serial\nU1,w1\nU2,w2')
    expect(await undo(jobs[0])).toMatchObject({ restored: 2, kept: [] })
    const changed = [{ code: 'U2', reason: 'it was changed since' }]
    expect(await undo(jobs[1])).toMatchObject({ restored: 1, kept: changed })
    expect(await undo(jobs[2])).toMatchObject({ removed: 1, kept: changed })
    expect((await server.get('voucher?code=U1&code=U2', as)).rows).toMatchObject([{ code: 'U2', serial: 'v2', isKept: true }])
  })
})
