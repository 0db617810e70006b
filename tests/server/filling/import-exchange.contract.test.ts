import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import { defineResource } from '#schema/resource.ts'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { boothDefinitions } from '#tests/support/booth-definitions.ts'
import { engines } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const seat = defineResource({
  name: 'seat',
  label: { one: ['Seat', 'Место'], many: ['Seats', 'Места'] },
  title: 'code',
  unique: [['hall', 'number']],
  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true },
    hall: { type: 'text', label: ['Hall', 'Зал'] },
    number: { type: 'integer', label: ['Number', 'Номер'] },
  },
  access: { list: ['admin'], create: ['admin'], edit: ['admin'], delete: ['admin'] },
})

describe.each(engines)('a file that changes records on $name', (engine) => {
  let server: ToyServer
  let as: string
  beforeAll(async () => {
    server = await openToyServer(engine, {}, definitionsOf([...boothDefinitions.values(), seat]), [
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

  it('changes values that are unique as they are after the whole file, and takes them back', async () => {
    await send('', 'code,serial\nX1,x1\nX2,x2\nX3,x3\nX4,x4', 'voucher')
    const serials = async () => {
      const rows = (await server.get('voucher?code=X1&code=X2&code=X3&code=X4&code=X5&_sort=code', as)).rows
      return rows.map(({ code, serial }) => `${code} ${serial}`).join(' ')
    }
    const { report, text } = await send('update=true', 'code,serial\nX1,x2\nX2,x1\nX3,x4\nX5,x3\nX4,x5', 'voucher')
    expect(report, text).toMatchObject({ updated: 4, created: 1, failed: 0 })
    expect(await serials()).toBe('X1 x2 X2 x1 X3 x4 X4 x5 X5 x3')
    const undone = await server.post(`import-job/${report.jobId}/undo`, undefined, as)
    expect(undone.body).toMatchObject({ restored: 4, removed: 1, kept: [] })
    expect(await serials()).toBe('X1 x1 X2 x2 X3 x3 X4 x4')
  })

  it('takes no unique value of a record that keeps it, and none that a bad row would have freed', async () => {
    await send('', 'code,serial\nY1,y1\nY2,y2\nY3,y3', 'voucher')
    const file = 'code,serial,isKept\nY1,y2,\nY2,y3,\nY3,y4,maybe'
    const { report } = await send('update=true&skipInvalid=true', file, 'voucher')
    expect(report.faults).toMatchObject([
      { row: 2, column: 'serial', message: 'This value is already taken' },
      { row: 3, column: 'serial', message: 'This value is already taken' },
      { row: 4, column: 'isKept' },
    ])
    expect(report).toMatchObject({ updated: 0, failed: 3 })
    const tree = 'code,serial,partOfId,isKept\nY9,,,maybe\nY1,y2,,\nY2,y5,Y9,\nY3,y6,,'
    const orphan = await send('update=true&skipInvalid=true', tree, 'voucher')
    expect(orphan.report.faults.map(({ row, column }) => `${row} ${column}`)).toEqual(['2 isKept', '3 serial', '4 partOfId'])
    expect(orphan.report).toMatchObject({ updated: 1, created: 0, failed: 3 })
    const serials = (await server.get('voucher?code=Y1&code=Y2&code=Y3&_sort=code', as)).rows.map(({ serial }) => serial)
    expect(serials).toEqual(['y1', 'y2', 'y6'])
    const kept = await send('update=true&skipInvalid=true', 'code,serial\nY1,y6\nY3,', 'voucher')
    expect(kept.report).toMatchObject({ updated: 0, failed: 1, faults: [{ row: 2, column: 'serial' }] })
  })

  it('exchanges values that are unique together, in rows that stand far apart', async () => {
    await send('', 'code,hall,number\nS1,S,1\nS2,S,2\nS3,S,', 'seat')
    const fill = (hall: string) => Array.from({ length: 150 }, (_, index) => `F${index},${hall},${index}`)
    const first = ['code,hall,number', 'S1,S,2', ...fill('A'), 'S2,S,3', 'S3,S,1']
    const { report, text } = await send('update=true', first.join('\n'), 'seat')
    expect(report, text).toMatchObject({ updated: 3, created: 150, failed: 0 })
    const numbers = async () => {
      const rows = (await server.get('seat?hall=S&_sort=code', as)).rows
      return rows.map(({ code, number }) => `${code} ${number}`).join(' ')
    }
    expect(await numbers()).toBe('S1 2 S2 3 S3 1')
    const swap = ['code,hall,number', 'S1,S,3', ...fill('B'), 'S2,S,2']
    const dry = await send('update=true&dryRun=true', swap.join('\n'), 'seat')
    expect(dry.report).toMatchObject({ updated: 152, failed: 0 })
    expect((await send('update=true', swap.join('\n'), 'seat')).report).toMatchObject({ updated: 152, failed: 0 })
    expect(await numbers()).toBe('S1 3 S2 2 S3 1')
    const same = await send('update=true&skipInvalid=true', 'code,hall,number\nS1,S,1\nS2,S,1\nS3,S,9', 'seat')
    expect(same.report.faults.map(({ row, message }) => `${row} ${message}`)).toContain(
      '3 Row 2 has the same values of these fields together',
    )
    expect(await numbers()).toBe('S1 1 S2 2 S3 9')
  })

  it('exchanges values in rings of some hundreds, which are one transaction, and no larger ones', async () => {
    const ring = (length: number, from: number) =>
      Array.from({ length }, (_, index) => `R${index},r${(index + from) % length}`).join('\n')
    const dry = (length: number) => send('update=true&dryRun=true', `code,serial\n${ring(length, 1)}`, 'voucher')
    await send('', `code,serial\n${ring(300, 0)}`, 'voucher')
    expect((await dry(300)).report).toMatchObject({ updated: 300, failed: 0 })
    await send('', 'code,serial\nR300,r300', 'voucher')
    expect(await dry(301)).toMatchObject({ status: 400, body: { code: 'import.exchange-too-large' } })
    const sent = await send('update=true&skipInvalid=true', `code,serial\n${ring(301, 1)}`, 'voucher')
    expect(sent).toMatchObject({ status: 400, body: { code: 'import.exchange-too-large' } })
  })
})
