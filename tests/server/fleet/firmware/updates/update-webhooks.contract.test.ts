import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { nextVersion, oldVersion, UpdatingBoard } from '#tests/support/updating-board.ts'

describe.each(oneEngine(import.meta.filename))('a webhook on $name hears of updates', (engine) => {
  let server: BoardServer
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
    const body = { name: 'Hook', url: 'https://hooks.example.com/in', events: ['update.failed'] }
    await server.call('POST', 'webhook', { body })
  })
  afterAll(() => server.close())

  const told = async () =>
    (await server.rows<{ body: string }>('select "body" from "webhook_delivery" order by "id"')).map(({ body }) =>
      JSON.parse(body),
    )

  it('that have failed for good, and of none that is tried again by itself or has gone well', async () => {
    const updating = await UpdatingBoard.add(server)
    const { id } = await updating.requested({ maxAttempts: 2 })
    await updating.progress(id, 'DOWNLOADING')
    await updating.progress(id, 'FAILED', { failure: 'CHECKSUM' })
    expect(await told()).toEqual([])
    const [again] = await server.rows<{ id: string }>(`select "id" from "firmware_update" where "retryOfId" = '${id}'`)
    await updating.progress(String(again?.id), 'FAILED', { failure: 'CHECKSUM' })
    expect(await told()).toEqual([
      {
        type: 'update.failed',
        timestamp: expect.any(String),
        data: {
          id: again?.id,
          status: 'FAILED',
          failureCode: 'CHECKSUM',
          fromVersion: oldVersion,
          toVersion: nextVersion,
          attempt: 2,
          finishedAt: expect.any(String),
          controlPcb: { id: updating.board.id, code: expect.any(String) },
          ess: { id: updating.board.essId, code: expect.any(String) },
          page: `/firmware-update/${again?.id}`,
        },
      },
    ])
  })
})
