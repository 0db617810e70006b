import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Outlook } from '#schema/wire/outlook.ts'
import type { BoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'
import { nextVersion, oldVersion, releasedId, UpdatingBoard } from '#tests/support/updating-board.ts'

type Started = { id: string; status: string; progress: { boards: number }; firstBoards: { board: string }[] }
type Refusal = { code: string; fields: Record<string, string> }
const modelId = '01890000-0000-7000-8000-0000000000d1'

describe.each(engines)('what a rollout takes in on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
    await server.rows(`insert into "ess_model" ("id", "manufacturer", "model") values ('${modelId}', 'Acme', 'Home 10')`)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    await server.rows(`delete from "control_pcb"`)
  })

  const boardsOf = (count: number) => Promise.all(Array.from({ length: count }, () => UpdatingBoard.add(server)))
  const change = (boards: readonly UpdatingBoard[], table: string, set: string) =>
    server.rows(`update "${table}" set ${set} where "${table === 'control_pcb' ? 'id' : table === 'ess' ? 'id' : 'controlPcbId'}"
      in (${boards.map(({ board }) => `'${table === 'ess' ? board.essId : board.id}'`).join(', ')})`)
  const look = async (values: object = {}) => {
    const { status, body, text } = await server.call<Outlook>('POST', 'rollout/outlook', {
      body: { firmwareId: releasedId, ...values },
    })
    if (status !== 200) throw new Error(text)
    return body
  }
  const refused = async (body: object, role: 'admin' | 'moderator' | 'service_engineer' = 'admin') => {
    const { status, body: refusal } = await server.call<Refusal>('POST', 'rollout/outlook', { role, body })
    return { status, code: refusal.code, fields: Object.keys(refusal.fields ?? {}) }
  }
  /** The boards of a rollout with these values once it has started, without those that it leaves out. */
  async function started(values: object): Promise<string[]> {
    const made = await server.call<Started>('POST', 'rollout', { body: { name: 'Spring', firmwareId: releasedId, ...values } })
    if (made.status !== 201) throw new Error(made.text)
    const { status, text } = await server.call('PUT', `rollout/${made.body.id}/start`)
    if (status !== 200) throw new Error(text)
    const rows = await server.rows<{ id: string }>(
      `select "controlPcbId" as "id" from "rolloutTarget" where "rolloutId" = '${made.body.id}' and "state" = 'WAITING'
        order by "wave", "controlPcbId"`,
    )
    await server.call('PUT', `rollout/${made.body.id}/stop`)
    return rows.map(({ id }) => id)
  }
  const idsOf = (boards: readonly UpdatingBoard[]) => boards.map(({ board }) => board.id).sort()

  it('is counted by reason before it is saved, and is the same once it has started', async () => {
    const [one, two, done, other, idle, unknown] = await boardsOf(6)
    if (!one || !two || !done || !other || !idle || !unknown) throw new Error('no boards')
    await done.report(nextVersion)
    await change([other], 'control_pcb', `"hardwareRevision" = 'A1'`)
    await change([idle], 'control_pcb', `"lifecycle" = 'QUARANTINED'`)
    await change([unknown], 'boardState', '"firmwareVersion" = null')
    await change([two], 'boardState', `"lastValidPacketAt" = now() - interval '1 year'`)
    const { total, count, reasons, first } = await look()
    expect({ total, count }).toEqual({ total: 6, count: 2 })
    expect(reasons.map((reason) => [reason.code, reason.count, reason.isOut])).toEqual(
      expect.arrayContaining([
        ['INSTALLED', 1, true],
        ['HARDWARE', 1, true],
        ['LIFECYCLE', 1, true],
        ['VERSION_UNKNOWN', 1, true],
        ['SILENT', 1, false],
      ]),
    )
    expect(reasons.find(({ code }) => code === 'HARDWARE')).toMatchObject({
      text: 'Other hardware',
      few: [{ id: other.board.id, title: `PCB-${other.board.uid}` }],
    })
    expect(first.map(({ id }) => id)).toEqual([one.board.id, two.board.id])
    expect(await started({ waves: [{ boards: 1 }, { sharePct: 100 }] })).toEqual([one.board.id, two.board.id])
  })

  it('begins with the very boards that the form names first', async () => {
    await boardsOf(12)
    const { count, first } = await look()
    expect([count, first.length]).toEqual([12, 5])
    const named = await started({ waves: [{ boards: 5 }, { sharePct: 100 }] })
    expect(named.slice(0, 5)).toEqual(first.map(({ id }) => id).sort())
  })

  it('is narrowed by hardware, present version, model, region and connection, all of which a board meets', async () => {
    const all = await boardsOf(5)
    const [old, model, place, silent, revised] = all
    if (!old || !model || !place || !silent || !revised) throw new Error('no boards')
    await old.report('2.0.5')
    await change([model, old], 'ess', `"essModelId" = '${modelId}'`)
    await change([place, old], 'ess', `"location" = coalesce("location", '{}') || '{"region": "Kaluga"}'`)
    await change([silent], 'boardState', `"lastValidPacketAt" = now() - interval '1 year'`)
    await server.rows(`update "firmware" set "hardwareRevisions" = '["B1", "B2"]' where "id" = '${releasedId}'`)
    await change([revised], 'control_pcb', `"hardwareRevision" = 'B2'`)
    const cases: [object, readonly UpdatingBoard[]][] = [
      [{ hardwareRevisions: ['B2'] }, [revised]],
      [{ versionTo: '2.0.9' }, [old]],
      [{ versionFrom: '2.0.6' }, [model, place, silent, revised]],
      [{ versionFrom: oldVersion, versionTo: oldVersion }, [model, place, silent, revised]],
      [{ essModelIds: [modelId] }, [old, model]],
      [{ regions: ['kaluga', 'Tver'] }, [old, place]],
      [{ onlineOnly: true }, [old, model, place, revised]],
      [{ onlineOnly: false }, all],
      [{ regions: ['Kaluga'], essModelIds: [modelId], onlineOnly: true }, [old]],
      [{ controlPcbIds: [old.board.id, silent.board.id], onlineOnly: true }, [old]],
    ]
    for (const [values, boards] of cases) {
      const { total, count } = await look(values)
      expect([values, total, count]).toEqual([values, boards.length, boards.length])
      expect((await started(values)).sort(), JSON.stringify(values)).toEqual(idsOf(boards))
    }
    await server.rows(`update "firmware" set "hardwareRevisions" = '["B1"]' where "id" = '${releasedId}'`)
  })

  it('is what is true at the start, and not what was true when it was saved', async () => {
    const [one, two] = await boardsOf(2)
    if (!one || !two) throw new Error('no boards')
    const body = { name: 'Later', firmwareId: releasedId, versionTo: '2.1.9', onlineOnly: true }
    const { body: made } = await server.call<Started>('POST', 'rollout', { body })
    await one.report(nextVersion)
    expect((await server.call<Started>('PUT', `rollout/${made.id}/start`)).body.progress).toMatchObject({ boards: 1 })
    const { body: again } = await server.call<Started>('POST', 'rollout', { body })
    await two.report(nextVersion)
    expect(await look({ versionTo: '2.1.9' })).toMatchObject({ total: 0, count: 0, reasons: [], first: [] })
    expect(await server.call('PUT', `rollout/${again.id}/start`)).toMatchObject({
      status: 409,
      body: { code: 'rollout.no-boards' },
    })
  })

  it('may go back to an older version for boards that are named, and leaves the unfit out of its waves', async () => {
    const [newer, wrong] = await boardsOf(2)
    if (!newer || !wrong) throw new Error('no boards')
    await newer.report('2.9.0')
    await change([wrong], 'control_pcb', `"hardwareRevision" = 'A1'`)
    expect(await look()).toMatchObject({ count: 0, reasons: [{ count: 1 }, { count: 1 }] })
    const list = { controlPcbIds: [newer.board.id, wrong.board.id] }
    expect(await look(list)).toMatchObject({ total: 2, count: 1, reasons: [{ code: 'HARDWARE', count: 1 }] })
    expect(await started({ ...list, waves: [{ boards: 1 }, { sharePct: 100 }] })).toEqual([newer.board.id])
  })

  it('is refused as on saving: to other roles, and with every fault at once', async () => {
    expect(await refused({ firmwareId: releasedId }, 'moderator')).toMatchObject({ status: 403 })
    expect(await refused({ firmwareId: releasedId }, 'service_engineer')).toMatchObject({ status: 403 })
    expect(await refused({})).toEqual({ status: 400, code: 'invalid', fields: ['firmwareId'] })
    expect(await refused({ firmwareId: releasedId, name: 'Spring' })).toMatchObject({ status: 403 })
    const wrong = { firmwareId: modelId, versionFrom: '2', hardwareRevisions: ['E9'], controlPcbIds: ['nobody'] }
    const { status, fields } = await refused(wrong)
    expect(status).toBe(400)
    expect(fields.map((path) => path.split('.')[0]).sort()).toEqual([
      'controlPcbIds',
      'firmwareId',
      'hardwareRevisions',
      'versionFrom',
    ])
    const reversed = { firmwareId: releasedId, versionFrom: '2.1.0', versionTo: '2.0.0' }
    expect(await refused(reversed)).toEqual({ status: 400, code: 'rollout.versions', fields: ['versionTo'] })
    const saved = await server.call<Refusal>('POST', 'rollout', { body: { name: 'Spring', ...reversed } })
    expect(saved).toMatchObject({ status: 400, body: { code: 'rollout.versions' } })
    expect((await server.call('GET', 'rollout?name=Spring')).body).not.toContainEqual(
      expect.objectContaining({ versionFrom: '2.1.0' }),
    )
  })

  it('shows its boards with their states, by wave, to those who see the rollout', async () => {
    const boards = await boardsOf(3)
    const [wrong] = boards
    if (!wrong) throw new Error('no board')
    await change([wrong], 'control_pcb', `"hardwareRevision" = 'A1'`)
    const values = { controlPcbIds: boards.map(({ board }) => board.id), waves: [{ boards: 1 }, { sharePct: 100 }] }
    const { body: made } = await server.call<Started>('POST', 'rollout', {
      body: { name: 'Spring', firmwareId: releasedId, ...values },
    })
    await server.call('PUT', `rollout/${made.id}/start`)
    await wrong.lead()
    type Line = { controlPcbId: string; controlPcb: { code: string }; wave: number; state: string; reason: string | null }
    const { body, headers } = await server.call<Line[]>('GET', `rollout/${made.id}/boards?_sort=state&_order=asc`, {
      role: 'moderator',
    })
    expect(headers['x-total-count']).toBe('3')
    expect(body.map(({ state, wave, reason }) => [state, wave, reason])).toEqual([
      ['WAITING', 2, 'WAVE'],
      ['UNDER_WAY', 1, null],
      ['LEFT_OUT', 1, 'HARDWARE'],
    ])
    expect(body[2]?.controlPcb.code).toBe(`PCB-${wrong.board.uid}`)
    const only = await server.call<Line[]>('GET', `rollout/${made.id}/boards?state=UNDER_WAY`)
    expect(only.body).toHaveLength(1)
    expect((await server.call('GET', `rollout/${made.id}/boards`, { role: 'service_engineer' })).status).toBe(403)
    expect((await server.call('GET', `rollout/${made.id}`)).body).toMatchObject({
      subject: nextVersion,
      nextWaveAt: null,
      waveProgress: [
        { wave: 1, open: 1, waiting: 0, skipped: 1, succeeded: 0, failed: 0 },
        { wave: 2, open: 0, waiting: 1, skipped: 0, succeeded: 0, failed: 0 },
      ],
    })
    await server.rows(`update "rollout" set "waveReadyAt" = '2026-01-02T03:00:00Z' where "id" = '${made.id}'`)
    expect((await server.call('GET', `rollout/${made.id}`)).body).toMatchObject({
      nextWaveAt: '2026-01-02T04:00:00.000Z',
      endsAt: null,
    })
    // One board took 20 minutes: an hour of watching the first wave, 20 minutes of the second one, and an hour of watching it.
    await server.rows(`update "firmware_update" set "status" = 'SUCCEEDED', "createdAt" = '2099-01-02T02:40:00Z',
      "finishedAt" = '2099-01-02T03:00:00Z' where "rolloutId" = '${made.id}'`)
    await server.rows(`update "rollout" set "waveReadyAt" = '2099-01-02T03:00:00Z' where "id" = '${made.id}'`)
    expect((await server.call('GET', `rollout/${made.id}`)).body).toMatchObject({ endsAt: '2099-01-02T05:20:00.000Z' })
  })
})
