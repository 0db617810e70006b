import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type BoardServer, openBoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'

describe.each(oneEngine(import.meta.filename))('the open updates of boards on $name', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await openBoardServer(engine, { at: new Date() })
  })
  afterAll(() => server.close())

  const add = (prefix: string, finishedAt: string) =>
    server.rows(`insert into "firmware_update" ("id", "controlPcbId", "toVersion", "status", "deadlineAt", "finishedAt")
      select '${prefix}' || "n", '${prefix}' || "n", '2.0.0', 'QUEUED', now(), ${finishedAt} from generate_series(1, 5000) as "n"`)

  it('are found by their boards while a rollout has just opened thousands', async () => {
    await add('ended', 'now()')
    await server.rows('analyze "firmware_update"')
    await add('open', 'null')
    const plan = await server.rows<Record<string, string>>(`explain select "id" from "firmware_update"
      where "controlPcbId" = any(array['open1', 'open2', 'open3']) and "finishedAt" is null`)
    expect(plan.map((line) => Object.values(line)[0]).join('\n')).toContain('"controlPcbId" = ANY')
    expect(JSON.stringify(plan)).toMatch(/Index Cond: .*controlPcbId/)
  })
})
