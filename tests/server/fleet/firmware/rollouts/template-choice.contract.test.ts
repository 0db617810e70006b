import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Outlook } from '#schema/wire/outlook.ts'
import type { AnyTables } from '#server/engine/records/resource-rules.ts'
import { rolloutOutlook } from '#server/fleet/firmware/rollouts/rollout-outlook.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { TemplateRollouts } from '#tests/support/template-rollouts.ts'
import { UpdatingBoard } from '#tests/support/updating-board.ts'

describe.each(engines)('the boards of a template’s rollout on $name', (engine) => {
  let server: BoardServer
  let fleet: TemplateRollouts
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
    fleet = new TemplateRollouts(server)
  })
  afterAll(() => server.close())

  it('are those that can have its settings; the others are left out with a reason, before and after the start', async () => {
    const boards = await fleet.boards(8)
    const [taken, silent, gateway, elsewhere, following, refused, stored, reserved] = boards.map(({ board }) => board)
    const settings = { socMinPct: 15, chargePowerLimitW: 4_000 }
    const templateId = await fleet.template(settings)
    await server.rows(
      `update "boardState" set "lastPacketAt" = null, "lastValidPacketAt" = null where "controlPcbId" = '${silent?.id}'`,
    )
    await server.rows(`update "control_pcb" set "product" = 'ESS-LINK' where "id" = '${gateway?.id}'`)
    await server.rows(`update "control_pcb" set "essId" = null where "id" = '${elsewhere?.id}'`)
    await fleet.wish(following?.id, settings)
    await server.rows(`update "ess" set "ratedChargePowerW" = 3000 where "id" = '${refused?.essId}'`)
    await server.rows(`update "control_pcb" set "lifecycle" = 'QUARANTINED' where "id" = '${stored?.id}'`)
    // A reserve below the lowest charge that the template sets: refused because of a setting that stays.
    await fleet.wish(reserved?.id, { socMinPct: 5, socMaxPct: 90, backupReservePct: 10 })
    const controlPcbIds = boards.map(({ board }) => board.id)
    const values = { brings: 'CONFIGURATION', templateId, controlPcbIds }
    const { body } = await server.call<Outlook>('POST', 'rollout/outlook', { body: values })
    expect(body.reasons.map(({ code, count }) => `${code} ${count}`).toSorted()).toEqual(
      ['FOLLOWS 1', 'LIFECYCLE 1', 'PRODUCT 1', 'SETTINGS 2', 'SILENT 1'].toSorted(),
    )
    expect(body).toMatchObject({ total: 8, count: 3 })
    expect(body.first[0]?.id).not.toBe(silent?.id)
    const id = await fleet.started(values)
    expect(
      (await fleet.boardsOf(id))
        .filter(({ state }) => state === 'LEFT_OUT')
        .map(({ reason }) => reason)
        .toSorted(),
    ).toEqual(['FOLLOWS', 'LIFECYCLE', 'PRODUCT', 'SETTINGS', 'SETTINGS'])
    expect((await fleet.shown(id)).progress).toMatchObject({ boards: 8, waiting: 3, skipped: 5 })
    expect(taken).toBeDefined()
  })

  it('are judged page by page, however many kinds of settings there are', async () => {
    const count = 11_500
    const templateId = await fleet.template({ backupReservePct: 30 })
    await server.rows(`insert into "control_pcb" ("id", "code", "uid", "hardwareRevision", "lifecycle")
      select 'page-' || lpad("n"::text, 6, '0'), 'PAGE-' || "n", lpad("n"::text, 12, 'E'), 'P1', 'ACTIVE' from generate_series(1, ${count}) "n"`)
    await server.rows(`insert into "configuration" ("controlPcbId", "version", "desired") select "id", 1,
        jsonb_build_object('socMinPct', case when right("code", 1) = '7' then 40 else 10 end, 'socMaxPct', 90, 'chargePowerLimitW', split_part("code", '-', 2)::int)
      from "control_pcb" where "hardwareRevision" = 'P1'`)
    const most = { rows: 0 }
    const db = server.database.kysely.withTables<AnyTables>().withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => {
        most.rows = Math.max(most.rows, result.rows.length)
        return result
      },
    })
    const values = { brings: 'CONFIGURATION', templateId, hardwareRevisions: ['P1'] }
    const outlook = await rolloutOutlook(values, { db, now: new Date(), language: 'en' })
    expect(outlook.reasons.find(({ code }) => code === 'SETTINGS')?.count).toBe(count / 10)
    expect(outlook).toMatchObject({ total: count, count: (count * 9) / 10 })
    expect(most.rows).toBeLessThanOrEqual(5_000)
  })

  it('are of its ESS model', async () => {
    const [own, other] = await fleet.boards(2)
    await server.rows(`insert into "ess_model" ("id", "manufacturer", "model", "profile", "chemistry", "ratedEnergyWh",
      "ratedChargePowerW", "ratedDischargePowerW") values ('model-1', 'M', 'Home', 'HOME', 'LFP', 10000, 5000, 5000)`)
    await server.rows(`update "ess" set "essModelId" = 'model-1' where "id" = '${own?.board.essId}'`)
    const templateId = await fleet.template({ socMinPct: 15 }, { essModelId: 'model-1' })
    const body = { brings: 'CONFIGURATION', templateId, controlPcbIds: [own, other].map((unit) => unit?.board.id) }
    const { body: outlook } = await server.call<Outlook>('POST', 'rollout/outlook', { body })
    expect(outlook).toMatchObject({ count: 1, reasons: [{ code: 'MODEL', count: 1 }] })
  })

  it('are asked by admins only, and held by the staff', async () => {
    const { id, templateId } = await fleet.begun(2)
    const body = { name: 'Mine', brings: 'CONFIGURATION', templateId }
    for (const role of ['moderator', 'service_engineer'] as const) {
      expect((await server.call('POST', 'rollout', { role, body })).status).toBe(403)
      expect(
        (await server.call('POST', 'rollout/outlook', { role, body: { brings: 'CONFIGURATION', templateId } })).status,
      ).toBe(403)
    }
    expect((await server.call('PUT', `rollout/${id}/pause`, { role: 'service_engineer', body: {} })).status).toBe(403)
    expect((await server.call('PUT', `rollout/${id}/pause`, { role: 'moderator', body: {} })).status).toBe(200)
    expect((await server.call('PUT', `rollout/${id}/resume`, { role: 'moderator', body: { note: 'go on' } })).status).toBe(403)
    await fleet.lead()
    expect(await fleet.shown(id)).toMatchObject({ status: 'PAUSED', progress: { open: 0, waiting: 2 } })
  })

  it('are not asked for neither firmware nor template, and not for both', async () => {
    const templateId = await fleet.template({ socMinPct: 15 })
    const fieldsOf = async (values: object) => {
      const { status, body } = await server.call('POST', 'rollout', { body: { name: 'Odd', ...values } })
      return [status, Object.keys(Object(body.fields))]
    }
    expect(await fieldsOf({ brings: 'CONFIGURATION' })).toEqual([400, ['templateId']])
    expect(await fieldsOf({ templateId })).toEqual([400, expect.arrayContaining(['firmwareId'])])
  })
})
