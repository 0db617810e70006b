import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BoardServer } from '#tests/support/board-server.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { TemplateRollouts } from '#tests/support/template-rollouts.ts'
import { releasedId, UpdatingBoard } from '#tests/support/updating-board.ts'

describe.each(oneEngine(import.meta.filename))('the person who starts a rollout on $name', (engine) => {
  let server: BoardServer
  let fleet: TemplateRollouts
  let starter: string
  let author: string
  beforeAll(async () => {
    server = await UpdatingBoard.openServer(engine)
    fleet = new TemplateRollouts(server, 'START')
    starter = await server.userId('admin')
    author = await server.userId('moderator')
  })
  afterAll(() => server.close())

  const writtenByAnother = (id: string) =>
    server.rows(`update "rollout" set "createdBy" = '${author}', "updatedBy" = '${author}' where "id" = '${id}'`)
  const startedBy = async (id: string) => (await server.call('GET', `rollout/${id}`)).body.startedBy

  it('is the one who gives the boards the settings of a template, no matter who wrote the rollout', async () => {
    const { id, units } = await fleet.begun(1)
    await writtenByAnother(id)
    await fleet.lead()
    expect(await startedBy(id)).toBe(starter)
    const board = units[0]?.board.id
    expect(
      await server.rows(`select "b"."updatedBy", "c"."requestedBy", "a"."actorId", "a"."role" from "control_pcb" "b"
        join "configuration" "c" on "c"."controlPcbId" = "b"."id" and "c"."version" = 2
        join "auditLog" "a" on "a"."entityId" = "b"."id" and "a"."action" = 'apply-template' where "b"."id" = '${board}'`),
    ).toEqual([{ updatedBy: starter, requestedBy: starter, actorId: starter, role: 'admin' }])
  })

  it('is the one who asks for the updates of firmware, no matter who wrote the rollout', async () => {
    const [unit] = await fleet.boards(1)
    const id = await fleet.started({ brings: 'FIRMWARE', firmwareId: releasedId, controlPcbIds: [unit?.board.id] })
    await writtenByAnother(id)
    await fleet.lead()
    expect(await startedBy(id)).toBe(starter)
    expect(await server.rows(`select "requestedBy", "createdBy" from "firmware_update" where "rolloutId" = '${id}'`)).toEqual([
      { requestedBy: starter, createdBy: starter },
    ])
  })

  it('is taken for its author where an older release has started it', async () => {
    const { id, units } = await fleet.begun(1)
    await writtenByAnother(id)
    await server.rows(`update "rollout" set "startedBy" = null where "id" = '${id}'`)
    await fleet.lead()
    expect(
      await server.rows(
        `select "requestedBy" from "configuration" where "controlPcbId" = '${units[0]?.board.id}' and "version" = 2`,
      ),
    ).toEqual([{ requestedBy: author }])
  })
})
