import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImportJob } from '#schema/wire/import-report.ts'
import { engines } from '#tests/support/databases.ts'
import { codes, file, type Importer, openImporter, row } from '#tests/support/import-file.ts'
import { ServerProcess } from '#tests/support/server-process.ts'

const boardFile = (uids: readonly string[]) =>
  ['code,uid,hardwareRevision', ...uids.map((uid) => `PCB-${uid.slice(4)},${uid},B1`)].join('\r\n')
const uidsOf = (prefix: string, count: number) =>
  Array.from({ length: count }, (_, index) => `0000${prefix}${index.toString(16).toUpperCase().padStart(6, '0')}`)

describe.each(engines)('a long import on $name', (engine) => {
  let files: Importer
  beforeAll(async () => {
    files = await openImporter(engine)
  }, 120_000)
  afterAll(() => files?.server.close())

  const jobs = async () =>
    JSON.parse((await files.server.call('GET', 'import-job', { token: files.token })).text) as ImportJob[]
  const running = async (done: number): Promise<ImportJob> => {
    for (;;) {
      const job = (await jobs()).find(({ state }) => state === 'RUNNING')
      if (job && job.done >= done) return job
      await sleep(5)
    }
  }

  it('is written in batches that others see, and tells the row that went bad meanwhile', async () => {
    const uids = uidsOf('AB', 1_500)
    const sending = files.send('control-pcb', boardFile(uids))
    const job = await running(100)
    expect(job).toMatchObject({ state: 'RUNNING', total: 1_500 })
    const [last = ''] = uids.slice(-1)
    const facts = { code: 'PCB-ABFFFFFF', uid: last, serialNumber: 'SN-AB', hardwareRevision: 'B1', lifecycle: 'ACTIVE' }
    expect((await files.server.call('POST', 'control-pcb', { token: files.token, body: facts })).status).toBe(201)
    const undo = await files.server.call('POST', `import-job/${job.id}/undo`, { token: files.token })
    expect(undo).toMatchObject({ status: 409, body: { code: 'import.running' } })
    const { status, report } = await sending
    expect(status).toBe(200)
    expect(report).toMatchObject({ jobId: job.id, total: 1_500, created: 1_499, skipped: 0, failed: 1 })
    expect(report.faults).toMatchObject([{ row: 1_501, column: 'uid', value: last }])
    expect(await files.count('control_pcb', `"uid" like '0000AB%'`)).toBe(1_500)
    expect((await jobs())[0]).toMatchObject({ state: 'DONE', done: 1_500, created: 1_499, failed: 1 })
    const undone = await files.server.call('POST', `import-job/${job.id}/undo`, { token: files.token })
    expect(undone.body).toMatchObject({ removed: 1_499, kept: [] })
  }, 120_000)

  it('of pairings is seen by others amid it, keeps nobody waiting, and is undone alike', async () => {
    const uids = uidsOf('EF', 300)
    const systems = codes('PAB', 300)
    await files.send('control-pcb', boardFile(uids))
    await files.send('ess', file(...systems.map((code) => row(code))))
    const pairs = uids.map((uid, index) => `PCB-${uid.slice(4)},${systems[index]}`)
    const sending = files.send('pairing', ['controlPcb,ess', ...pairs].join('\r\n'))
    const job = await running(20)
    const askedAt = performance.now()
    expect((await files.server.call('GET', 'ess?_end=1', { token: files.token })).status).toBe(200)
    expect(performance.now() - askedAt).toBeLessThan(1_500)
    expect((await jobs())[0]?.state).toBe('RUNNING')
    expect((await sending).report).toMatchObject({ jobId: job.id, created: 300, failed: 0 })
    const undoing = files.server.call('POST', `import-job/${job.id}/undo`, { token: files.token })
    const attached = () => files.count('control_pcb', `"uid" like '0000EF%' and "essId" is not null`)
    const seen = new Set<number>()
    for (let left = 300; left > 0; left = await attached()) seen.add(left)
    expect(seen.size).toBeGreaterThan(2)
    expect((await undoing).body).toMatchObject({ removed: 300, kept: [] })
  }, 120_000)

  it('is undone by two calls at once, one of which sees that the other has ended it', async () => {
    const { report } = await files.send('control-pcb', boardFile(uidsOf('BD', 1_000)))
    const undo = () => files.server.call('POST', `import-job/${report.jobId}/undo`, { token: files.token })
    const lost = undo()
    while ((await files.count('control_pcb', `"uid" like '0000BD%'`)) === 1_000) await sleep(5)
    const answers = await Promise.all([lost, undo()])
    expect(answers.map(({ status, body }) => [status, body.removed, body.kept])).toEqual([
      [200, 1_000, []],
      [200, 1_000, []],
    ])
    expect(await files.count('control_pcb', `"uid" like '0000BD%'`)).toBe(0)
    const entries = await files.audits(`"action" = 'undo-import' and "entityId" = '${report.jobId}'`)
    // An entry per batch says how far the undo has come: each record is counted once, and one entry ends it.
    const progress = entries.map(({ after }) => [Reflect.get(Object(after), 'removed'), Reflect.get(Object(after), 'left')])
    expect(progress.at(-1)).toEqual([1_000, 0])
    for (const [removed, left] of progress) expect(Number(removed) + Number(left)).toBe(1_000)
    expect(new Set(progress.map(([removed]) => removed)).size).toBe(progress.length)
    expect(await undo()).toMatchObject({ status: 409, body: { code: 'import.already-undone' } })
  }, 120_000)

  it('writes no row of a file whose last row is bad', async () => {
    const before = (await jobs()).length
    const rows = codes('LST', 400).map((code) => row(code))
    const refused = await files.send('ess', file(...rows, row('LST-99999', { chemistry: 'WATER' })), {
      'idempotency-key': 'last',
    })
    expect(refused.status).toBe(400)
    expect(await files.count('ess', `"code" like 'LST-%'`)).toBe(0)
    expect((await jobs()).length).toBe(before)
    expect((await files.send('ess', file(...rows), { 'idempotency-key': 'last' })).report).toMatchObject({ created: 400 })
  }, 120_000)

  it('lets a second file wait for the first, and gives a call that comes again amid it the same answer', async () => {
    const [one, other] = [codes('WAI', 300), codes('WAJ', 5)].map((names) => file(...names.map((code) => row(code))))
    const key = { 'idempotency-key': 'twins' }
    const answers = await Promise.all([
      files.send('ess', one ?? '', key),
      files.send('ess', one ?? '', key),
      files.send('ess', other ?? ''),
    ])
    expect(answers.map(({ report }) => report.created)).toEqual([300, 300, 5])
    expect(answers[0]?.report.jobId).toBe(answers[1]?.report.jobId)
    expect(await files.count('ess', `"code" like 'WAI-%'`)).toBe(300)
  }, 120_000)
})

