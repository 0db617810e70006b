import { createHash } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredFile } from '#schema/files.ts'
import { dayMs } from '#schema/format/durations.ts'
import { removeUnusedFiles } from '#server/engine/files/remove-unused-files.ts'
import { albumDefinitions } from '#tests/support/album-definitions.ts'
import { engines } from '#tests/support/databases.ts'
import { onePixel } from '#tests/support/image-bytes.ts'
import { multipart, type Part } from '#tests/support/multipart.ts'
import { openToyServer, type ToyServer } from '#tests/support/toy-server.ts'

const page = '<html><script>alert(1)</script></html>'
const picture = (content: Buffer | string = onePixel, filename = 'site.png'): Part => ({ name: 'file', filename, content })
const paper = (content: Buffer | string, filename = 'paper.txt') => picture(content, filename)
const jpeg = (filename = 'site.jpg') => picture(Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16]), filename)
const hashOf = (content: Buffer | string) => createHash('sha256').update(content).digest('hex')

describe.each(engines)('files of records on $name', (engine) => {
  let server: ToyServer
  beforeAll(async () => {
    server = await openToyServer(engine, {}, albumDefinitions)
  })
  afterAll(() => server.close())

  const send = (parts: readonly Part[], { as = 'moderator', to = 'album/photo', key = '' } = {}) => {
    const { headers, payload } = multipart(parts)
    return server.call('POST', `files/${to}`, {
      as,
      body: payload,
      headers: { ...headers, ...(key ? { 'idempotency-key': key } : {}) },
    })
  }
  const uploaded = async (part = picture(), options?: { as?: string; to?: string }): Promise<StoredFile> => {
    const answer = await send([part], options)
    expect(answer.status, answer.text).toBe(201)
    return answer.body as StoredFile
  }
  const made = (values: Record<string, unknown>, as = 'moderator') => server.made('album', { name: 'A', ...values }, as)
  const download = async (path: string, as = 'moderator', headers: Record<string, string> = {}) =>
    server.app.inject({ url: `/api/${path}`, headers: { authorization: `Bearer ${as}`, ...headers } })
  const count = async () => (await server.select('select count(*)::int as "n" from "storedFile"'))[0]?.n

  describe('an upload', () => {
    it('answers what is stored of it, by its own bytes', async () => {
      expect(await uploaded()).toEqual({
        id: expect.any(String),
        name: 'site.png',
        type: 'image/png',
        sizeBytes: onePixel.length,
        sha256: hashOf(onePixel),
      })
    })

    it.each([
      ['a page that is called a picture', [picture(page)], 400, 'not what the name'],
      ['a picture that is called otherwise', [picture(onePixel, 'site.jpg')], 400, 'not what the name'],
      ['a kind that the field does not take', [picture('%PDF-1.7', 'site.pdf')], 400, 'kind: PNG, JPG'],
      ['an empty file', [picture('')], 400, 'empty'],
      ['a file above the limit', [picture(Buffer.concat([onePixel, Buffer.alloc(20_000)]))], 413, 'too large'],
      ['a page far above the limit', [picture(page.repeat(2000))], 400, 'not what the name'],
      ['no file', [], 400, 'required'],
      ['two files', [picture(), picture()], 400, 'required'],
      ['a value', [{ name: 'file', content: 'a' }], 400, 'required'],
    ] as const)('refuses %s at its field, and keeps nothing', async (_what, parts, status, text) => {
      const before = await count()
      const answer = await send(parts)
      expect(answer).toMatchObject({ status, body: { fields: { photo: expect.stringContaining(text) } } })
      expect(await count()).toBe(before)
    })

    it('is stored once for one Idempotency-Key, which is of these bytes and this name', async () => {
      const before = Number(await count())
      const options = { key: 'file-1' }
      const answers = await Promise.all([send([picture()], options), send([picture()], options)])
      answers.push(await send([picture()], options))
      expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
      expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
      expect(await count()).toBe(before + 1)
      expect((await send([jpeg()], options)).status).toBe(422)
      expect((await send([picture(onePixel, 'other.png')], options)).status).toBe(422)
      expect((await send([picture()], { key: 'file-2' })).body.id).not.toBe(answers[0]?.body.id)
    })

    it('takes text for a text only, whatever follows', async () => {
      expect(await send([paper('plain words')], { to: 'album/papers' })).toMatchObject({ status: 201 })
      expect(await send([paper(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0]))], { to: 'album/papers' })).toMatchObject({
        status: 400,
      })
    })

    it('is for those who may write the field', async () => {
      expect((await send([picture()], { as: 'service_engineer' })).status).toBe(403)
      expect((await send([picture()], { as: 'client' })).status).toBe(403)
      expect((await send([picture()], { to: 'album/scan' })).status).toBe(403)
      expect((await send([picture()], { as: 'admin', to: 'album/scan' })).status).toBe(201)
      expect((await send([picture()], { as: 'nobody' })).status).toBe(401)
      expect((await send([picture()], { as: 'service_engineer', to: 'album/receipt' })).status).toBe(201)
      expect((await send([picture()], { as: 'moderator', to: 'album/receipt' })).status).toBe(403)
      expect((await send([picture()], { to: 'album/name' })).status).toBe(404)
    })

    it('is counted by the caller', async () => {
      const answers = []
      for (let turn = 0; turn < 62; turn += 1) answers.push((await send([], { as: 'moderator:eager' })).status)
      expect(answers.at(0)).toBe(400)
      expect(answers.at(-1)).toBe(429)
      expect((await send([picture()], { as: 'moderator:calm' })).status).toBe(201)
    })
  })

  describe('a record', () => {
    it('takes an upload by its id, and what is stored of it', async () => {
      const file = await uploaded()
      const record = await made({ photo: { ...file, name: 'lie.png', sha256: '0', sizeBytes: 1 } })
      expect(record.photo).toEqual(file)
      expect((await server.get(`album/${record.id}`)).body.photo).toEqual(file)
      const [row] = (await server.get(`album?id=${record.id}`)).rows
      expect(row?.photo).toEqual(file)
    })

    it('keeps, replaces and gives up its file', async () => {
      const [first, second] = [await uploaded(), await uploaded(jpeg())]
      const { id } = await made({ photo: first })
      expect(await server.put(`album/${id}`, { photo: { id: first.id }, version: 1 }, 'admin')).toMatchObject({
        status: 200,
        body: { version: 1 },
      })
      expect(await server.put(`album/${id}`, { photo: second, version: 1 }, 'moderator')).toMatchObject({
        status: 200,
        body: { photo: second },
      })
      expect(await server.put(`album/${id}`, { photo: null, version: 2 }, 'moderator')).toMatchObject({ body: { photo: null } })
    })

    it('refuses what is no upload of the caller for this field', async () => {
      const [other, scan] = [
        await uploaded(picture(), { as: 'moderator:other' }),
        await uploaded(picture(), { as: 'admin', to: 'album/scan' }),
      ]
      const { photo } = await made({ photo: await uploaded() })
      const ids = [other.id, scan.id, 'no-such-file', "' or true --"]
      for (const id of ids) {
        const answer = await server.post('album', { name: 'B', photo: { id } }, 'admin')
        expect(answer).toMatchObject({ status: 400, body: { fields: { photo: expect.stringContaining('to another') } } })
      }
      const stolen = await server.post('album', { name: 'B', photo }, 'moderator:thief')
      expect(stolen).toMatchObject({ status: 400, body: { fields: { photo: expect.any(String) } } })
      expect((await server.post('album', { name: 'B', photo: { anything: ['at all'] } }, 'admin')).status).toBe(400)
    })

    it('holds as many files as the definition says, each once', async () => {
      const papers = [
        await uploaded(paper('a'), { to: 'album/papers' }),
        await uploaded(paper('b', 'b.txt'), { to: 'album/papers' }),
      ]
      const [first] = papers
      expect(await made({ papers })).toMatchObject({ papers })
      const third = await uploaded(paper('c'), { to: 'album/papers' })
      expect((await server.post('album', { name: 'B', papers: [...papers, third] }, 'moderator')).status).toBe(400)
      expect((await server.post('album', { name: 'B', papers: [first, first] }, 'moderator')).status).toBe(400)
    })

    it('takes a file by an action, too', async () => {
      const { id } = await made({ keeperId: 'e1' })
      const receipt = await uploaded(picture(), { as: 'service_engineer:e1', to: 'album/receipt' })
      const answer = await server.put(`album/${id}/hand-in`, { receipt }, 'service_engineer:e1')
      expect(answer).toMatchObject({ status: 200, body: { receipt } })
      expect((await server.put(`album/${id}/hand-in`, { receipt: { id: 'x' } }, 'service_engineer:e1')).status).toBe(400)
    })

    it('leaves hash and name in the audit log, and no way to the bytes', async () => {
      const file = await uploaded()
      const { id } = await made({ photo: file })
      const [entry] = await server.select(`select "after" from "auditLog" where "entityId" = '${id}'`)
      expect(entry?.after).toMatchObject({ photo: { name: 'site.png', sha256: file.sha256 } })
      expect(JSON.stringify(entry)).not.toContain(file.id)
    })
  })

  describe('a download', () => {
    it('gives the bytes as an attachment, whole or a part of them', async () => {
      const { id } = await made({ photo: await uploaded(picture(onePixel, 'дом 1.png')) })
      const whole = await download(`album/${id}/photo`)
      expect(whole.statusCode).toBe(200)
      expect(whole.rawPayload.equals(onePixel)).toBe(true)
      expect(whole.headers).toMatchObject({
        'content-type': 'image/png',
        'x-content-type-options': 'nosniff',
        'content-disposition': `attachment; filename="____1.png"; filename*=UTF-8''${encodeURIComponent('дом 1.png')}`,
        etag: `"${hashOf(onePixel)}"`,
      })
      const part = await download(`album/${id}/photo`, 'moderator', { range: 'bytes=1-3' })
      expect([part.statusCode, part.body, part.headers['content-range']]).toEqual([206, 'PNG', `bytes 1-3/${onePixel.length}`])
    })

    it('names no type that a browser would open, but for pictures', async () => {
      const papers = [await uploaded(paper(page, 'page.txt'), { to: 'album/papers' })]
      const { id } = await made({ papers })
      const answer = await download(`album/${id}/papers/${papers[0]?.id}`)
      expect(answer.body).toBe(page)
      expect(answer.headers['content-type']).toBe('application/octet-stream')
      expect(answer.headers['content-disposition']).toMatch(/^attachment; /)
    })

    it('is for those who see the record and the field', async () => {
      const photo = await uploaded()
      const scan = await uploaded(picture(), { as: 'admin', to: 'album/scan' })
      const { id } = await server.made('album', { name: 'A', keeperId: 'e1', scan }, 'admin')
      await server.put(`album/${id}`, { photo, version: 1 }, 'moderator')
      const answers = await Promise.all([
        download(`album/${id}/photo`, 'service_engineer:e1'),
        download(`album/${id}/photo`, 'service_engineer:e2'),
        download(`album/${id}/photo`, 'client'),
        download(`album/${id}/scan`, 'admin'),
        download(`album/${id}/scan`, 'moderator'),
        download(`album/${id}/receipt`, 'admin'),
        download('album/none/photo', 'admin'),
        download(`album/${id}/papers/${photo.id}`, 'admin'),
        download(`album/${id}/photo`, 'nobody'),
      ])
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 404, 403, 200, 404, 404, 404, 404, 401])
    })

    it('is refused once the stored bytes are not those of the hash', async () => {
      const photo = await uploaded()
      const { id } = await made({ photo })
      await server.select(`update "storedFile" set "content" = 'other' where "id" = '${photo.id}' returning 1`)
      expect(await server.get(`album/${id}/photo`)).toMatchObject({ status: 409, body: { code: 'file.damaged' } })
    })
  })

  it('that no record names are removed after a day, and no others', async () => {
    const at = (days: number) => new Date(Date.parse('2026-03-02T08:00:00Z') + days * dayMs)
    const clean = (days: number) => removeUnusedFiles({ database: server.database, definitions: albumDefinitions }, at(days))
    const left = async (file: StoredFile) =>
      (await server.select(`select 1 from "storedFile" where "id" = '${file.id}'`)).length === 1
    const [idle, replaced, kept] = [await uploaded(), await uploaded(), await uploaded()]
    const papers = [await uploaded(paper('a'), { to: 'album/papers' })]
    const { id } = await made({ photo: replaced, papers })
    await server.put(`album/${id}`, { photo: kept, version: 1 }, 'moderator')
    await clean(0.9)
    expect(await Promise.all([idle, replaced, kept, ...papers].map(left))).toEqual([true, true, true, true])
    await clean(1.1)
    expect(await Promise.all([idle, replaced, kept, ...papers].map(left))).toEqual([false, false, true, true])
    await server.delete(`album/${id}`)
    await clean(1.1)
    expect(await Promise.all([kept, ...papers].map(left))).toEqual([false, false])
  })
})
