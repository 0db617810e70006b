import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inTransaction } from '#server/db/transaction.ts'
import { WarningChanges } from '#server/fleet/warning/course/warning-changes.ts'
import { writeChanges } from '#server/fleet/warning/course/write-changes.ts'
import type { Finding } from '#server/fleet/warning/evaluate.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { WarnedBoard } from '#tests/support/warned-board.ts'

describe.each(engines)('two servers that find the same at once on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await WarnedBoard.openServer(engine)
  })
  afterAll(() => server.close())

  it('open one warning, tell, count and audit it once, and keep what only the second has found', async () => {
    const [both, alone] = [await server.addBoard(), await server.addBoard()]
    const { now } = server
    const silence: Finding = {
      code: 'COMM_LOST',
      source: 'SERVER',
      severity: 'WARNING',
      value: 0.5,
      threshold: null,
      unit: 'h',
      subject: null,
      trip: false,
      latched: false,
      sinceMs: now.getTime() - 1_800_000,
    }
    const worse: Finding = { ...silence, severity: 'CRITICAL' }
    const evidence = { packageId: null, snapshot: null, suppressed: false }
    const changesOf = (boards: readonly (typeof both)[]) =>
      boards.map(({ id, essId }) => ({ essId, changes: new WarningChanges({ controlPcbId: id, essId }, now) }))
    await inTransaction(server.database, async (db) => {
      const runners = [changesOf([both]), changesOf([both, alone])]
      // Both have read before either writes.
      for (const places of runners) {
        const all = places.map(({ changes }) => changes)
        await WarningChanges.load(db, all, { code: 'COMM_LOST' })
        await WarningChanges.loadPast(db, all, { code: 'COMM_LOST' })
        for (const { essId, changes } of places)
          for (const finding of [silence, worse]) changes.raise({ finding, essId, evidence }, { at: now, now })
      }
      for (const places of runners)
        await writeChanges(
          db,
          places.map(({ changes }) => changes),
          now,
        )
    })
    const rows = await server.rows<{ id: string; controlPcbId: string }>(
      `select "id", "controlPcbId" from "telemetry_warning" where "active" order by "controlPcbId"`,
    )
    expect(rows.map(({ controlPcbId }) => controlPcbId)).toEqual([both.id, alone.id].toSorted())
    const once = rows.map(({ id }) => id).toSorted()
    const told = await server.rows<{ id: string; severity: string }>(
      `select "warningId" as "id", "severity" from "warningNotice"`,
    )
    for (const { severity } of [silence, worse])
      expect(told.flatMap((one) => (one.severity === severity ? [one.id] : [])).toSorted()).toEqual(once)
    expect(told).toHaveLength(2 * once.length)
    const events = await server.rows<{ id: string }>(
      `select "entityId" as "id" from "event" where "resource" = 'telemetry-warning'`,
    )
    expect(events.map(({ id }) => id).toSorted()).toEqual(once)
    const audits = await server.rows<{ id: string }>(
      `select "entityId" as "id" from "auditLog" where "action" = 'change-severity'`,
    )
    expect(audits.map(({ id }) => id).toSorted()).toEqual(once)
    const openings = await server.rows<{ place: string }>(`select "place" from "warningOpening" order by "place"`)
    expect(openings.map(({ place }) => place)).toEqual([both.id, alone.id].toSorted())
  })
})
