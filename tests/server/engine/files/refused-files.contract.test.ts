import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { albumDefinitions } from '#tests/support/album-definitions.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { onePixel } from '#tests/support/image-bytes.ts'
import { multipart } from '#tests/support/multipart.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

describe.each(oneEngine(import.meta.filename))('a refused call of a file on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, {}, albumDefinitions)
  })
  afterAll(() => server.close())

  it('is named in the audit log with its resource and record', async () => {
    const { id } = await server.made('album', { name: 'A' }, 'moderator')
    const { headers, payload } = multipart([{ name: 'file', filename: 'site.png', content: onePixel }])
    const sent = await server.call('POST', 'files/album/photo', { as: 'client:c1', body: payload, headers })
    const read = await server.get(`album/${id}/photo`, 'client:c1')
    expect([sent.status, read.status]).toEqual([403, 403])
    const denied = () =>
      server.select(`select "action", "entityType", coalesce("entityId", '') as "entityId" from "auditLog"
        where "result" = 'DENIED' and "role" = 'client' order by "at", "id"`)
    await expect.poll(denied).toEqual([
      { action: 'update', entityType: 'album', entityId: '' },
      { action: 'read', entityType: 'album', entityId: id },
    ])
  })
})
