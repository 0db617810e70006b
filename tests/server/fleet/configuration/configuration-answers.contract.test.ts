import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { watchServerRules } from '#server/fleet/warning/watch-server-rules.ts'
import type { BoardServer, TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { callAs, openLine } from '#tests/support/device-line.ts'

type Envelope = {
  state: string
  rejectReason: string | null
  history: { version: number; outcome: string; outcomeAt: string }[]
}

describe.each(oneEngine(import.meta.filename))('what a board says of its configuration on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  beforeAll(async () => {
    server = await openLine(engine)
  })
  afterAll(() => server?.close())
  beforeEach(async () => {
    board = await server.addBoard()
    await wish(1, 10)
  })

  const wish = (version: number, socMinPct: number) =>
    server.rows(`insert into "configuration" ("controlPcbId", "version", "desired")
      values ('${board.id}', ${version}, '${JSON.stringify({ reportIntervalS: 30, socMinPct })}')`)
  const says = async (body: object) =>
    expect((await callAs(server, board.key, 'configuration', { body })).status, JSON.stringify(body)).toBe(204)
  const shown = async () => (await server.call<Envelope>('GET', `control-pcb/${board.id}/configuration`)).body
  const outcomes = async () => (await shown()).history.map(({ version, outcome }) => `${version} ${outcome}`)
  const open = async () => {
    await watchServerRules(server.database, server.now)
    const rows = await server.rows<{ code: string }>(
      `select "code" from "telemetry_warning" where "controlPcbId" = '${board.id}' and "active" order by "code"`,
    )
    return rows.map(({ code }) => code)
  }
  const refusal = { result: 'REJECTED', reason: 'flash is worn' }

  it('ends the warning of its refusal when it applies that version, also where it then differs', async () => {
    await says({ version: 1, ...refusal })
    expect(await open()).toEqual(['CONFIG_REJECTED'])
    await says({ version: 1, result: 'APPLIED' })
    await says({ version: 1, result: 'REPORTED', reported: { socMinPct: 33 } })
    expect(await open()).toEqual(['CONFIG_DRIFT'])
  })

  it('keeps the warning of its refusal while it has not answered the next version', async () => {
    await says({ version: 1, ...refusal })
    await open()
    await wish(2, 12)
    expect(await open()).toEqual(['CONFIG_REJECTED'])
    await says({ version: 2, result: 'APPLIED' })
    expect(await open()).toEqual([])
  })

  it('has applied a version that it says it runs with, also after the next one', async () => {
    await says({ version: 1, result: 'REPORTED', reported: { socMinPct: 33 } })
    const outcomeAt = server.now.toISOString()
    server.pass(60)
    await says({ version: 1, result: 'REPORTED', reported: { socMinPct: 34 } })
    expect((await shown()).history).toMatchObject([{ outcome: 'APPLIED', outcomeAt }])
    await wish(2, 12)
    await says({ version: 2, result: 'APPLIED' })
    expect(await outcomes()).toEqual(['2 APPLIED', '1 APPLIED'])
  })

  it('may refuse afterwards what it has applied: the last answer counts, and the version is offered again', async () => {
    await says({ version: 1, result: 'APPLIED' })
    await says({ version: 1, ...refusal })
    await says({ version: 1, result: 'REPORTED', reported: { socMinPct: 10 } })
    expect(await shown()).toMatchObject({ state: 'REJECTED', rejectReason: 'flash is worn' })
    expect(await outcomes()).toEqual(['1 REJECTED'])
    expect((await callAs(server, board.key, 'state')).body.configuration).toMatchObject({ version: 1 })
  })

  it('may apply afterwards what it has refused', async () => {
    await says({ version: 1, ...refusal })
    await says({ version: 1, result: 'APPLIED' })
    expect(await shown()).toMatchObject({ state: 'IN_SYNC', rejectReason: null })
    expect(await outcomes()).toEqual(['1 APPLIED'])
  })
})
