import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { forgetJob } from '#server/filling/job-progress.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { openPeopleServer, type PeopleServer } from '#tests/support/people-server.ts'

describe.each(oneEngine(import.meta.filename))('an import that has written nothing on $name', (engine) => {
  let server: PeopleServer
  beforeAll(async () => {
    server = await openPeopleServer(engine)
  })
  afterAll(() => server.close())

  it('is forgotten by the call that runs it, and stays when another one has taken it over', async () => {
    await server.rows(`insert into "importJob" ("id", "at", "actorId", "target", "fileName", "total", "created", "updated", "skipped",
        "failed", "done", "state", "beatAt", "runner")
      values ('job', now(), 'ann', 'client', 'a.csv', 9, 0, 0, 0, 0, 0, 'RUNNING', now(), 'second')`)
    const { kysely } = server.database
    expect(await forgetJob(kysely, 'job', { runner: 'first', userId: 'ann', key: undefined })).toBe(false)
    expect(await server.rows('select "runner" from "importJob"')).toEqual([{ runner: 'second' }])
    expect(await forgetJob(kysely, 'job', { runner: 'second', userId: 'ann', key: undefined })).toBe(true)
    expect(await server.rows('select 1 from "importJob"')).toEqual([])
  })
})
