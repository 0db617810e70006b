import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { canKillPrograms, killablePostgres } from '#tests/support/killable-programs.ts'
import { ServerProcess } from '#tests/support/server-process.ts'
import { SilentWay } from '#tests/support/silent-way.ts'

/**
 * Twenty seconds in every run: after fifteen PostgreSQL ends transactions that say nothing, whose end is not heard then either.
 * `SILENT_S=60` of a night: connections are made again meanwhile.
 */
const silentMs = Number(process.env.SILENT_S ?? 20) * 1_000
const mostRecoveryMs = 5_000
const workingMs = 1_500
const triedEveryMs = 50

type Writer = { process: ServerProcess; stored: string[]; statuses: { at: number; status: number }[] }

describe.runIf(canKillPrograms)('two processes on one PostgreSQL', () => {
  let postgres: Awaited<ReturnType<typeof killablePostgres>>
  let way: SilentWay
  let isOver = false
  let made = 0
  const writers: Writer[] = []
  let writing: Promise<void>[] = []

  /** Adds records one after the other, each under its key again until it is acknowledged. */
  async function write(writer: Writer): Promise<void> {
    while (!isOver) {
      const uid = (0x00_2d_00_00_00_00 + ++made).toString(16).padStart(12, '0').toUpperCase()
      const body = { code: `PCB-${uid}`, uid, serialNumber: `SN${uid}`, hardwareRevision: 'B1', lifecycle: 'ACTIVE' }
      for (;;) {
        const answer = await fetch(`${writer.process.url}/api/control-pcb`, {
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            authorization: writer.process.authorization,
            'idempotency-key': `two-${uid}`,
          },
          body: JSON.stringify(body),
        }).catch(() => undefined)
        await answer?.arrayBuffer().catch(() => undefined)
        if (answer) writer.statuses.push({ at: performance.now(), status: answer.status })
        if (answer?.status === 201) break
        await sleep(triedEveryMs)
      }
      writer.stored.push(uid)
    }
  }
  const acknowledged = () => writers.map(({ stored }) => stored.length)

  /** Both processes acknowledge something again, and answer nothing but that from then on. */
  async function recovered(): Promise<number> {
    const startedAt = performance.now()
    const before = acknowledged()
    while (acknowledged().some((count, index) => count <= (before[index] ?? 0))) await sleep(20)
    const tookMs = performance.now() - startedAt
    const goodFrom = performance.now()
    await sleep(workingMs)
    const later = writers.flatMap(({ statuses }) => statuses.filter(({ at }) => at > goodFrom))
    expect(later.filter(({ status }) => status !== 201)).toEqual([])
    return tookMs
  }

  beforeAll(async () => {
    postgres = await killablePostgres()
    await postgres.start()
    way = new SilentWay(new URL(postgres.url))
    const url = new URL(postgres.url)
    url.port = String(await way.open())
    for (let index = 0; index < 2; index += 1) {
      const process = await ServerProcess.at(url.href)
      await process.start()
      writers.push({ process, stored: [], statuses: [] })
    }
    writing = writers.map(write)
    await sleep(workingMs)
  }, 180_000)
  afterAll(async () => {
    isOver = true
    for (const { process } of writers) await process.remove()
    way?.close()
    await postgres?.remove()
  })

  it('go on while either of them is killed, and after it is back', async () => {
    for (const { process } of writers) {
      const other = writers.find((writer) => writer.process !== process)
      await process.kill()
      const before = other?.stored.length ?? 0
      await sleep(workingMs)
      expect(other?.stored.length).toBeGreaterThan(before)
      await process.start()
      await recovered()
    }
  }, 180_000)

  it('are back within five seconds of a PostgreSQL that was killed', async () => {
    await postgres.kill()
    await sleep(workingMs)
    await postgres.start()
    expect(await recovered()).toBeLessThan(mostRecoveryMs)
  }, 180_000)

  it('are back within five seconds of a database host that was silent', async () => {
    way.silence(true)
    await sleep(silentMs)
    way.silence(false)
    expect(await recovered()).toBeLessThan(mostRecoveryMs)
  }, 180_000)

  it('have lost and doubled nothing of it all, and answered no 500', async () => {
    isOver = true
    await Promise.all(writing)
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const { rows } = await client.query<{ uid: string }>(`select "uid" from "control_pcb" order by "uid"`)
    await client.end()
    expect(rows.map(({ uid }) => uid)).toEqual(writers.flatMap(({ stored }) => stored).sort())
    const refused = writers.flatMap(({ statuses }) => statuses.filter(({ status }) => status !== 201))
    expect(refused.filter(({ status }) => status !== 503)).toEqual([])
    expect(refused.length).toBeGreaterThan(0)
  }, 60_000)
})
