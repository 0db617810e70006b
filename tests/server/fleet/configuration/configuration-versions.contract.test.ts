import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { configurationFields } from '#resources/shared/configuration.ts'
import { defaultConfiguration } from '#server/fleet/configuration/configuration-rules.ts'
import { encodeFrame } from '#server/frames/encode-frame.ts'
import { type BoardServer, openBoardServer, type TestBoard } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

type Values = Record<string, unknown>
type Asked = { requestedByRef: { id: string; name: string } | null }
type Version = Asked & {
  version: number
  outcome: string
  outcomeAt: string | null
  rejectReason: string | null
  desired: Values
}
type Answer = Values & Asked & { state: string; desired: Values; desiredVersion: number; history: Version[] }

const first = defaultConfiguration(configurationFields)

describe.each(oneEngine(import.meta.filename))('the configuration of a board, desired and reported, on $name', (engine) => {
  let server: BoardServer
  let board: TestBoard
  let seq = 0
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date() })
  })
  afterAll(() => server?.close())
  beforeEach(async () => {
    board = await server.addBoard()
    await server.rows(`insert into "configuration" ("controlPcbId", "version", "desired", "requestedAt")
      values ('${board.id}', 1, '${JSON.stringify(first)}', '${server.now.toISOString()}')`)
  })

  const path = () => `control-pcb/${board.id}/configuration`
  const current = async (query = '') => (await server.call<Answer>('GET', path() + query)).body
  const wish = async (change: Values, reason?: string) => {
    const { desired, desiredVersion } = await current()
    const body = { baseVersion: desiredVersion, desired: { ...desired, ...change }, ...(reason ? { reason } : {}) }
    const { status, text } = await server.call('PUT', path(), { body })
    expect(status, text).toBe(200)
    return { ...desired, ...change }
  }
  const says = (values: object) =>
    server.send(board, encodeFrame({ type: 'CONFIG_ACK', seq: ++seq, uid: board.uid, time: server.now, values }))
  const wire = (values: Values) => JSON.parse(JSON.stringify(values))
  const takes = (configVersion: number, configuration: Values) =>
    says({ configVersion, result: 'APPLIED', configuration: wire(configuration) })
  const outcomes = async () => (await current()).history.map(({ version, outcome }) => `${version} ${outcome}`)

  it('waits with its age while the board says nothing', async () => {
    const askedAt = server.now.toISOString()
    await wish({ socMinPct: 15 }, 'Longer nights')
    server.pass(90)
    expect(await current()).toMatchObject({
      state: 'PENDING',
      pendingSince: askedAt,
      pendingForS: 90,
      reported: null,
      reportedVersion: null,
      drift: [],
      rejectReason: null,
      requestedByRef: { name: 'Ann Lee' },
    })
  })

  it('keeps every version with who asked, why, and what became of it', async () => {
    await takes(1, first)
    const appliedAt = server.now.toISOString()
    server.pass(60)
    await wish({ socMinPct: 12 }, 'one')
    await wish({ socMinPct: 13 }, 'two')
    await says({ configVersion: 3, result: 'REJECTED', rejectReason: 'flash is worn' })
    server.pass(60)
    await takes(4, await wish({ socMinPct: 14 }, 'three'))
    const takenAt = server.now.toISOString()
    await wish({ socMinPct: 15 }, 'four')
    const { history } = await current()
    expect(history).toMatchObject([
      { version: 5, outcome: 'PENDING', outcomeAt: null, reason: 'four', desired: { socMinPct: 15 } },
      { version: 4, outcome: 'APPLIED', outcomeAt: takenAt, reason: 'three', requestedByRef: { name: 'Ann Lee' } },
      { version: 3, outcome: 'REJECTED', rejectReason: 'flash is worn', reason: 'two', desired: { socMinPct: 13 } },
      { version: 2, outcome: 'REPLACED', outcomeAt: null, rejectReason: null, reason: 'one' },
      { version: 1, outcome: 'APPLIED', outcomeAt: appliedAt, reason: null, requestedBy: null, requestedByRef: null },
    ])
    expect((await current('?versions=2')).history.map(({ version }) => version)).toEqual([5, 4])
    expect((await server.call('GET', `${path()}?versions=0`)).status).toBe(400)
  })

  it('makes no version of the values that are desired already, unless the board is to be told them again', async () => {
    await takes(1, first)
    await wish({}, 'Nothing new')
    expect(await outcomes()).toEqual(['1 APPLIED'])
    expect(await server.rows(`select 1 from "auditLog" where "entityId" = '${board.id}' and "action" = 'configure'`)).toEqual(
      [],
    )
    await wish({ socMinPct: 12 })
    await wish({}, 'It waits already')
    await says({ configVersion: 2, result: 'REJECTED', rejectReason: 'flash is worn' })
    expect(await outcomes()).toEqual(['2 REJECTED', '1 APPLIED'])
    await wish({}, 'The flash is replaced')
    expect(await outcomes()).toEqual(['3 PENDING', '2 REJECTED', '1 APPLIED'])
    const drifted = await takes(3, { ...first, socMinPct: 12 }).then(() => current())
    await says({ configVersion: 3, result: 'REPORTED', configuration: wire({ ...drifted.desired, socMaxPct: 80 }) })
    await wish({}, 'Back to it')
    expect((await outcomes())[0]).toBe('4 PENDING')
  })

  it('says what the board said when it refused, until something else is asked of it', async () => {
    await takes(1, first)
    await wish({ socMinPct: 12 })
    await says({ configVersion: 2, result: 'REJECTED', rejectReason: 'flash is worn' })
    expect(await current()).toMatchObject({
      state: 'REJECTED',
      rejectReason: 'flash is worn',
      reportedVersion: 1,
      pendingSince: null,
    })
    await wish({ socMinPct: 13 })
    expect(await current()).toMatchObject({ state: 'PENDING', rejectReason: null })
    const { config } = (await server.call('GET', `control-pcb/${board.id}`)).body
    expect(config).toMatchObject({ state: 'PENDING', rejectReason: null })
  })

  it('drifts by what a person set at the board, and names it', async () => {
    await takes(1, first)
    await says({ configVersion: 1, result: 'REPORTED', configuration: wire({ ...first, socMaxPct: 80, logLevel: 'DEBUG' }) })
    const drifted = await current()
    expect(drifted).toMatchObject({ state: 'DRIFTED', reported: { socMaxPct: 80 }, desired: { socMaxPct: 100 } })
    expect(drifted.drift).toEqual(['socMaxPct', 'logLevel'])
    expect(await outcomes()).toEqual(['1 APPLIED'])
  })

  it('does not drift by thresholds of warnings, which the server looks at itself, nor by what a board leaves out', async () => {
    const warningOverrides = [{ code: 'OVER_TEMP', raise: 40, clear: 38, delayS: 5 }]
    const schedule = [{ days: ['1'], from: '22:00', to: '06:00', mode: 'BACKUP', powerW: null, targetSocPct: null }]
    const { warningOverrides: _, ...desired } = await wish({ warningOverrides, schedule })
    const set = Object.fromEntries(Object.entries(desired).filter(([, value]) => value !== null))
    await takes(2, { ...set, schedule: [{ days: ['1'], from: '22:00', to: '06:00', mode: 'BACKUP' }] })
    expect(await current()).toMatchObject({ state: 'IN_SYNC', drift: [], desired: { warningOverrides } })
  })

  it('does not drift by settings that its board does not have, and does by one that is not set there', async () => {
    const desired = await wish({ chargePowerLimitW: 3_000, logLevel: 'INFO' })
    const { reportIntervalS, socMinPct, socMaxPct } = wire(desired)
    const own = { reportIntervalS, socMinPct, socMaxPct, chargePowerLimitW: 3_000 }
    await takes(2, own)
    expect(await current()).toMatchObject({ state: 'IN_SYNC', drift: [] })
    const stateOf = async () => (await server.call<{ config: Values }>('GET', `control-pcb/${board.id}`)).body.config.state
    expect(await stateOf()).toBe('IN_SYNC')
    await says({ configVersion: 2, result: 'REPORTED', configuration: { ...own, chargePowerLimitW: null } })
    expect(await current()).toMatchObject({ state: 'DRIFTED', drift: ['chargePowerLimitW'] })
  })

  it('is brought to a board that reports a higher version, which another installation has issued', async () => {
    await says({ configVersion: 7, result: 'REPORTED', configuration: wire(first) })
    expect(await current()).toMatchObject({ state: 'PENDING', reportedVersion: 7 })
    const asked = await wish({ socMinPct: 15 })
    expect((await says({ configVersion: 7, result: 'REPORTED' })).body.news).toEqual({ configuration: 2 })
    await takes(2, asked)
    expect(await current()).toMatchObject({ state: 'IN_SYNC', reportedVersion: 2 })
    expect((await says({ configVersion: 2, result: 'REPORTED' })).body.news).toEqual({})
  })

  it('is not there of a board that is not', async () => {
    expect((await server.call('GET', 'control-pcb/nobody/configuration')).status).toBe(404)
    expect((await server.call('GET', path(), { role: 'client' })).status).toBe(403)
  })

  it('names who asked, without an e-mail address', async () => {
    await wish({ socMinPct: 15 })
    const asked = async () => {
      const { requestedByRef, history } = await current()
      return [requestedByRef, history[0]?.requestedByRef]
    }
    const [named] = await asked()
    expect(Object.keys(Object(named)).toSorted()).toEqual(['id', 'name'])
    expect(await asked()).toEqual([named, named])
    await server.rows(
      `update "user" set "email" = 'ann@fleet.example', "firstName" = '', "lastName" = '' where "id" = '${named?.id}'`,
    )
    expect(await asked()).toEqual(Array.from({ length: 2 }, () => ({ id: named?.id, name: 'a***@fleet.example' })))
  })
})
