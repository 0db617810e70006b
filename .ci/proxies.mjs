import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { request } from 'node:https'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, inFolder, run } from './bare-root.mjs'

// Puts the proxies of examples/ in front of the built server: page, sign-in and live events by TLS. Needs nginx and caddy.
const root = join(import.meta.dirname, '..')
const password = 'demo-password'

/** HTTPS to a name that no DNS knows, with a certificate of this run. */
function call(port, path, { method = 'GET', headers = {}, body, certificate }) {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, servername: 'fleet.example.org', ca: certificate }
    const sent = request({ ...options, headers: { host: 'fleet.example.org', ...headers } }, resolve).once('error', reject)
    sent.end(body)
  })
}

async function textOf(answer) {
  let text = ''
  for await (const chunk of answer) text += chunk
  return text
}

async function eventually(work) {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries === 60) throw error
      await sleep(1_000)
    }
  }
}

/** Milliseconds from a change to its event, through the proxy. */
async function delayOfEvent(port, certificate) {
  const body = JSON.stringify({ email: 'admin@example.com', password })
  const json = { 'content-type': 'application/json' }
  const signedIn = JSON.parse(
    await textOf(await call(port, '/api/auth/login', { method: 'POST', headers: json, body, certificate })),
  )
  const authorization = `Bearer ${signedIn.accessToken}`
  const stream = await call(port, '/api/events', { headers: { authorization, accept: 'text/event-stream' }, certificate })
  if (stream.statusCode !== 200) throw new Error(`/api/events answers ${stream.statusCode}: ${await textOf(stream)}`)
  const [ess] = JSON.parse(
    await textOf(await call(port, '/api/ess?_start=0&_end=1', { headers: { authorization }, certificate })),
  )
  const found = new Promise((resolve) => {
    stream.on('data', (chunk) => {
      if (String(chunk).includes(ess.id)) resolve(performance.now())
    })
  })
  await sleep(500)
  const changed = JSON.stringify({ version: ess.version, name: `changed at ${Date.now()}` })
  const started = performance.now()
  const options = { method: 'PUT', headers: { ...json, authorization }, body: changed, certificate }
  const answer = await call(port, `/api/ess/${ess.id}`, options)
  if (answer.statusCode !== 200) throw new Error(`PUT answers ${answer.statusCode}: ${await textOf(answer)}`)
  const late = sleep(10_000).then(() => Promise.reject(new Error('no event within 10 s')))
  const seen = await Promise.race([found, late])
  stream.destroy()
  return seen - started
}

/** A board without a key is refused before its body is there: the proxy passes the body on as it comes. */
async function refusesBeforeBody(port, certificate) {
  const refused = new Promise((resolve, reject) => {
    const headers = { 'x-device-key': 'nobody', 'content-type': 'application/octet-stream', 'content-length': '100000' }
    const where = { host: '127.0.0.1', port, path: '/api/device/v1/frames', servername: 'fleet.example.org', ca: certificate }
    const sent = request({ ...where, method: 'POST', headers: { host: 'fleet.example.org', ...headers } }, (answer) => {
      resolve(answer.statusCode)
      sent.destroy()
    }).once('error', reject)
    sent.write(Buffer.alloc(100))
  })
  const late = sleep(10_000).then(() => Promise.reject(new Error('frames: the proxy waits for the whole body')))
  const status = await Promise.race([refused, late])
  if (status !== 403) throw new Error(`frames: answered ${status} without a known key`)
}

async function look(name, port, certificate) {
  const page = await eventually(async () => textOf(await call(port, '/', { certificate })))
  if (!page.includes('<script type="module"')) throw new Error(`${name}: no console at /: ${page.slice(0, 200)}`)
  await refusesBeforeBody(port, certificate)
  console.log(`${name}: console over TLS, an event ${(await delayOfEvent(port, certificate)).toFixed(0)} ms after its change`)
}

/** A program until its work is done. */
async function during([program, ...args], options, work) {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'inherit'], ...options })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await work()
  } finally {
    child.kill('SIGTERM')
    await ended
  }
}

/** The example as it stands, but for ports, certificate and folders. */
function nginxFor(folder, { server, tls, http }) {
  const example = readFileSync(join(root, 'examples/nginx.conf'), 'utf8')
  const site = example
    .replace('127.0.0.1:8080', `127.0.0.1:${server}`)
    .replace('listen 443', `listen 127.0.0.1:${tls}`)
    .replace('listen 80', `listen 127.0.0.1:${http}`)
    .replaceAll('/etc/ssl/fleet.example.org/', `${folder}/`)
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((part) => `${part}_temp_path ${folder}/${part};`)
  return `daemon off; pid ${folder}/nginx.pid; error_log stderr; events {} http { access_log off; ${temporary.join(' ')}\n${site} }`
}

function caddyFor(folder, { server, tls, http }) {
  const example = readFileSync(join(root, 'examples/Caddyfile'), 'utf8')
  const site = example
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${server}`)
    .replace('fleet.example.org {', `fleet.example.org:${tls} {\n\ttls ${folder}/fullchain.pem ${folder}/privkey.pem`)
  return `{\n\tadmin off\n\tauto_https disable_redirects\n\thttp_port ${http}\n}\n${site}`
}

await inFolder(async (folder) => {
  const files = ['-keyout', `${folder}/privkey.pem`, '-out', `${folder}/fullchain.pem`]
  const subject = ['-subj', '/CN=fleet.example.org', '-addext', 'subjectAltName=DNS:fleet.example.org']
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', ...files, ...subject], {
    stdio: 'ignore',
  })
  const certificate = readFileSync(`${folder}/fullchain.pem`)
  const ports = { server: await freePort(), tls: await freePort(), http: await freePort() }

  writeFileSync(`${folder}/nginx.conf`, nginxFor(folder, ports))
  writeFileSync(`${folder}/Caddyfile`, caddyFor(folder, ports))
  const env = { ...process.env, NODE_ENV: '', PORT: String(ports.server), DATA_DIR: `${folder}/data`, TRUST_PROXY: '127.0.0.1' }
  const settings = { DEMO: '1', DEMO_SIZE: '5', DEMO_LIVE: '0', LOG_LEVEL: 'warn', PUBLIC_URL: 'https://fleet.example.org' }
  await during([process.execPath, join(root, 'dist/server/main.mjs')], { env: { ...env, ...settings } }, async () => {
    await eventually(() => fetch(`http://127.0.0.1:${ports.server}/api/ready`))
    const nginx = ['nginx', '-c', `${folder}/nginx.conf`, '-e', 'stderr']
    run('nginx', ['-t', ...nginx.slice(1)])
    await during(nginx, {}, () => look('nginx', ports.tls, certificate))
    const caddy = ['caddy', 'run', '--config', `${folder}/Caddyfile`, '--adapter', 'caddyfile']
    await during(caddy, { stdio: 'ignore' }, () => look('caddy', ports.tls, certificate))
  })
})
