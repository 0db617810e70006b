import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { boothDefinitions } from '#tests/support/booth-definitions.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const codesOf = (letter: string, count: number) =>
  Array.from({ length: count }, (_, index) => `${letter}${String(index).padStart(3, '0')}`)

describe.each(oneEngine(import.meta.filename))('an undo of a file that moved unique values on $name', (engine) => {
  let server: ToyServer
  let as: string
  beforeAll(async () => {
    server = await openToyServer(engine, {}, boothDefinitions, [fillingPart({ rules: {}, mailOf: mailerOf })])
    as = `admin:${(await server.made('user', { email: 'ann@example.com' })).id}`
  })
  afterAll(() => server.close())

  const bring = async (query: string, rows: readonly string[]) => {
    const headers = { 'content-type': 'text/csv' }
    const body = ['code,serial', ...rows].join('\n')
    const answer = await server.call('POST', `import/voucher?${query}`, { as, body, headers })
    return answer.body as ImportReport
  }
  const undo = async ({ jobId }: ImportReport) => (await server.post(`import-job/${jobId}/undo`, undefined, as)).body
  const serialsOf = async (letter: string) => {
    const rows = await server.select(`select "code", "serial" from "voucher" where "code" like '${letter}%' order by "code"`)
    return rows.map(({ code, serial }) => `${code},${serial}`)
  }

  it('gives a value back over the borders of batches, whoever holds it until then', async () => {
    const codes = codesOf('O', 250)
    const former = codes.map((code, index) => `${code},o${index}`)
    await bring('', former)
    const moved = await bring(
      'update=true',
      codes.map((code, index) => `${code},o${index - 1}`),
    )
    expect(moved).toMatchObject({ updated: 250, failed: 0 })
    expect(await undo(moved)).toMatchObject({ restored: 250, kept: [] })
    expect(await serialsOf('O')).toEqual(former)
  }, 120_000)

  it('gives back what a record of the file holds that goes', async () => {
    const codes = codesOf('P', 150)
    const former = codes.map((code, index) => `${code},p${index}`)
    await bring('', former)
    const moved = await bring('update=true', [
      ...codes.map((code, index) => `${code},p${index - 1}`),
      ...codesOf('PN', 120).map((code, index) => `${code},p${149 + index}`),
    ])
    expect(moved).toMatchObject({ updated: 150, created: 120, failed: 0 })
    expect(await undo(moved)).toMatchObject({ restored: 150, removed: 120, kept: [] })
    expect(await serialsOf('P')).toEqual(former)
  })

  it('keeps a record whose value another has, and those that wait for it, and exchanges the others', async () => {
    await bring('', ['Q1,q1', 'Q2,q2', 'Q3,q3', 'Q4,q4', 'Q5,q5', 'Q6,q6'])
    const moved = await bring('update=true', ['Q1,q2', 'Q2,q1', 'Q3,q4', 'Q4,q3', 'Q5,new', 'Q6,q5'])
    expect(moved).toMatchObject({ updated: 6, failed: 0 })
    await bring('', ['Q9,q6'])
    const taken = 'another record has its former value'
    expect(await undo(moved)).toMatchObject({
      restored: 4,
      kept: [
        { code: 'Q5', reason: taken },
        { code: 'Q6', reason: taken },
      ],
    })
    expect(await serialsOf('Q')).toEqual(['Q1,q1', 'Q2,q2', 'Q3,q3', 'Q4,q4', 'Q5,new', 'Q6,q5', 'Q9,q6'])
  })
})
