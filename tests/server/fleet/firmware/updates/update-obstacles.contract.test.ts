import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { nextVersion, oldVersion, releasedId, UpdatingBoard } from '#tests/support/updating-board.ts'

type Critical = { code: string; subject?: string; onOther?: boolean }
type Check = {
  code: string
  ok: boolean
  obstacle?: string
  overridable: boolean
  found: string
  links: { resource: string; id: string }[]
}

describe.each(oneEngine(import.meta.filename))('what stands in the way of an update on $name', (engine) => {
  let server: BoardServer
  let updating: UpdatingBoard
  let count = 0
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
  })
  afterAll(() => server.close())
  beforeEach(async () => {
    updating = await UpdatingBoard.add(server)
  })

  /** An open critical warning of the board, or of another board of its site. */
  async function raise({ code, subject, onOther }: Critical): Promise<string> {
    const { id: boardId, essId } = updating.board
    const id = `01890000-0000-7000-8000-${String(++count).padStart(12, '0')}`
    const place = onOther ? (await server.addBoard({ ess: false })).id : boardId
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "subject", "controlPcbId", "essId", "active", "suppressed", "raisedAt")
      values ('${id}', '${code}', 'CRITICAL', ${subject ? `'${subject}'` : 'null'}, '${place}', '${essId}', true, false, now())`)
    return id
  }
  async function criticalCheck(role: 'admin' | 'moderator' = 'admin'): Promise<Check | undefined> {
    const query = `firmware-update/pre-check?controlPcbId=${updating.board.id}&firmwareId=${releasedId}`
    const { body } = await server.call<{ checks: Check[] }[]>('GET', query, { role })
    return body[0]?.checks.find(({ code }) => code === 'NO_CRITICAL')
  }

  it.each<[string, Critical]>([
    ['revoked firmware', { code: 'FW_REVOKED', subject: oldVersion }],
    ['a high rate of damaged packets, which an update may cure', { code: 'PKT_INVALID_RATE' }],
    ['the failed update to another version', { code: 'FW_UPDATE_FAILED', subject: '2.1.9' }],
    ['the silence of another board at the site', { code: 'COMM_LOST', onOther: true }],
  ])('is not %s', async (_, critical) => {
    await raise(critical)
    const check = await criticalCheck()
    expect(check).toMatchObject({ ok: true })
    expect(check).not.toHaveProperty('obstacle')
    expect((await updating.request()).status).toBe(201)
  })

  it.each<[string, Critical]>([
    ['an insulation fault', { code: 'INSULATION_FAULT' }],
    ['an insulation fault at another board of the site', { code: 'INSULATION_FAULT', onOther: true }],
    ['the failed update to the same version', { code: 'FW_UPDATE_FAILED', subject: nextVersion }],
    ['its own silence', { code: 'COMM_LOST' }],
  ])('is %s, named and linked', async (_, critical) => {
    const id = await raise(critical)
    expect(await criticalCheck()).toMatchObject({
      ok: false,
      obstacle: 'A critical warning is open',
      links: [{ resource: 'telemetry-warning', id }],
    })
    expect(await updating.request()).toMatchObject({ status: 409, body: { code: 'update.pre-checks' } })
  })

  it('is named in words where it is found and in the refusal, in both languages', async () => {
    await raise({ code: 'INSULATION_FAULT' })
    const asked = { controlPcbId: updating.board.id, firmwareId: releasedId }
    const query = `firmware-update/pre-check?${new URLSearchParams(asked)}`
    const texts = { en: 'open: Insulation fault', ru: 'открыто: Нарушение изоляции' }
    for (const [language, text] of Object.entries(texts)) {
      const headers = { 'accept-language': language }
      expect((await server.call('GET', query, { headers })).text).toContain(`"found":"${text}"`)
      expect((await server.call('POST', 'firmware-update', { headers, body: asked })).text).toContain(`(${text})`)
    }
  })

  it('is passed over by an admin with a reason, which the update and the journal keep', async () => {
    await raise({ code: 'INSULATION_FAULT' })
    const overrideReason = 'The sensor is known to be faulty'
    expect(await criticalCheck()).toMatchObject({ ok: false, overridable: true })
    expect(await criticalCheck('moderator')).toMatchObject({ ok: false, overridable: false })
    expect((await updating.request({ overrideReason }, 'moderator')).status).toBe(403)
    const made = await updating.requested({ overrideReason })
    expect(made).toMatchObject({ status: 'QUEUED', overrideReason })
    const [entry] = await server.rows(`select "action", "reason" from "auditLog" where "entityId" = '${made.id}'`)
    expect(entry).toEqual({ action: 'create', reason: overrideReason })
  })

  it('can not be passed over where the board itself does not fit, and needs no reason where nothing is in the way', async () => {
    await server.rows(`update "control_pcb" set "hardwareRevision" = 'A1' where "id" = '${updating.board.id}'`)
    expect(await updating.request({ overrideReason: 'it will do' })).toMatchObject({ status: 409 })
    await server.rows(`update "control_pcb" set "hardwareRevision" = 'B1' where "id" = '${updating.board.id}'`)
    expect(await updating.requested({ overrideReason: 'to be sure' })).toMatchObject({ overrideReason: null })
  })

  it('is told of a request that waits: its time, the paused rollout, its window, or the silent board', async () => {
    const later = new Date(server.now.getTime() + 3_600_000).toISOString()
    const waitingOf = async (more: object) => {
      const { id } = await updating.requested(more)
      const { waiting } = await updating.shown(id)
      await server.call('PUT', `firmware-update/${id}/cancel`)
      return { id, waiting }
    }
    expect(await waitingOf({ scheduledAt: later })).toMatchObject({ waiting: 'TIME' })
    expect(await waitingOf({ window: { days: ['1'], from: '02:00', to: '03:00' } })).toMatchObject({ waiting: 'WINDOW' })
    const contacted = await waitingOf({})
    expect(contacted).toMatchObject({ waiting: 'CONTACT' })
    expect(await updating.shown(contacted.id)).toMatchObject({ waiting: null })
    await server.rows(
      `update "boardState" set "lastValidPacketAt" = now() - interval '2 days' where "controlPcbId" = '${updating.board.id}'`,
    )
    expect(await waitingOf({})).toMatchObject({ waiting: 'SILENT' })
  })
})
