import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { oldVersion, releasedId, UpdatingBoard } from '#tests/support/updating-board.ts'

type Wait = { reason: string; boards: number; examples: string[]; examplesRef: { id: string; code: string }[] }
type Rollout = { id: string; waits: Wait[]; leftOut: Wait[] }

describe.each(oneEngine(import.meta.filename))('rollouts whose boards wait on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())

  const shown = async (id: string) => (await server.call<Rollout>('GET', `rollout/${id}`)).body
  async function begun(boards: readonly UpdatingBoard[], more: object): Promise<string> {
    const body = { name: 'Spring', firmwareId: releasedId, controlPcbIds: boards.map(({ board }) => board.id), ...more }
    const { body: made } = await server.call<Rollout>('POST', 'rollout', { body })
    expect((await server.call('PUT', `rollout/${made.id}/start`)).status).toBe(200)
    await boards[0]?.lead()
    return made.id
  }

  it('say why boards wait, by reason and board, and go on once nothing is in the way', async () => {
    const [low, faulty, next] = [
      await UpdatingBoard.add(server),
      await UpdatingBoard.add(server),
      await UpdatingBoard.add(server),
    ]
    await low.report(oldVersion, { socPct: 10 })
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "controlPcbId", "essId", "active", "suppressed", "raisedAt")
      values ('01890000-0000-7000-8000-0000000000c1', 'INSULATION_FAULT', 'CRITICAL', '${faulty.board.id}', '${faulty.board.essId}', true, false, now())`)
    const id = await begun([low, faulty], { waves: [{ sharePct: 100 }] })
    const boardsIn = ({ board: { id, uid } }: UpdatingBoard) => ({
      boards: 1,
      examples: [id],
      examplesRef: [{ id, code: `PCB-${uid}` }],
    })
    expect((await shown(id)).waits).toEqual([
      { reason: 'NO_CRITICAL', ...boardsIn(faulty) },
      { reason: 'SOC', ...boardsIn(low) },
    ])
    const { events } = await server
      .rows<{ events: number }>(
        `select count(*)::int as "events" from "event" where "resource" = 'rollout' and "entityId" = '${id}'`,
      )
      .then(([row]) => row ?? { events: 0 })
    await low.lead()
    const again = await server.rows(`select 1 from "event" where "resource" = 'rollout' and "entityId" = '${id}'`)
    expect(again).toHaveLength(events)
    await low.report(oldVersion, { socPct: 60 })
    await low.lead()
    expect((await shown(id)).waits).toEqual([{ reason: 'NO_CRITICAL', ...boardsIn(faulty) }])

    const later = await begun([next, faulty], { waves: [{ boards: 1 }, { sharePct: 100 }] })
    expect((await shown(later)).waits).toContainEqual(expect.objectContaining({ reason: 'WAVE', boards: 1 }))
    const reasonsOf = async (query: string) => {
      const { body } = await server.call<{ wave: number; reason: string | null }[]>('GET', `rollout/${later}/boards${query}`)
      return body.map(({ wave, reason }) => [wave, reason])
    }
    expect(await reasonsOf('?wave=2')).toEqual([[2, 'WAVE']])
    expect(await reasonsOf('?reason=WAVE')).toEqual([[2, 'WAVE']])
  })
})
