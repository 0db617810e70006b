import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '#server/base/config.ts'

const firebaseHosts = ['https://firebaseinstallations.googleapis.com', 'https://fcmregistrations.googleapis.com']

/**
 * Without Trusted Types, which first need a policy in the console. antd inserts styles at run time, so inline styles are
 * allowed.
 */
const policy = (firebase: boolean, inlineScripts: readonly string[]) =>
  Object.entries({
    'default-src': "'none'",
    'script-src': ["'self'", ...inlineScripts.map((hash) => `'${hash}'`)].join(' '),
    'worker-src': "'self'",
    'style-src': "'self' 'unsafe-inline'",
    'img-src': "'self' data: blob:",
    'font-src': "'self'",
    'connect-src': ["'self'", ...(firebase ? firebaseHosts : [])].join(' '),
    'manifest-src': "'self'",
    'object-src': "'none'",
    'base-uri': "'none'",
    'form-action': "'self'",
    'frame-ancestors': "'none'",
  })
    .map(([name, value]) => `${name} ${value}`)
    .join('; ')

const unused = ['camera', 'microphone', 'geolocation', 'payment', 'usb']

/** Enough where an answer is never a page: no script, no frame. Boards pay for every byte of their line. */
const deviceHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
}

/**
 * Security headers of every response, errors and files included. URLs of public pages contain secrets, so no referrer is sent.
 * `inlineScripts` returns the hashes of the document's inline scripts.
 */
export function headersFor(
  config: Pick<Config, 'publicUrl' | 'fcmServiceAccount'>,
  inlineScripts: () => readonly string[] = () => [],
) {
  const always = {
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': unused.map((name) => `${name}=()`).join(', '),
  }
  const hsts = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' }
  const ofHttps = config.publicUrl.startsWith('https:') ? hsts : {}
  const ofApi = { 'cache-control': 'no-store', 'access-control-expose-headers': 'X-Total-Count, X-Event-Id' }
  const hasFirebase = config.fcmServiceAccount !== undefined
  return (request: FastifyRequest, reply: FastifyReply) => {
    reply.headers(ofHttps).header('x-request-id', request.id)
    if (request.routeOptions.config?.deviceKey) return void reply.headers(deviceHeaders)
    reply.header('content-security-policy', policy(hasFirebase, inlineScripts())).headers(always)
    // The route decides: `/%61pi` is an address of the API, too.
    if ((request.routeOptions.url ?? request.url).startsWith('/api')) reply.headers(ofApi)
  }
}
