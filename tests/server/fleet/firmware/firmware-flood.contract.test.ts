import { request as httpRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { largestFileBytes } from '#schema/files.ts'
import type { Role } from '#schema/roles.ts'
import { buildImage } from '#server/fleet/firmware/image-header.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { multipart } from '#tests/support/multipart.ts'

const mebibyte = 1024 * 1024
/** Time of the processor for one body. A parser that is fed with all its parts takes seconds. */
const mostCpuMs = 400

const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.bin"\r\n'
const floods = [
  ['1 MiB of empty parts', Buffer.alloc(mebibyte, '--b\r\n')],
  ['16 MiB of empty parts', Buffer.alloc(16 * mebibyte, '--b\r\n')],
  ['16 MiB of parts with a name', Buffer.alloc(16 * mebibyte, `${head}\r\n\r\n`)],
  ['16 MiB of parts after a file', Buffer.concat([Buffer.from(`${head}\r\na\r\n`), Buffer.alloc(16 * mebibyte, '--b\r\n')])],
] as const

describe.each(oneEngine(import.meta.filename))('a flood of parts, on $name', (engine) => {
  let server: FleetServer
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    await server.app.listen({ port: 0, host: '127.0.0.1' })
  }, 120_000)
  afterAll(() => server?.close())

  /** Opens an upload over a connection of its own; the caller writes its body. */
  const open = async (type: string, role: Role) => {
    const { port } = server.app.server.address() as AddressInfo
    const headers = { 'content-type': type, authorization: `Bearer ${await server.as(role)}` }
    const upload = httpRequest({ port, host: '127.0.0.1', path: '/api/firmware', method: 'POST', headers, agent: false })
    const answer = new Promise<number | undefined>((resolve, reject) => {
      upload.on('error', reject)
      upload.on('response', (response) => {
        response.resume()
        response.on('end', () => resolve(response.statusCode))
      })
    })
    return { upload, answer }
  }
  const send = async (body: Buffer, { type = 'multipart/form-data; boundary=b', role = 'admin' as Role } = {}) => {
    const { upload, answer } = await open(type, role)
    const before = process.cpuUsage()
    upload.end(body)
    const status = await answer
    const { user, system } = process.cpuUsage(before)
    return { status, cpuMs: (user + system) / 1000 }
  }

  it.each(floods)('costs no time when it is %s', async (_what, body) => {
    for (const role of ['admin', 'moderator'] as const) {
      // The processor also compiles, collects garbage and plays the demo fleet; the cheapest of three bodies shows what one costs.
      const cpuMsOfEach: number[] = []
      for (let round = 0; round < 3; round++) {
        const { status, cpuMs } = await send(body, { role })
        expect([400, 413]).toContain(status)
        cpuMsOfEach.push(cpuMs)
      }
      expect(Math.min(...cpuMsOfEach)).toBeLessThan(mostCpuMs)
    }
  })

  it('is answered while its body still comes, slowly', async () => {
    const { upload, answer } = await open('multipart/form-data; boundary=b', 'admin')
    let status: number | undefined
    answer.then((code) => {
      status = code
    }, expect.fail)
    for (let part = 0; part < 100 && status === undefined; part++) {
      for (const piece of ['--', 'b\r', '\n']) upload.write(piece)
      await wait(20)
    }
    upload.destroy()
    expect(status).toBe(400)
  })

  it('leaves the connection to the next call, and genuine uploads as they were', async () => {
    const content = buildImage({
      firmwareVersion: '8.1.0',
      hardwareRevisions: ['A1'],
      payload: Buffer.alloc(8 * mebibyte, '\r\n--the-boundary'),
    })
    expect(content.length).toBeLessThan(largestFileBytes)
    const { headers, payload } = multipart([{ name: 'file', filename: 'image.bin', content }])
    expect(await send(payload, { type: headers['content-type'] })).toMatchObject({ status: 201 })
  })

  it.each(['multipart/form-data', 'multipart/form-data; boundary=', `multipart/form-data; boundary=${'b'.repeat(71)}`])(
    'needs a boundary of the standard: %s',
    async (type) => {
      expect(await send(Buffer.from('--b--\r\n'), { type })).toMatchObject({ status: 400 })
    },
  )
})
