import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { albumDefinitions } from '#tests/support/album-definitions.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { onePixel } from '#tests/support/image-bytes.ts'
import { multipart } from '#tests/support/multipart.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

describe.each(oneEngine(import.meta.filename))('the name of a file on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, {}, albumDefinitions)
  })
  afterAll(() => server.close())

  it.each([
    ['ü %22b%22;.png', 'ü "b";.png', '%C3%BC%20%22b%22%3B.png'],
    ["it's (1) 100%25 %2522%0D%0A.png", "it's (1) 100%25 %2522.png", 'it%27s%20%281%29%20100%2525%20%252522.png'],
  ])('is read as browsers send it, and told to who downloads it: %s', async (sent, name, encoded) => {
    const { headers, payload } = multipart([{ name: 'file', filename: sent, content: onePixel }])
    const file = await server.call('POST', 'files/album/photo', { as: 'moderator', body: payload, headers })
    expect(file.body, file.text).toMatchObject({ name })
    const { id } = await server.made('album', { name: 'A', photo: file.body }, 'moderator')
    expect((await server.get(`album/${id}`, 'moderator')).body).toMatchObject({ photo: { name } })
    const told = (await server.get(`album/${id}/photo`, 'moderator')).headers['content-disposition']
    expect(told).toMatch(/^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w%.~!-]+$/)
    expect(told).toContain(`UTF-8''${encoded}`)
  })
})
