import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { oldVersion, releasedId, UpdatingBoard } from '#tests/support/updating-board.ts'

type First = { board: string; boardRef: { code: string }; fitness: string; fromVersion: string; alike: number }
type Rollout = { id: string; firstBoards: First[]; waves: object[]; waveProgress: object[] }

describe.each(oneEngine(import.meta.filename))('the first boards of a rollout on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())

  async function started(boards: readonly UpdatingBoard[]): Promise<Rollout> {
    const body = { name: 'Winter', firmwareId: releasedId, controlPcbIds: boards.map(({ board }) => board.id) }
    const { body: made } = await server.call<Rollout>('POST', 'rollout', { body })
    expect((await server.call('PUT', `rollout/${made.id}/start`)).status).toBe(200)
    return (await server.call<Rollout>('GET', `rollout/${made.id}`)).body
  }

  it('are wave 1, and the rest is wave 2 where no board falls to the one between them', async () => {
    const boards = await Promise.all(Array.from({ length: 4 }, () => UpdatingBoard.add(server)))
    const rollout = await started(boards)
    expect(rollout.waves).toMatchObject([{ boards: 1 }, { sharePct: 100 }])
    expect(rollout.waveProgress).toMatchObject([{ wave: 1 }, { wave: 2, waiting: 3 }])
    await server.call('PUT', `rollout/${rollout.id}/stop`)
  })

  it('are online, without a warning, and of the sort that most boards are; the rollout says so', async () => {
    const boards = await Promise.all(Array.from({ length: 12 }, () => UpdatingBoard.add(server)))
    const [rare, ...others] = boards
    const [silent, warned] = [others.slice(0, 6), others.slice(6, 9)]
    const best = others.slice(9).map(({ board }) => board.id)
    await rare?.report('2.0.5')
    const ids = (some: readonly UpdatingBoard[]) => some.map(({ board }) => `'${board.id}'`).join(', ')
    await server.rows(
      `update "boardState" set "lastValidPacketAt" = now() - interval '1 year' where "controlPcbId" in (${ids(silent)})`,
    )
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "controlPcbId", "active", "suppressed", "raisedAt")
      select gen_random_uuid(), 'OVER_TEMP', 'WARNING', "id", true, false, now() from "control_pcb" where "id" in (${ids(warned)})`)
    for (let rollouts = 0; rollouts < 4; rollouts++) {
      const { id, firstBoards } = await started(boards)
      expect(firstBoards).toMatchObject([{ fitness: 'READY', fromVersion: oldVersion, hardwareRevision: 'B1', alike: 11 }])
      expect(best).toContain(firstBoards[0]?.board)
      expect(firstBoards[0]?.boardRef.code).toMatch(/^PCB-/)
      await server.call('PUT', `rollout/${id}/stop`)
    }
  })

  it('are said to be unfit where no fit one is there', async () => {
    const lost = await UpdatingBoard.add(server)
    await server.rows(
      `update "boardState" set "lastValidPacketAt" = now() - interval '1 year' where "controlPcbId" = '${lost.board.id}'`,
    )
    expect((await started([lost])).firstBoards).toMatchObject([{ fitness: 'SILENT', board: lost.board.id, alike: 1 }])
    const warned = await UpdatingBoard.add(server)
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "controlPcbId", "active", "suppressed", "raisedAt")
      values (gen_random_uuid(), 'OVER_TEMP', 'WARNING', '${warned.board.id}', true, false, now())`)
    expect((await started([warned])).firstBoards).toMatchObject([{ fitness: 'WARNED' }])
    expect((await started([warned])).firstBoards).toMatchObject([{ fitness: 'WARNED' }])
    await warned.lead()
    expect((await started([warned])).firstBoards).toMatchObject([{ fitness: 'BUSY' }])
  })
})
