import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ChemistryPreset, PresetEffect } from '#resources/fleet/chemistry-preset.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { Maker } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

type Answer = { desired: Record<string, unknown>; defaults: Record<string, unknown>; desiredVersion: number }
type Board = { id: string; code?: unknown }

const lfp = {
  lowestMinMv: 2500,
  highestMinMv: 3100,
  lowestMaxMv: 3400,
  highestMaxMv: 3650,
  usualMinMv: 2900,
  usualMaxMv: 3550,
  nominalMv: 3200,
}
const narrow = { ...lfp, highestMaxMv: 3500, usualMaxMv: 3450 }

describe.each(oneEngine(import.meta.filename))('presets of chemistries on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  let board: Board
  beforeAll(async () => {
    server = await FleetServer.open(engine)
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())
  beforeEach(async () => {
    const ess = await maker.ess({ cellsInSeries: 16 })
    board = await maker.board()
    await maker.admin.post(`ess/${ess.id}/attach-control-pcb`, { controlPcbId: board.id, role: 'MAIN' })
  })
  afterEach(() => maker.admin.delete('chemistry-preset/LFP'))

  const answerOf = <T>({ text }: { text: string }): T => JSON.parse(text)
  const all = async () => answerOf<ChemistryPreset[]>(await maker.admin.get('chemistry-preset'))
  const known = async (chemistry: string) => (await all()).find((preset) => preset.chemistry === chemistry)
  const versionOf = async (chemistry = 'LFP') => (await known(chemistry))?.version ?? 0
  const put = (cells: object, version: number, chemistry = 'LFP') =>
    maker.admin.put(`chemistry-preset/${chemistry}`, { ...cells, version })
  const set = async (cells: object, chemistry = 'LFP') => put(cells, await versionOf(chemistry), chemistry)
  const path = ({ id }: Board) => `control-pcb/${id}/configuration`
  const current = async (of: Board) => answerOf<Answer>(await maker.admin.get(path(of)))
  const wish = async (of: Board, change: object) => {
    const { desired, desiredVersion } = await current(of)
    return maker.admin.put(path(of), {
      baseVersion: desiredVersion,
      desired: { ...desired, ...change },
      confirmCode: of.code,
    })
  }

  it('are shown with their standards', async () => {
    expect((await all()).map(({ chemistry }) => chemistry)).toEqual(['LFP', 'NMC', 'LTO', 'LEAD_ACID'])
    expect(await known('LFP')).toMatchObject({ ...lfp, standard: lfp, version: 0, updatedBy: null })
    expect(await known('NMC')).toMatchObject({ lowestMinMv: 3000, highestMaxMv: 4250, usualMinMv: 3300, usualMaxMv: 4150 })
  })

  it('say what the server takes and what is usual, until they are taken back', async () => {
    expect((await wish(board, { cellVoltageMaxMv: 3600 })).status).toBe(200)
    expect((await set(narrow)).body).toMatchObject({ ...narrow, version: 1, standard: lfp })
    const refused = await wish(board, { cellVoltageMaxMv: 3601 })
    expect([refused.status, Object.keys(Object(refused.body.fields))]).toEqual([400, ['desired.cellVoltageMaxMv']])
    expect((await current(board)).defaults).toMatchObject({ cellVoltageMinMv: 2900, cellVoltageMaxMv: 3450 })
    expect((await current(await maker.board())).desired).toMatchObject({ cellVoltageMaxMv: 3450 })
    expect((await maker.admin.delete('chemistry-preset/LFP')).status).toBe(200)
    expect(await known('LFP')).toMatchObject({ ...lfp, version: 2 })
    expect((await wish(board, { cellVoltageMaxMv: 3601 })).status).toBe(200)
    const trail = (await maker.admin.get('audit-log?entityType=chemistry-preset&_sort=at&_order=asc')).body
    expect(trail).toMatchObject([
      { action: 'set-chemistry-preset', code: 'LFP', before: lfp, after: narrow },
      { action: 'reset-chemistry-preset', code: 'LFP', before: narrow, after: lfp },
    ])
  })

  it('hold for their chemistry only', async () => {
    const nmc = (await known('NMC'))?.standard
    expect((await set({ ...nmc, highestMaxMv: 4180 }, 'NMC')).status).toBe(200)
    expect((await wish(board, { cellVoltageMaxMv: 3650 })).status).toBe(200)
    await maker.admin.delete('chemistry-preset/NMC')
  })

  it.each([
    ['highestMinMv', { highestMinMv: 2499, usualMinMv: 2499 }],
    ['highestMaxMv', { highestMaxMv: 3399 }],
    ['usualMinMv', { usualMinMv: 3101 }],
    ['usualMaxMv', { usualMaxMv: 3651 }],
    ['usualMaxMv', { usualMinMv: 3100, usualMaxMv: 3399, lowestMaxMv: 3300 }],
    ['nominalMv', { nominalMv: 2899 }],
    ['highestMaxMv', { highestMaxMv: 4251 }],
    ['lowestMinMv', { lowestMinMv: 1499 }],
  ])('are refused at %s when they make no sense: %o', async (name, change) => {
    const before = await versionOf()
    const { status, body } = await set({ ...lfp, ...change })
    expect([status, Object.keys(Object(body.fields))]).toEqual([400, expect.arrayContaining([name])])
    expect(await versionOf()).toBe(before)
  })

  it('are seen by the staff, set by admins, and never over the head of another', async () => {
    const preset = { ...narrow, version: 0 }
    for (const role of ['moderator', 'service_engineer'] as const) {
      const person = await maker.person(role)
      expect((await person.get('chemistry-preset')).status).toBe(200)
      expect((await person.put('chemistry-preset/LFP', preset)).status).toBe(403)
      expect((await person.post('chemistry-preset/LFP/preview', preset)).status).toBe(403)
      expect((await person.delete('chemistry-preset/LFP')).status).toBe(403)
    }
    expect((await (await maker.person('client')).get('chemistry-preset')).status).toBe(403)
    expect((await put(narrow, 0, 'UNOBTAINIUM')).status).toBe(404)
    const version = await versionOf()
    const both = await Promise.all([put(narrow, version), put(lfp, version)])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect((await put(narrow, version)).body).toMatchObject({ code: 'stale-version', current: { version: version + 1 } })
  })

  it('that were brought back and set again are not overwritten by an older form', async () => {
    const wide = { ...lfp, highestMaxMv: 3700 }
    const version = await versionOf()
    expect((await put(narrow, version)).status).toBe(200)
    for (const _ of [1, 2]) expect((await maker.admin.delete('chemistry-preset/LFP')).status).toBe(200)
    expect(await known('LFP')).toMatchObject({ ...lfp, version: version + 2, updatedBy: expect.any(String) })
    expect((await put(wide, version + 2)).body).toMatchObject({ ...wide, version: version + 3 })
    for (const stale of [version, version + 1, version + 2])
      expect((await put(narrow, stale)).body).toMatchObject({
        code: 'stale-version',
        current: { ...wide, version: version + 3 },
      })
  })

  it('tell before they are set whose wanted limits would lie outside', async () => {
    const preview = async (cells: object) =>
      answerOf<PresetEffect>(await maker.admin.post('chemistry-preset/LFP/preview', { ...cells, version: 0 }))
    expect((await wish(board, { cellVoltageMinMv: 2950, cellVoltageMaxMv: 3450 })).status).toBe(200)
    const same = await preview(lfp)
    expect([same.before, same.outside, same.examples]).toEqual([0, 0, []])
    const effect = await preview({ ...lfp, highestMinMv: 2940, usualMinMv: 2940 })
    expect(effect).toMatchObject({
      boards: same.boards,
      before: 0,
      outside: 1,
      examples: [{ board: { id: board.id, code: board.code }, minMv: 2950, maxMv: 3450 }],
    })
    expect(await known('LFP')).toMatchObject(lfp)
  })
})
