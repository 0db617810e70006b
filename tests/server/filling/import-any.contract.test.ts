import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { fillingPart } from '#server/filling/filling-part.ts'
import { mailerOf } from '#server/notify/mailer.ts'
import { boothDefinitions } from '#tests/support/booth-definitions.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

type Json = Record<string, unknown>

describe.each(oneEngine(import.meta.filename))('a file of any resource on $name', (engine) => {
  let server: ToyServer
  let as: string
  const people: Json[] = []
  beforeAll(async () => {
    server = await openToyServer(engine, {}, boothDefinitions, [fillingPart({ rules: {}, mailOf: mailerOf })])
    for (const email of ['ann@example.com', 'bob@example.com']) people.push(await server.made('user', { email }))
    as = `admin:${people[0]?.id}`
  })
  afterAll(() => server.close())

  const send = async (query: string, text: string, target = 'booth', caller = as) => {
    const headers = { 'content-type': 'text/csv' }
    const answer = await server.call('POST', `import/${target}?${query}`, { as: caller, body: text, headers })
    return { ...answer, report: answer.body as ImportReport }
  }
  const booths = async (hall: string) => (await server.get(`booth?hall=${hall}&_sort=number`, as)).rows

  it('is read by names and by labels in both languages, references by their titles', async () => {
    const first = await send(
      '',
      'Hall,Number,Day,Keeper,Guests,Deposit\nA,1,2026-05-01,Ann@example.com,ann@example.com; bob@example.com,12.50',
    )
    expect(first.report, first.text).toMatchObject({ created: 1, failed: 0 })
    const second = await send('', 'Зал;Номер;День;nextToId;Залог\nA;2;02.05.2026;A-1;0,30')
    expect(second.report, second.text).toMatchObject({ created: 1, failed: 0 })
    const [one, two] = await booths('A')
    expect(one).toMatchObject({
      label: 'A-1',
      heldOn: '2026-05-01',
      keeperId: people[0]?.id,
      guestIds: people.map(({ id }) => id),
      deposit: 12.5,
      bookedById: people[0]?.id,
      state: 'OPEN',
    })
    expect(two).toMatchObject({ heldOn: '2026-05-02', nextToId: one?.id, deposit: 0.3 })
  })

  it('names each fault at once, by row, field and reason, and writes nothing', async () => {
    await send('', 'hall,number,label\nTwin,1,Same\nTwin,2,Same')
    const text = [
      'hall,number,heldOn,keeperId,nextToId,state,deposit',
      'B,one,2026-05-01,,,,',
      ',2,2026-05-01,,,,',
      'B,3,2026-05-01,eve@example.com,,,',
      'B,4,2026-05-01,,Same,,',
      'B,5,2026-05-01,,,SHUT,',
      'B,6,2026-05-01,,,,1.234',
      'B,7,2026-05-01,,,,',
      'B,7,2026-05-01,,,,',
      'A,1,2026-05-01,,,,',
    ].join('\n')
    const { report } = await send('dryRun=true', text)
    const found = report.faults.map(({ row, column }) => `${row} ${column}`)
    expect(found).toEqual([
      '2 number',
      '3 hall',
      '4 keeperId',
      '5 nextToId',
      '6 state',
      '7 deposit',
      '9 hall',
      '9 number',
      '9 heldOn',
    ])
    const messageOf = (row: number) => report.faults.find((fault) => fault.row === row)?.message
    expect(messageOf(5)).toContain('Several records are called so')
    expect(messageOf(9)).toContain('Row 8 has the same values')
    // The last row is there already.
    expect(report).toMatchObject({ skipped: 1 })
    expect((await send('', text)).status).toBe(400)
    expect(await booths('B')).toEqual([])
    expect((await send('skipInvalid=true', text)).report).toMatchObject({ created: 1, failed: 7 })
    expect(await booths('B')).toMatchObject([{ number: 7 }])
  })

  it('names the choices of a cell by word and key, as far as a new record may begin with them, in the language of the reader', async () => {
    const wrong = async (language: string) => {
      const headers = { 'content-type': 'text/csv', 'accept-language': language }
      const body = 'hall,number,heldOn,state\nW,1,2026-05-01,Wide'
      const { text } = await server.call('POST', 'import/booth?dryRun=true', { as, body, headers })
      const report: ImportReport = JSON.parse(text)
      return report.faults.map(({ column, message }) => [column, message])
    }
    expect(await wrong('en')).toEqual([['state', 'Choose one of: Open (OPEN)']])
    expect(await wrong('ru')).toEqual([['state', 'Допустимые значения: Открыт (OPEN)']])
  })

  it('takes a duration as forms do, and says one thing of a row whose several values have no quotes', async () => {
    const { report } = await send('', 'hall;number;length\nT;1;1 h 30 min\nT;2;5400\nT;3;1:30\nT;4;1,5 ч\nT;5;5 400')
    expect(report).toMatchObject({ created: 5, failed: 0 })
    expect((await booths('T')).map(({ length }) => length)).toEqual([5400, 5400, 5400, 5400, 5400])
    expect((await send('dryRun=true', 'hall,number,length\nT,6,soon')).report.faults).toMatchObject([{ column: 'length' }])
    const emails = people.map(({ email }) => email).join('; ')
    const listed = (cell: string) => send('dryRun=true', `guestIds;hall;number;length\n${cell};T;7;1 h`)
    expect((await listed(`"${emails}"`)).report).toMatchObject({ created: 1, faults: [] })
    expect((await listed(emails)).report.faults).toMatchObject([
      { row: 2, column: null, message: expect.stringContaining('quote a cell that contains the separator') },
    ])
  })

  it('brings a whole tree, whose rows name rows above, and takes it back as a whole', async () => {
    const tree = 'code,partOfId\nRoot,\nBranch,Root\nLeaf,Branch\nTwig,Leaf'
    expect((await send('dryRun=true', tree, 'voucher')).report).toMatchObject({ created: 4, faults: [] })
    const { report } = await send('', tree, 'voucher')
    expect(report).toMatchObject({ created: 4, failed: 0 })
    const { rows } = await server.get('voucher?_sort=code', as)
    const idOf = (code: string) => rows.find((row) => row.code === code)?.id
    const parentOf = (code: string) => rows.find((row) => row.code === code)?.partOfId
    expect([parentOf('Root'), parentOf('Branch'), parentOf('Leaf'), parentOf('Twig')]).toEqual([
      null,
      idOf('Root'),
      idOf('Branch'),
      idOf('Leaf'),
    ])
    const { body } = await server.post(`import-job/${report.jobId}/undo`, undefined, as)
    expect(body).toMatchObject({ removed: 4, kept: [] })
  })

  it('names no row below, none that makes no record, and closes no ring with a record that it changes', async () => {
    const faultsOf = async (...rows: string[]) => {
      const { report } = await send('dryRun=true&update=true', ['code,serial,partOfId', ...rows].join('\n'), 'voucher')
      return report.faults.map(({ row, column, message }) => `${row} ${column} ${message}`)
    }
    expect(await faultsOf('N1,,N2', 'N2,,')).toEqual(['2 partOfId There is no such record'])
    const long = 'x'.repeat(300)
    expect(await faultsOf(`N1,${long},`, 'N2,,N1', 'N3,,N2')).toEqual([
      expect.stringMatching(/^2 serial /),
      '3 partOfId Row 2, which it names, makes no record',
      '4 partOfId Row 3, which it names, makes no record',
    ])
    await send('', 'code\nOld', 'voucher')
    expect(await faultsOf('New,,Old', 'Old,,New')).toHaveLength(2)
  })

  it('makes no circle of a tree, neither by one row nor by several together', async () => {
    await send('', 'code\nTop\nMiddle\nLow\nAlone', 'voucher')
    const under = async (...rows: string[]) => {
      const { report } = await send('update=true&skipInvalid=true', ['code,partOfId', ...rows].join('\n'), 'voucher')
      return report
    }
    expect(await under('Middle,Top', 'Low,Middle')).toMatchObject({ updated: 2, failed: 0 })
    expect(await under('Top,Low')).toMatchObject({ updated: 0, faults: [{ row: 2, column: 'partOfId' }] })
    expect(await under('Alone,Alone')).toMatchObject({ updated: 0, faults: [{ row: 2, column: 'partOfId' }] })
    expect(await under('Top,Alone', 'Alone,Low')).toMatchObject({ updated: 0, failed: 2 })
    // The second row is sound only beside the first.
    expect(await under('Middle,Alone', 'Top,Low')).toMatchObject({ updated: 2, failed: 0 })
    // By way of rows that are not written yet.
    expect(await under('Lower,Top', 'Lowest,Lower', 'Alone,Lowest')).toMatchObject({ created: 0, updated: 0, failed: 3 })
    expect(await under('Lower,Top', 'Lowest,Lower')).toMatchObject({ created: 2, failed: 0 })
  })

  it('changes no record that a rule closes', async () => {
    await send('', 'code,isSent\nSent,yes', 'voucher')
    const { report } = await send('update=true&skipInvalid=true', 'code,isSent\nSent,no', 'voucher')
    expect(report).toMatchObject({ updated: 0, failed: 1 })
    expect(report.faults[0]?.message).toContain('cannot be changed in its present state')
  })

  it('is taken back as far as no record was changed or is referred to since', async () => {
    const { report } = await send('', 'hall,number\nC,1\nC,2\nC,3')
    const [changed, named, free] = await booths('C')
    await server.put(`booth/${changed?.id}`, { bill: 'Other', version: 1 }, as)
    await server.made('booth', { hall: 'D', number: 1, nextToId: named?.id }, as)
    const undone = await server.post(`import-job/${report.jobId}/undo`, undefined, as)
    expect(undone.body).toMatchObject({ target: 'booth', removed: 1 })
    expect(Object(undone.body).kept).toHaveLength(2)
    expect((await booths('C')).map(({ id }) => id)).toEqual([changed?.id, named?.id])
    expect((await server.get(`booth/${free?.id}`, as)).status).toBe(404)
    expect((await server.post(`import-job/${report.jobId}/undo`, undefined, as)).status).toBe(409)
  })

  it('gives records that it has changed their former values back, as far as nobody has changed them since', async () => {
    await send('', 'code,serial\nTree,\nF1,a1\nF2,a2\nF3,a3\nF4,a4', 'voucher')
    const text = 'code,serial,partOfId\nF1,b1,Tree\nF2,b2,Tree\nF3,b3,Tree\nF4,a4,\nF5,b5,Tree'
    const { report } = await send('update=true', text, 'voucher')
    expect(report).toMatchObject({ created: 1, updated: 3, skipped: 1, failed: 0 })
    const vouchers = async () => (await server.get('voucher?_sort=code', as)).rows.filter(({ serial }) => serial)
    const [, second, third] = await vouchers()
    await server.put(`voucher/${second?.id}`, { isKept: true, version: second?.version }, as)
    await server.call('DELETE', `voucher/${third?.id}`, { as })
    const { body } = await server.post(`import-job/${report.jobId}/undo`, undefined, as)
    expect(body).toMatchObject({
      removed: 1,
      restored: 1,
      kept: [
        { code: 'F2', reason: 'it was changed since' },
        { code: 'F3', reason: 'it is not there any more' },
      ],
    })
    expect(await vouchers()).toMatchObject([
      { code: 'F1', serial: 'a1', partOfId: null, version: 3 },
      { code: 'F2', serial: 'b2', isKept: true },
      { code: 'F4', serial: 'a4', version: 1 },
    ])
  })

  it('keeps what it has changed where another record has the former value since', async () => {
    await send('', 'code,serial\nGiven,S-1', 'voucher')
    const { report } = await send('update=true', 'code,serial\nGiven,S-2', 'voucher')
    expect(report).toMatchObject({ updated: 1 })
    await send('', 'code,serial\nOther,S-1', 'voucher')
    const { body } = await server.post(`import-job/${report.jobId}/undo`, undefined, as)
    expect(body).toMatchObject({
      removed: 0,
      restored: 0,
      kept: [{ code: 'Given', reason: 'another record has its former value' }],
    })
    expect((await server.get('voucher?code=Given', as)).rows).toMatchObject([{ serial: 'S-2', version: 2 }])
  })

  it('is the admin’s, and for resources whose definition does not leave it out', async () => {
    expect((await send('', 'email\nx@example.com', 'user')).status).toBe(404)
    expect((await send('', 'hall\nE', 'booth', `moderator:${people[0]?.id}`)).status).toBe(403)
  })
})
