import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { extract } from '#build/words/extract.ts'
import { pseudoMessages } from '#build/words/pseudo.ts'
import type { ImportReport } from '#schema/wire/import-report.ts'
import { addMessages } from '#schema/words.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'

describe.each(oneEngine(import.meta.filename))('the file of an export on $name', (engine) => {
  let server: FleetServer
  let token: string
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5', DEMO_LIVE: '0' })
    token = await server.as('admin')
  }, 120_000)
  afterAll(() => server?.close())
  // Exports are counted by the minute.
  beforeEach(() => server.pass(61))

  const exported = async (list: string, language = 'en', columns = '') => {
    const headers = { authorization: `Bearer ${token}`, 'accept-language': language }
    const { statusCode, body } = await server.app.inject({ method: 'GET', url: `/api/export/${list}${columns}`, headers })
    expect(statusCode, body).toBe(200)
    return body
  }
  const checked = async (target: string, payload: string) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }
    const url = `/api/import/${target}?dryRun=true&update=true`
    const { statusCode, body } = await server.app.inject({ method: 'POST', url, headers, payload })
    expect(statusCode, body).toBe(200)
    return JSON.parse(body) as ImportReport
  }

  it.each([
    ['ess', 'en', ['Connection', 'Open warnings', 'Solar, W', 'Owner']],
    ['ess', 'ru', ['Связь', 'Предупреждения', 'Солнце, Вт', 'Владелец']],
    ['client', 'en', ['Name', 'Status', 'Created, UTC']],
    ['client', 'ru', ['Имя и фамилия', 'Статус', 'Создано, UTC']],
    ['control-pcb', 'en', ['ESS', 'Connection', 'Firmware']],
  ])('of %s in %s is taken by the import of the same resource, and changes nothing', async (list, language, shown) => {
    const text = await exported(list, language)
    const report = await checked(list, text)
    expect(report.faults).toEqual([])
    expect(report).toMatchObject({ created: 0, updated: 0, failed: 0, ignored: expect.arrayContaining(shown) })
    expect(report.skipped).toBe(report.total)
    expect(report.total).toBeGreaterThan(4)
  })

  it('in a language of the locales is taken as those of the labels are', async () => {
    addMessages('en-XA', pseudoMessages(extract(process.cwd()).texts))
    for (const list of ['ess', 'client', 'control-pcb']) {
      const report = await checked(list, await exported(list, 'en-XA'))
      expect([list, report.faults, report.created, report.updated]).toEqual([list, [], 0, 0])
    }
    expect(await exported('ess', 'en-XA', '?columns=code,lifecycle')).not.toMatch(/Code|In operation/)
  })

  it('with one value changed is one change', async () => {
    const text = await exported('ess', 'en', '?columns=code,name,lifecycle')
    const changed = text.replace(/^(ESS-000001),(?:"[^"]*"|[^",]*)/m, '$1,House by the lake')
    expect(changed).not.toBe(text)
    expect(await checked('ess', changed)).toMatchObject({ created: 0, updated: 1, failed: 0 })
    const moved = text.replace(/In operation$/m, 'In orbit')
    const { faults } = await checked('ess', moved)
    expect(faults).toMatchObject([{ column: 'lifecycle', message: expect.stringContaining('In operation (IN_OPERATION)') }])
  })

  it('has no column that is none of the resource', async () => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'text/csv' }
    const url = '/api/import/ess?dryRun=true'
    const answer = await server.app.inject({ method: 'POST', url, headers, payload: 'Code,Weather\nESS-1,sunny' })
    expect([answer.statusCode, answer.json<{ message: string[] }>().message]).toEqual([
      400,
      ['map: The column “Weather” fills nothing'],
    ])
  })
})
