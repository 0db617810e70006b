import { spawn, spawnSync } from 'node:child_process'
import { chownSync, cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** The user `node` of the official image. */
const user = { uid: 1000, gid: 1000 }
/** Certificates that this machine trusts beside those of Node, as a registry behind a proxy needs. */
export const extraAuthorities = '/etc/extra-authorities.pem'
const password = 'demo-password-of-a-check'

export function run(program, args, options = {}) {
  const { status, error } = spawnSync(program, args, { stdio: ['ignore', 'inherit', 'inherit'], ...options })
  if (status !== 0) throw error ?? new Error(`${program} ${args.join(' ')} ended with ${status}`)
}

/** A Debian without anything but its base system: made once per run, or the one that `BARE_DEBIAN` names. */
export function makeBase(folder) {
  if (process.env.BARE_DEBIAN) return process.env.BARE_DEBIAN
  const base = join(folder, 'base')
  run('debootstrap', ['--variant=minbase', 'bookworm', base, 'http://deb.debian.org/debian'])
  return base
}

/** Copies the base and puts this Node into it; npm, too, for what is built there. */
export function makeRoot(base, root, { npm = false } = {}) {
  run('cp', ['-a', base, root])
  cpSync(process.execPath, join(root, 'usr/local/bin/node'))
  writeFileSync(join(root, 'etc/passwd'), `node:x:${user.uid}:${user.gid}::/home/node:/bin/sh\n`, { flag: 'a' })
  writeFileSync(join(root, 'etc/group'), `node:x:${user.gid}:\n`, { flag: 'a' })
  mkdirSync(join(root, 'home/node'), { recursive: true })
  if (npm) {
    const tool = realpathSync(spawnSync('sh', ['-c', 'command -v npm'], { encoding: 'utf8' }).stdout.trim())
    cpSync(dirname(dirname(tool)), join(root, 'usr/local/lib/npm'), { recursive: true, dereference: true })
    const start = '#!/bin/sh\nexec /usr/local/bin/node /usr/local/lib/npm/bin/npm-cli.js "$@"\n'
    writeFileSync(join(root, 'usr/local/bin/npm'), start, { mode: 0o755 })
    const authorities = process.env.NODE_EXTRA_CA_CERTS
    if (authorities) cpSync(authorities, join(root, extraAuthorities), { dereference: true })
    if (existsSync('/etc/resolv.conf')) cpSync('/etc/resolv.conf', join(root, 'etc/resolv.conf'), { dereference: true })
  }
  mkdirSync(join(root, 'data'), { recursive: true })
  chownSync(join(root, 'data'), user.uid, user.gid)
}

export function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address()
      probe.close(() => resolve(port))
    })
  })
}

/** Root file system read-only with the processes in `/proc`, as a container has it; only `/tmp` and `/data` can be written. Answers how to undo it. */
function sealRoot(root) {
  const mounted = [root, join(root, 'tmp'), join(root, 'data'), join(root, 'proc')]
  run('mount', ['--bind', root, root])
  run('mount', ['--bind', join(root, 'data'), join(root, 'data')])
  run('mount', ['-t', 'tmpfs', 'tmpfs', join(root, 'tmp')])
  run('mount', ['-t', 'proc', 'proc', join(root, 'proc')])
  run('mount', ['-o', 'remount,bind,ro', root])
  return () => {
    for (const path of mounted.reverse()) run('umount', [path])
  }
}

async function ready(url, child) {
  for (let tries = 0; tries < 180 && child.exitCode === null; tries++) {
    const answer = await fetch(`${url}/api/ready`).catch(() => undefined)
    if (answer?.ok) return
    await sleep(1_000)
  }
  throw new Error('the server is not ready')
}

function expectEqual(name, seen, expected) {
  if (seen !== expected) throw new Error(`${name}: ${seen} instead of ${expected}`)
  console.log(`${name}: ${seen}`)
}

/** Page, script and fleet, as an admin sees them. */
async function look(url) {
  const page = await (await fetch(url)).text()
  const script = /src="(\/[^"]+\.js)"/.exec(page)?.[1]
  expectEqual(
    'script of the console',
    (await fetch(`${url}${script}`)).headers.get('content-type')?.split(';')[0],
    'application/javascript',
  )
  const body = JSON.stringify({ email: 'admin@example.com', password })
  const headers = { 'content-type': 'application/json' }
  const signedIn = await (await fetch(`${url}/api/auth/login`, { method: 'POST', headers, body })).json()
  const list = await fetch(`${url}/api/ess?_start=0&_end=1`, { headers: { authorization: `Bearer ${signedIn.accessToken}` } })
  expectEqual('systems of the demo fleet', list.headers.get('x-total-count'), '5')
}

/** Starts the command in the sealed root as a user without rights, looks at console and fleet, ends it by SIGTERM. */
export async function serveFrom(root, { cwd, command, env = {}, check }) {
  const unseal = sealRoot(root)
  const port = String(await freePort())
  const settings = { PATH: '/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', NODE_ENV: 'production', DATA_DIR: '/data', ...env }
  const demo = { PORT: port, DEMO: '1', DEMO_SIZE: '5', DEMO_PASSWORD: password, LOG_LEVEL: 'warn' }
  const inRoot = (words) => [`--userspec=${user.uid}:${user.gid}`, root, '/bin/sh', '-c', `cd ${cwd} && exec ${words}`]
  const options = { env: { ...settings, ...demo }, stdio: ['ignore', 'inherit', 'inherit'] }
  const child = spawn('chroot', inRoot(command), options)
  const ended = new Promise((resolve) => child.once('exit', resolve))
  try {
    await ready(`http://127.0.0.1:${port}`, child)
    await look(`http://127.0.0.1:${port}`)
    if (check) run('chroot', inRoot(check), options)
    child.kill('SIGTERM')
    expectEqual('exit code after SIGTERM', await ended, 0)
  } finally {
    child.kill('SIGKILL')
    await ended
    unseal()
  }
}

/** Runs the steps in a folder of their own, which is gone after them. */
export async function inFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'ess-bare-'))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
