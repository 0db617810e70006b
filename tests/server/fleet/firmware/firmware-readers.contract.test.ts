import { get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { buildImage } from '#server/fleet/firmware/image-header.ts'
import { oneEngine } from '#tests/support/databases.ts'
import { FleetServer } from '#tests/support/fleet-server.ts'
import { multipart } from '#tests/support/multipart.ts'

const mebibyte = 1024 * 1024
const readers = 8
const imageMib = 12
/** Far less than one image a reader; sockets and pieces that are not collected yet take some. */
const mostHeldMib = 40

describe.each(oneEngine(import.meta.filename))('downloads of an image that nobody reads on, on $name', (engine) => {
  let server: FleetServer
  beforeAll(async () => {
    server = await FleetServer.open(engine, { DEMO_SIZE: '5' })
    await server.app.listen({ port: 0, host: '127.0.0.1' })
  }, 120_000)
  afterAll(() => server?.close())

  const upload = async (content: Buffer) => {
    const { headers, payload } = multipart([{ name: 'file', filename: 'image.bin', content }])
    const authorization = `Bearer ${await server.as('admin')}`
    const call = { method: 'POST', url: '/api/firmware', headers: { ...headers, authorization }, payload } as const
    return (await server.app.inject(call)).json<{ id: string }>().id
  }

  it('hold pieces of it and not the whole', async () => {
    const payload = Buffer.alloc(imageMib * mebibyte, 'image')
    const id = await upload(buildImage({ firmwareVersion: '8.0.0', hardwareRevisions: ['A1'], payload }))
    const { port } = server.app.server.address() as AddressInfo
    const authorization = `Bearer ${await server.as('service_engineer')}`
    const open = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { authorization }
        get({ port, host: '127.0.0.1', path: `/api/firmware/${id}/file`, headers, agent: false }, resolve).on('error', reject)
      })
    const before = process.memoryUsage().arrayBuffers
    const answers: IncomingMessage[] = []
    for (let count = 0; count < readers; count += 1) answers.push((await open()).pause())
    await wait(500)
    const heldMib = (process.memoryUsage().arrayBuffers - before) / mebibyte
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(readers).fill(200))
    for (const answer of answers) answer.destroy()
    expect(heldMib).toBeLessThan(mostHeldMib)
  }, 60_000)
})
