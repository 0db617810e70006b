import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { AddressGuard } from '#server/account/webhook/allowed-address.ts'
import { postMessage } from '#server/account/webhook/post-message.ts'
import { refuseUrl } from '#server/account/webhook/refuse-url.ts'

const names = vi.hoisted(() => new Map<string, string[]>())
vi.mock('node:dns', async (original) => {
  const dns = await original<typeof import('node:dns')>()
  type Answer = (error: Error | null, found: { address: string; family: number }[]) => void
  /** The names of this file, each answered with the next of its addresses. */
  const lookup = (name: string, _options: object, answer: Answer) => {
    const [address = ''] = names.get(name)?.splice(0, 1) ?? []
    answer(null, [{ address, family: address.includes(':') ? 6 : 4 }])
  }
  return { ...dns, lookup }
})

const publicOnes = ['8.8.8.8', '1.1.1.1', '172.32.0.1', '100.128.0.1', '2606:4700::1111', '::ffff:8.8.8.8']
const closedOnes = [
  '127.0.0.1',
  '127.255.0.9',
  '0.0.0.0',
  '10.0.0.1',
  '172.16.0.1',
  '172.31.255.255',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::127.0.0.1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::ffff:10.0.0.1',
  'fe80::1%eth0',
  'fd12:3456::1',
  'ff02::1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
]

describe('an address that a webhook may call', () => {
  const guard = new AddressGuard({ networks: [], isPlain: false })

  it.each(publicOnes)('is public: %s', (address) => {
    expect(guard.isAllowed(address)).toBe(true)
  })

  it.each(closedOnes)('is not of a private network, of this machine or of its link: %s', (address) => {
    expect(guard.isAllowed(address)).toBe(false)
    expect(guard.isAllowed(`[${address}]`)).toBe(false)
  })

  it('is of a network that the setting opens, and without TLS of no other', () => {
    const networks = ['10.1.0.0/16', '127.0.0.1', 'fd00::/8']
    const plain = new AddressGuard({ networks, isPlain: true })
    for (const address of ['10.1.2.3', '127.0.0.1', '::ffff:10.1.2.3', 'fd00::5'])
      expect([address, plain.isAllowed(address)]).toEqual([address, true])
    for (const address of ['10.2.0.1', '127.0.0.2', 'fe80::1', '8.8.8.8'])
      expect([address, plain.isAllowed(address)]).toEqual([address, false])
    expect(new AddressGuard({ networks, isPlain: false }).isAllowed('8.8.8.8')).toBe(true)
  })

  it.each([
    ['http://hooks.example.com/in', 'Use https://'],
    ['ftp://hooks.example.com/in', 'Use https://'],
    ['file:///etc/passwd', 'Use https://'],
    ['https://user:word@hooks.example.com/in', 'Leave user'],
    ['https://hooks.example.com/in#part', 'Leave user'],
    [`https://hooks.example.com/${'x'.repeat(500)}`, 'At most 500'],
    ['https://127.0.0.1/in', 'not public'],
    ['https://2130706433/in', 'not public'],
    ['https://0x7f.1/in', 'not public'],
    ['https://[::1]/in', 'not public'],
    ['https://[::ffff:10.0.0.1]/in', 'not public'],
    ['https://169.254.169.254/latest/meta-data', 'not public'],
  ])('is refused when it is saved: %s', (url, text) => {
    expect(() => refuseUrl(url, [])).toThrow(
      expect.objectContaining({
        facts: {
          faults: expect.arrayContaining([
            expect.objectContaining({ path: 'url', text: expect.arrayContaining([expect.stringContaining(text)]) }),
          ]),
        },
      }),
    )
  })

  it('is taken when it is public, or plain and of the setting', () => {
    expect(() => refuseUrl('https://hooks.example.com/in?key=1', [])).not.toThrow()
    expect(() => refuseUrl('http://127.0.0.1:4000/in', ['127.0.0.1'])).not.toThrow()
    expect(() => refuseUrl('http://8.8.8.8/in', ['127.0.0.1'])).toThrow('invalid')
  })
})

describe('a name that a webhook calls', () => {
  let server: Server
  let calls = 0
  let port = 0
  beforeAll(async () => {
    server = createServer((_request, response) => {
      calls += 1
      response.end()
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    port = (server.address() as AddressInfo).port
  })
  afterAll(() => new Promise((done) => server.close(done)))
  beforeEach(() => {
    calls = 0
  })

  const post = (url: string, networks: string[]) =>
    postMessage({ url, networks, headers: {}, body: '{}', timeoutMs: 2_000, signal: new AbortController().signal })

  it('is connected to where it resolves to an open network', async () => {
    names.set('inside.example', ['127.0.0.1'])
    expect(await post(`http://inside.example:${port}/`, ['127.0.0.1'])).toMatchObject({ statusCode: 200 })
    expect(calls).toBe(1)
  })

  it('is judged by the address that is connected to: one that resolves to another one later gets nothing (DNS rebinding)', async () => {
    names.set('rebinding.example', ['127.0.0.1', '127.0.0.1', '10.0.0.1'])
    expect(await post(`https://rebinding.example:${port}/`, [])).toEqual({ failure: 'ADDRESS', failureText: '127.0.0.1' })
    expect(await post(`http://rebinding.example:${port}/`, ['10.1.0.0/16'])).toMatchObject({ failure: 'ADDRESS' })
    expect(names.get('rebinding.example')).toEqual(['10.0.0.1'])
    expect(calls).toBe(0)
  })

  it('is not asked for when the host is an address that is not allowed', async () => {
    for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '0x7f.1', '[::1]'])
      expect(await post(`http://${host}:${port}/`, ['10.0.0.0/8'])).toMatchObject({ failure: 'ADDRESS' })
    expect(calls).toBe(0)
  })
})
