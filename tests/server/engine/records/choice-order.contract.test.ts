import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { resources } from '#resources/index.ts'
import { severities } from '#resources/shared/status-parts.ts'
import { telemetryWarning } from '#resources/telemetry-warning.ts'
import { definitionsOf } from '#schema/definition.ts'
import { rulesByResource } from '#server/app/rules.ts'
import { keysetPages } from '#server/engine/export/keyset-pages.ts'
import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { engines } from '#tests/support/databases.ts'

type Warning = { severity: string; code: string; state: string }

const codes = ['CELL_IMBALANCE', 'CELL_UNDER_VOLT', 'CLOCK_DRIFT', 'COMM_LOST', 'OVER_TEMP', 'SOC_LOW']

describe.each(engines)('the order of choices in lists on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine)
    const { id } = await server.addBoard()
    const rows = codes.map(
      (
        code,
        index,
      ) => `('01890000-0000-7000-8000-00000000000${index}', '${code}', '${Object.keys(severities)[index % 3]}', '${id}',
        ${index % 2 === 0}, ${index < 3}, false, now())`,
    )
    await server.rows(`insert into "telemetry_warning" ("id", "code", "severity", "controlPcbId", "active", "acknowledged", "suppressed", "raisedAt")
      values ${rows.join(', ')}`)
  })
  afterAll(() => server.close())

  const sorted = async (field: keyof Warning, order: 'asc' | 'desc', language = 'en') => {
    const headers = { 'accept-language': language }
    const { body } = await server.call<Warning[]>('GET', `telemetry-warning?_sort=${field}&_order=${order}`, { headers })
    return body.map((row) => row[field])
  }

  it('is that of their declaration: a critical warning is more than a warning, and that is more than info', async () => {
    const rising = ['INFO', 'INFO', 'WARNING', 'WARNING', 'CRITICAL', 'CRITICAL']
    expect(await sorted('severity', 'asc')).toEqual(rising)
    expect(await sorted('severity', 'desc')).toEqual([...rising].reverse())
  })

  it('is that of their declaration for a derived state, too', async () => {
    const states = ['ACTIVE_UNACK', 'ACTIVE_ACK', 'CLEARED_UNACK', 'CLEARED_ACK']
    const found = await sorted('state', 'asc')
    expect(new Set(found).size).toBeGreaterThan(2)
    expect(found).toEqual([...found].sort((a, b) => states.indexOf(a) - states.indexOf(b)))
  })

  it('is that of their titles in the language of the caller where the definition says so', async () => {
    expect(await sorted('code', 'asc')).toEqual([
      'OVER_TEMP', // Battery too hot
      'COMM_LOST', // Board does not report
      'CELL_UNDER_VOLT', // Cell voltage too low
      'CELL_IMBALANCE', // Cells differ in voltage
      'SOC_LOW', // Charge too low
      'CLOCK_DRIFT', // Clock of the board is wrong
    ])
    expect(await sorted('code', 'asc', 'ru')).toEqual([
      'SOC_LOW', // Низкий заряд
      'CELL_UNDER_VOLT', // Низкое напряжение ячейки
      'OVER_TEMP', // Перегрев батареи
      'COMM_LOST', // Плата не выходит на связь
      'CELL_IMBALANCE', // Разбаланс ячеек
      'CLOCK_DRIFT', // Часы платы сбиты
    ])
  })

  it('is the same in an export, page by page', async () => {
    const now = new Date()
    const source = { resource: telemetryWarning, definitions: definitionsOf(resources), rules: rulesByResource, now }
    const sort = [{ field: 'severity', order: 'desc' }] as const
    const ids: string[] = []
    for await (const page of keysetPages(server.database.kysely, { source, where: sql`true`, sort, size: 2 })) ids.push(...page)
    const { body } = await server.call<{ id: string }[]>('GET', 'telemetry-warning?_sort=severity&_order=desc')
    expect(ids).toEqual(body.map(({ id }) => id))
  })
})
