import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FrameObserver } from '#server/fleet/ingest/ingest-frames.ts'
import { observeSamples } from '#server/fleet/warning/observe-samples.ts'
import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { troubles, WarnedBoard } from '#tests/support/warned-board.ts'

function signal(): { given: Promise<void>; give: () => void } {
  let give = () => {}
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give: () => give() }
}

/** Lets frames pass but for those that a test holds amid their transaction. */
class Gate {
  #hold: { entered: () => void; opened: Promise<void> } | undefined

  readonly observe: FrameObserver = async (db, group) => {
    const hold = this.#hold
    this.#hold = undefined
    hold?.entered()
    await hold?.opened
    await observeSamples(db, group)
  }

  /** Holds the next frames. */
  close(): { entered: Promise<void>; open: () => void } {
    const [entered, opened] = [signal(), signal()]
    this.#hold = { entered: entered.give, opened: opened.given }
    return { entered: entered.given, open: opened.give }
  }
}

// The embedded engine has one session: a removal waits there for the whole of the transaction.
describe.each(engines.filter(({ name }) => name === 'PostgreSQL'))('a board that leaves its system on $name', (engine) => {
  const gate = new Gate()
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date(), ingest: { observers: [gate.observe] } })
  })
  afterAll(() => server.close())

  it('waits for its frames under way, which count for the system and leave no warning open', async () => {
    const unit = await WarnedBoard.add(server)
    const { id, essId } = unit.board
    await unit.see(0, {})
    const held = gate.close()
    const sending = unit.see(1, troubles.insulation)
    await held.entered
    const removing = server
      .call('DELETE', `ess/${essId}/remove-control-pcb`, { body: { controlPcbId: id, reason: 'swap' } })
      .finally(held.open)
    const waits = `select 1 from pg_stat_activity where "datname" = current_database() and "wait_event_type" = 'Lock'`
    await Promise.race([removing, expect.poll(() => server.rows(waits)).toHaveLength(1)])
    held.open()
    await sending
    expect((await removing).status).toBe(204)
    expect(
      await server.rows(`select "code", "essId", "active" from "telemetry_warning" where "controlPcbId" = '${id}'`),
    ).toEqual([{ code: 'INSULATION_FAULT', essId, active: false }])
    expect(await server.rows(`select 1 from "warningMemory" where "controlPcbId" = '${id}'`)).toEqual([])
    await unit.see(1, {})
    const samples = await server.rows(`select "essId" from "telemetry" where "controlPcbId" = '${id}' order by "ts"`)
    expect(samples).toEqual([{ essId }, { essId }, { essId: null }])
  })
})
