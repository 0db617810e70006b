import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { TemplateRollouts } from '#tests/support/template-rollouts.ts'
import { UpdatingBoard } from '#tests/support/updating-board.ts'
import { damagedWhere, withTrigger } from '#tests/support/with-trigger.ts'

const asked = { state: 'UNDER_WAY', wave: 1 }

describe.each(engines)('rollouts of a configuration template on $name', (engine) => {
  let server: BoardServer
  let fleet: TemplateRollouts
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
    fleet = new TemplateRollouts(server)
  })
  afterAll(() => server.close())

  it('bring it to one board first, and to the others once it runs there', async () => {
    const { id, units, templateId } = await fleet.begun(4)
    await fleet.lead()
    const [first] = await fleet.underWay(id)
    expect(await fleet.boardsOf(id)).toEqual([
      expect.objectContaining({ ...asked, controlPcbId: first }),
      ...Array(3).fill(expect.objectContaining({ state: 'WAITING' })),
    ])
    const canary = fleet.unitOf(units, first)
    expect(await fleet.wishOf(canary)).toMatchObject({ version: 2, desired: { socMinPct: 15, reportIntervalS: 60 } })
    expect(await server.rows(`select "templateId" from "boardTemplate" where "controlPcbId" = '${canary.board.id}'`)).toEqual([
      { templateId },
    ])
    expect(
      await server.rows(`select "action", "reason", "before", "after" from "auditLog" where "entityId" = '${canary.board.id}'`),
    ).toEqual([
      {
        action: 'apply-template',
        reason: expect.stringMatching(/^WAVE-\d+: Settings$/),
        before: { socMinPct: 10 },
        after: { socMinPct: 15 },
      },
    ])
    await fleet.answers(canary, 'APPLIED')
    await fleet.lead()
    await fleet.lead()
    expect(await fleet.shown(id)).toMatchObject({ status: 'RUNNING', wave: 2, progress: { succeeded: 1, open: 3, waiting: 0 } })
    for (const board of await fleet.underWay(id)) await fleet.answers(fleet.unitOf(units, board), 'APPLIED')
    await fleet.lead()
    expect(await fleet.shown(id)).toMatchObject({
      status: 'FINISHED',
      subject: expect.stringMatching(/^WAVE-/),
      progress: { succeeded: 4, boards: 4 },
    })
  })

  it('ask boards in the order of their ids, in which everybody locks them', async () => {
    const { id, units } = await fleet.begun(12, [{ sharePct: 100 }])
    await fleet.lead()
    const ids = units.map(({ board }) => board.id)
    const asked = await server.rows<{
      board: string
    }>(`select "entityId" as "board" from "auditLog" where "action" = 'apply-template'
      and "entityId" in (select "controlPcbId" from "rolloutTarget" where "rolloutId" = '${id}') order by "id"`)
    expect(asked.map(({ board }) => board)).toEqual(ids.toSorted())
  })

  it('go on although one of them fails, whose failure is told', async () => {
    const [broken, sound] = [await fleet.begun(2), await fleet.begun(2)]
    const damaged = {
      table: 'rolloutTarget',
      at: 'before update',
      act: damagedWhere(`new."rolloutId" = '${broken.id}'`),
    }
    await withTrigger(server, damaged, () => expect(fleet.lead()).rejects.toThrow(`rollout ${broken.id} failed`))
    expect(await fleet.underWay(broken.id)).toEqual([])
    expect(await fleet.underWay(sound.id)).toHaveLength(1)
    await fleet.lead()
    expect(await fleet.underWay(broken.id)).toHaveLength(1)
  })

  it('pause with a first board that rejects it, say what it says, and begin no other', async () => {
    const { id, units } = await fleet.begun(3)
    await fleet.lead()
    const [first] = await fleet.underWay(id)
    await fleet.answers(fleet.unitOf(units, first), 'REJECTED', 'socMinPct not supported')
    for (let turns = 0; turns < 3; turns++) await fleet.lead()
    expect(await fleet.shown(id)).toMatchObject({
      status: 'PAUSED',
      statusReason: expect.stringContaining('1 of 1 board failed'),
      progress: { failed: 1, waiting: 2, open: 0 },
    })
    expect((await fleet.boardsOf(id)).find(({ controlPcbId }) => controlPcbId === first)).toMatchObject({
      state: 'FAILED',
      failure: 'REJECTED',
      rejectReason: 'socMinPct not supported',
      configVersion: 2,
    })
    // Neither tried again nor taken back by itself.
    expect(await fleet.wishOf(fleet.unitOf(units, first))).toMatchObject({ version: 2 })
    expect((await server.call('PUT', `rollout/${id}/resume`, { body: { note: 'known' } })).status).toBe(200)
    await fleet.lead()
    await fleet.lead()
    expect(await fleet.shown(id)).toMatchObject({ status: 'RUNNING', wave: 2, progress: { failed: 1, open: 2 } })
  })

  it('pause with a first board that falls silent, four of its reports or half an hour after it was asked', async () => {
    const { id } = await fleet.begun(2)
    await fleet.lead()
    server.pass(29 * 60)
    await fleet.lead()
    expect(await fleet.shown(id)).toMatchObject({ status: 'RUNNING', progress: { open: 1, failed: 0 } })
    server.pass(61)
    await fleet.lead()
    expect(await fleet.shown(id)).toMatchObject({ status: 'PAUSED', progress: { open: 0, failed: 1, waiting: 1 } })
    expect((await fleet.boardsOf(id)).map(({ failure }) => failure)).toContain('TIMEOUT')
  })

  it('wait longer for a board that reports seldom, and seven days for one that was offline when it was asked', async () => {
    const [seldom, offline] = await Promise.all([fleet.begun(1), fleet.begun(1)])
    await server.rows(`update "boardState" set "reportIntervalS" = 1800 where "controlPcbId" = '${seldom.units[0]?.board.id}'`)
    await server.rows(`update "boardState" set "lastPacketAt" = now() - interval '1 day', "lastValidPacketAt" = now() - interval '1 day'
      where "controlPcbId" = '${offline.units[0]?.board.id}'`)
    await fleet.lead()
    const limits = await server.rows<{ id: string; minutes: number }>(`select "rolloutId" as "id",
      (extract(epoch from "deadlineAt" - "startedAt") / 60)::int as "minutes" from "rolloutConfiguration"`)
    const minutesOf = (id: string) => limits.find((limit) => limit.id === id)?.minutes
    expect([minutesOf(seldom.id), minutesOf(offline.id)]).toEqual([120, 7 * 24 * 60])
  })

  it('take a board out that a person gives another configuration meanwhile, unless it has applied this one before', async () => {
    const { id, units } = await fleet.begun(2, [{ sharePct: 100 }])
    await fleet.lead()
    const [replaced, applied] = units
    if (!replaced || !applied) throw new Error('no boards')
    await fleet.answers(applied, 'APPLIED')
    for (const { board } of units) await fleet.wish(board.id, { socMinPct: 25 })
    await fleet.lead()
    expect(await fleet.stateOf(id, replaced)).toBe('LEFT_OUT')
    expect(await fleet.stateOf(id, applied)).toBe('SUCCEEDED')
    expect(await fleet.shown(id)).toMatchObject({ status: 'FINISHED', progress: { succeeded: 1, skipped: 1, failed: 0 } })
  })

  it('count a board as failed that applies it and runs with something else', async () => {
    const { id, units } = await fleet.begun(1)
    await fleet.lead()
    const [unit] = units
    if (!unit) throw new Error('no board')
    await fleet.answers(unit, 'APPLIED', undefined, { socMinPct: 10, reportIntervalS: 60 })
    await fleet.lead()
    expect(await fleet.stateOf(id, unit)).toBe('UNDER_WAY')
    server.pass(1_801)
    await fleet.lead()
    expect(await fleet.stateOf(id, unit)).toBe('FAILED')
  })

  it('pause when the template is changed or gone, and not when its name is', async () => {
    const { id, templateId, units } = await fleet.begun(3)
    const change = async (body: object) => {
      const { version } = (await server.call<{ version: number }>('GET', `configuration-template/${templateId}`)).body
      expect((await server.call('PUT', `configuration-template/${templateId}`, { body: { version, ...body } })).status).toBe(
        200,
      )
    }
    await change({ name: 'Renamed', notes: 'new' })
    await fleet.lead()
    expect(await fleet.shown(id)).toMatchObject({ status: 'RUNNING', progress: { open: 1 } })
    await change({ settings: { socMinPct: 16 } })
    const [first] = await fleet.underWay(id)
    await fleet.answers(fleet.unitOf(units, first), 'APPLIED')
    for (let turns = 0; turns < 3; turns++) await fleet.lead()
    expect(await fleet.shown(id)).toMatchObject({
      status: 'PAUSED',
      statusReason: expect.stringContaining('The template was changed'),
      progress: { open: 0, succeeded: 1, waiting: 2 },
    })
    expect((await server.call('DELETE', `configuration-template/${templateId}`)).status).toBe(409)
    const other = await fleet.begun(2)
    await server.rows(`delete from "configuration_template" where "id" = '${other.templateId}'`)
    await fleet.lead()
    expect(await fleet.shown(other.id)).toMatchObject({
      status: 'PAUSED',
      statusReason: expect.stringContaining('The template was deleted'),
      progress: { open: 0, waiting: 2 },
    })
  })

  it('are told of live as boards begin, and as they answer', async () => {
    const { id, units } = await fleet.begun(1)
    const [unit] = units
    if (!unit) throw new Error('no board')
    const toldSince = async (act: () => Promise<unknown>) => {
      const [last] = await server.rows<{ id: string }>(`select coalesce(max("id"), 0)::text as "id" from "event"`)
      await act()
      const told = await server.rows<{ key: string }>(`select distinct "resource" || ' ' || "entityId" as "key" from "event"
        where "id" > ${last?.id} and "entityId" in ('${id}', '${unit.board.id}') order by 1`)
      return told.map(({ key }) => key)
    }
    expect(await toldSince(fleet.lead)).toEqual([`control-pcb ${unit.board.id}`, `rollout ${id}`])
    await fleet.answers(unit, 'APPLIED')
    expect(await toldSince(fleet.lead)).toContain(`rollout ${id}`)
  })

  it('leave boards that have not begun as they are when stopped, and follow the others to their end', async () => {
    const { id, units } = await fleet.begun(3)
    await fleet.lead()
    const [first] = await fleet.underWay(id)
    expect((await server.call('PUT', `rollout/${id}/stop`)).status).toBe(200)
    await fleet.answers(fleet.unitOf(units, first), 'APPLIED')
    await fleet.lead()
    expect(await fleet.shown(id)).toMatchObject({ status: 'STOPPED', progress: { succeeded: 1, skipped: 2, open: 0 } })
    const others = units.filter(({ board }) => board.id !== first)
    for (const unit of others) expect(await fleet.wishOf(unit)).toMatchObject({ version: 1 })
  })
})
