import { createHash } from 'node:crypto'
import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Role } from '#schema/roles.ts'
import { buildImage } from '#server/fleet/firmware/image-header.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { callerWith, Maker, rowsOf } from '#tests/support/fleet-callers.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { multipart, type Part } from '#tests/support/multipart.ts'

let count = 0
const nextVersion = () => `7.${++count}.0`
const image = (firmwareVersion = nextVersion(), facts: { minFromVersion?: string; payload?: Buffer } = {}) =>
  buildImage({ firmwareVersion, hardwareRevisions: ['A1', 'B1'], payload: Buffer.alloc(500, firmwareVersion), ...facts })
const file = (content: string | Buffer, filename = 'image.bin'): Part => ({ name: 'file', filename, content })

describe.each(oneEngine(import.meta.filename))('firmware on $name', (engine) => {
  let server: FleetServer
  let maker: Maker
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    maker = new Maker(server, await server.as('admin'))
  }, 120_000)
  afterAll(() => server?.close())

  const send = async (parts: readonly Part[], role: Role = 'admin', key?: string) => {
    const { headers: form, payload } = multipart(parts)
    const authorization = `Bearer ${await server.as(role)}`
    const headers = key ? { ...form, 'idempotency-key': key } : form
    const call = { method: 'POST', url: '/api/firmware', headers: { ...headers, authorization }, payload } as const
    const answer = await server.app.inject(call)
    return { status: answer.statusCode, body: answer.json<Record<string, unknown> & { id: string }>() }
  }
  const uploaded = async (content = image()) => {
    const { status, body } = await send([file(content)])
    if (status !== 201) throw new Error(JSON.stringify(body))
    return body
  }
  const counts = () =>
    server.rows(`select (select count(*) from "firmware") as "f", (select count(*) from "firmwareFile") as "c"`)
  const download = async (id: string, { role = 'admin' as Role, range = '' } = {}) =>
    server.app.inject({
      url: `/api/firmware/${id}/file`,
      headers: { authorization: `Bearer ${await server.as(role)}`, ...(range ? { range } : {}) },
    })
  const status = async (id: string, body: object, role: Role = 'admin') =>
    (await callerWith(server, await server.as(role)).put(`firmware/${id}/status`, body)).status

  describe('an upload', () => {
    it('is kept with its digest, as one file of one version', async () => {
      const content = image()
      const made = await uploaded(content)
      const sha256 = createHash('sha256').update(content).digest('hex')
      expect(made.file).toMatchObject({ sizeBytes: content.length, sha256 })
      expect(await send([file(content)])).toMatchObject({ status: 409, body: { code: 'firmware.same-file' } })
      const other = image(String(made.firmwareVersion), { payload: Buffer.from('other bytes') })
      expect(await send([file(other)])).toMatchObject({ status: 409, body: { code: 'firmware.version-taken' } })
    })

    it('is one record for one Idempotency-Key, and its answer is given again', async () => {
      const content = image()
      const upload = () => send([file(content)], 'admin', 'firmware-1')
      const answers = [...(await Promise.all([upload(), upload()])), await upload()]
      expect(answers.map((answer) => answer.status)).toEqual([201, 201, 201])
      expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
      expect((await send([file(image())], 'admin', 'firmware-1')).status).toBe(422)
      expect((await send([file(content)], 'admin', 'firmware-2')).status).toBe(409)
    })

    it('is for one of twenty at the same moment', async () => {
      const content = image()
      const answers = await Promise.all(Array.from({ length: 20 }, () => send([file(content)])))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, ...Array(19).fill(409)])
    })

    it.each([
      ['no part at all', [], 400],
      ['two files', [file('a'), file('b')], 400],
      ['another name', [{ ...file('a'), name: 'firmware' }], 400],
      ['a value beside the file', [file('a'), { name: 'sha256', content: 'wrong' }], 400],
      ['a value instead of a file', [{ name: 'file', content: 'a' }], 400],
      ['an empty file', [file('')], 400],
      ['a name that the definition does not accept', [file(image(), 'image.exe')], 400],
      ['a page', [file('<html><script>alert(1)</script></html>')], 422],
      ['a picture that runs scripts', [file('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')], 422],
      ['a program', [file(Buffer.from([0x7f, 0x45, 0x4c, 0x46, ...Array(60).fill(0)]))], 422],
    ] as const)('is refused with %s, and leaves nothing', async (_what, parts, expected) => {
      const before = await counts()
      expect((await send(parts)).status).toBe(expected)
      expect(await counts()).toEqual(before)
    })

    it('is refused above 16 MiB, and as JSON', async () => {
      const before = await counts()
      const large = file(image(nextVersion(), { payload: Buffer.alloc(16 * 1024 * 1024 + 1) }))
      const { status, body } = await send([large])
      expect(status).toBe(413)
      expect(body.fields).toEqual({ file: 'The file is too large' })
      expect((await maker.admin.post('firmware', { file: 'x' })).status).toBe(415)
      expect(await counts()).toEqual(before)
    })

    it('is refused to who may not before its body is read', async () => {
      const address = server.app.server.listening ? server.app.server.address() : undefined
      if (!address) await server.app.listen({ port: 0, host: '127.0.0.1' })
      const { port } = server.app.server.address() as AddressInfo
      const authorization = `Bearer ${await server.as('service_engineer')}`
      const { headers } = multipart([])
      const answered = await new Promise<number | undefined>((resolve, reject) => {
        const upload = httpRequest({
          port,
          host: '127.0.0.1',
          path: '/api/firmware',
          method: 'POST',
          headers: { ...headers, authorization },
        })
        upload.on('response', (answer) => {
          resolve(answer.statusCode)
          upload.destroy()
        })
        upload.on('error', reject)
        // The body is never finished: only a server that does not wait for it can answer.
        upload.write(Buffer.alloc(64 * 1024))
      })
      expect(answered).toBe(403)
    })

    it.each([
      '../../etc/passwd.bin',
      '..%2f..%2fx.bin',
      'C:\\windows\\x.bin',
      '<img src=x onerror=alert(1)>.bin',
      'gnp.\u202eexe.bin',
      `${'x'.repeat(300)}.bin`,
    ])('keeps a name as a label only: %s', async (name) => {
      const { body } = await send([file(image(), name)])
      const stored = (body.file as { name: string }).name
      expect(stored).not.toMatch(/[/\\<>\u202e]/)
      expect(stored.length).toBeLessThanOrEqual(128)
      const { headers } = await download(body.id)
      expect(headers['content-disposition']).toMatch(/^attachment; filename="[\w.-]+"; filename\*=UTF-8''[^"\s]+$/)
    })
  })

  describe('a download', () => {
    it('is a file and nothing else, whole or in parts', async () => {
      const content = image()
      const { id } = await uploaded(content)
      const whole = await download(id)
      expect(whole.headers).toMatchObject({ 'content-type': 'application/octet-stream', 'x-content-type-options': 'nosniff' })
      const parts = [await download(id, { range: 'bytes=0-99' }), await download(id, { range: 'bytes=100-' })]
      expect(parts.map(({ statusCode }) => statusCode)).toEqual([206, 206])
      expect(Buffer.concat(parts.map(({ rawPayload }) => rawPayload))).toEqual(content)
      expect((await download(id, { range: `bytes=${content.length}-` })).statusCode).toBe(416)
    })

    it('is for the staff', async () => {
      const { id } = await uploaded()
      expect((await download(id, { role: 'client' })).statusCode).toBe(403)
      expect((await download(id, { role: 'installer' })).statusCode).toBe(403)
      expect((await server.call('GET', `firmware/${id}/file`)).status).toBe(401)
      expect((await download(id, { role: 'service_engineer' })).statusCode).toBe(200)
    })

    it('and a release are refused when one byte has changed in the store', async () => {
      const { id } = await uploaded()
      await server.rows(`update "firmwareFile" set "content" = set_byte("content", 40, 1) where "firmwareId" = '${id}'`)
      const refused = await download(id)
      expect([refused.statusCode, refused.json<{ message: string }>().message]).toEqual([
        409,
        expect.stringContaining('integrity'),
      ])
      expect(await status(id, { status: 'TESTING' })).toBe(409)
      expect((await download(id, { range: 'bytes=0-99' })).statusCode).toBe(409)
    })
  })

  describe('a status', () => {
    const states = ['DRAFT', 'TESTING', 'RELEASED', 'DEPRECATED', 'REVOKED', 'ARCHIVED'] as const
    const ways: Readonly<Record<string, readonly string[]>> = {
      DRAFT: ['TESTING', 'ARCHIVED'],
      TESTING: ['RELEASED', 'REVOKED', 'ARCHIVED'],
      RELEASED: ['DEPRECATED', 'REVOKED'],
      DEPRECATED: ['RELEASED', 'REVOKED', 'ARCHIVED'],
      REVOKED: ['ARCHIVED'],
      ARCHIVED: [],
    }

    const pairs = states.flatMap((from) => states.map((to) => [from, to] as const))

    it('leads where the table says and nowhere else', async () => {
      const content = image()
      const { id } = await uploaded(content)
      const answers = new Map<string, { status: number; allowed: unknown }>()
      for (const [from, to] of pairs) {
        await server.rows(`update "firmware" set "status" = '${from}' where "id" = '${id}'`)
        await server.rows(`insert into "firmwareFile" ("firmwareId", "content")
          values ('${id}', decode('${content.toString('hex')}', 'hex')) on conflict do nothing`)
        const answer = await maker.admin.put(`firmware/${id}/status`, { status: to, reason: 'a test' })
        answers.set(`${from} ${to}`, { status: answer.status, allowed: answer.body.allowed })
      }
      const expected = pairs.map(([from, to]) => {
        if (ways[from]?.includes(to)) return [`${from} ${to}`, { status: 200, allowed: undefined }]
        // Nothing at all is offered of what is in the archive for good.
        return [`${from} ${to}`, { status: 409, allowed: from === 'ARCHIVED' ? undefined : ways[from] }]
      })
      expect(Object.fromEntries(answers)).toEqual(Object.fromEntries(expected))
    })

    it('is the admin’s word; moderators put an image to the test, others nothing', async () => {
      const { id } = await uploaded()
      expect(await status(id, { status: 'TESTING' }, 'service_engineer')).toBe(403)
      expect(await status(id, { status: 'TESTING' }, 'client')).toBe(403)
      expect(await status(id, { status: 'TESTING' }, 'moderator')).toBe(200)
      expect(await status(id, { status: 'REVOKED', reason: 'x' }, 'moderator')).toBe(403)
      expect(await status(id, { status: 'RELEASED' })).toBe(400)
      expect(await status(id, { status: 'RELEASED', reason: 'proved on the bench' })).toBe(200)
      expect(await status(id, { status: 'REVOKED' })).toBe(400)
      expect(await status(id, { status: 'PUBLISHED' })).toBe(400)
    })

    it('is changed by one of two at the same moment', async () => {
      const { id } = await uploaded()
      const answers = await Promise.all([status(id, { status: 'TESTING' }), status(id, { status: 'ARCHIVED' })])
      expect(answers.filter((answer) => answer === 200).length).toBeGreaterThanOrEqual(1)
      expect(answers.every((answer) => answer === 200 || answer === 409)).toBe(true)
      expect(await status(id, { status: 'TESTING' })).toBe(409)
    })
  })

  it('offers a board what is released, fits its hardware and may follow what it runs', async () => {
    const board = await maker.board()
    const [draft, released, tooNew] = [
      await uploaded(),
      await uploaded(),
      await uploaded(image(nextVersion(), { minFromVersion: '6.0.0' })),
    ]
    for (const { id } of [released, tooNew]) {
      await status(id, { status: 'TESTING' })
      await status(id, { status: 'RELEASED', reason: 'a test' })
    }
    await server.rows(`insert into "boardState" ("controlPcbId", "firmwareVersion") values ('${board.id}', '5.0.0')
      on conflict ("controlPcbId") do update set "firmwareVersion" = '5.0.0'`)
    const offered = await maker.admin.get(`firmware/for-request-update?controlPcbId=${board.id}`)
    const ids = rowsOf(offered).map(({ id }) => id)
    expect(ids).toContain(released.id)
    expect(ids).not.toContain(draft.id)
    expect(ids).not.toContain(tooNew.id)
    for (const each of rowsOf(offered)) expect(each.hardwareRevisions).toContain('A1')
  })
})