describe.each(engines)('an import whose server is killed on $name', (engine) => {
  let server: ServerProcess
  beforeAll(async () => {
    server = await ServerProcess.on(engine)
    await server.start()
  }, 120_000)
  afterAll(() => server?.remove())

  const send = (text: string) =>
    fetch(`${server.url}/api/import/control-pcb`, {
      method: 'POST',
      headers: { authorization: server.authorization, 'content-type': 'text/csv', 'idempotency-key': 'killed' },
      body: text,
    })
  const job = async () => (await server.call<ImportJob[]>('GET', 'import-job'))[0]
  const until = async (is: (job: ImportJob | undefined) => boolean): Promise<ImportJob | undefined> => {
    for (;;) {
      const found = await job()
      if (is(found)) return found
      await sleep(20)
    }
  }
  type Entry = { after: Record<string, number> }
  const undoEntries = () => server.call<Entry[]>('GET', 'audit-log?action=undo-import&_sort=at&_order=desc&_end=200')
  const total = async () => {
    const answer = await fetch(`${server.url}/api/control-pcb?_end=1`, { headers: { authorization: server.authorization } })
    return Number(answer.headers.get('x-total-count'))
  }

  it('says how far it has come, goes on when the file is sent again or undone again, and makes no record twice', async () => {
    const text = boardFile(uidsOf('CD', 2_000))
    const lost = send(text).catch(() => 'lost')
    await until((found) => (found?.done ?? 0) >= 200)
    await server.kill()
    expect(await lost).toBe('lost')
    await server.start()
    const interrupted = await until((found) => found?.state === 'INTERRUPTED')
    expect(interrupted?.created).toBeGreaterThanOrEqual(200)
    expect(interrupted?.created).toBeLessThan(2_000)
    expect(await total()).toBe(interrupted?.created)
    const report = (await (await send(text)).json()) as Record<string, unknown>
    expect(report).toMatchObject({ jobId: interrupted?.id, total: 2_000, created: 2_000, skipped: 0, failed: 0 })
    expect(await total()).toBe(2_000)
    expect(await job()).toMatchObject({ state: 'DONE', created: 2_000 })
    const undo = `import-job/${interrupted?.id}/undo`
    const cut = server.call('POST', undo).catch(() => 'lost')
    await until((found) => (found?.removed ?? 0) >= 200)
    await server.kill()
    expect(await cut).toBe('lost')
    await server.start()
    const left = await job()
    expect(left).toMatchObject({ undoneAt: null, kept: [] })
    expect(await total()).toBe(2_000 - (left?.removed ?? 0))
    expect((await undoEntries()).at(0)?.after).toMatchObject({ removed: left?.removed, left: 2_000 - (left?.removed ?? 0) })
    expect((await send(text)).status).toBe(200)
    expect(await server.call('POST', undo)).toMatchObject({ removed: 2_000, kept: [] })
    expect(await total()).toBe(0)
    expect((await undoEntries()).at(0)?.after).toEqual({ removed: 2_000, restored: 0, kept: 0, left: 0 })
  }, 180_000)
})
