import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { problem } from '#server/base/problems.ts'

const authority = /^https?:\/\/[^/?#]*/i

/** Origin form of a request target: the absolute form, which proxies use, names the same resource here whatever its host. */
export function originForm({ url = '/' }: Pick<IncomingMessage, 'url'>): string {
  const target = url.replace(authority, '')
  return target === url || target.startsWith('/') ? target : `/${target}`
}

/** `uri-host [":" port]` of RFC 9110: a name or an IPv4 address, or an IPv6 address in brackets. */
const hostValue = /^(\[[\da-f:.]+\]|([\w.~!$&'()*+,;=-]|%[\da-f]{2})*)(:\d*)?$/i

const hostsOf = ({ rawHeaders }: IncomingMessage) =>
  rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host')

/**
 * Refuses what a proxy in front may read in another way (RFC 9112): several Host headers or a malformed one (section 3.2), and
 * chunks in HTTP/1.0, which has none (section 6.1). Ends the connection.
 */
export function refuseDoubtfulRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ raw }, reply) => {
    const hosts = hostsOf(raw)
    const isHostClear = hosts.length <= 1 && hosts.every((host) => hostValue.test(host))
    const isChunkedBefore11 = raw.httpVersion === '1.0' && raw.headers['transfer-encoding'] !== undefined
    if (isHostClear && !isChunkedBefore11) return
    reply.header('connection', 'close')
    throw problem('malformed')
  })
}
