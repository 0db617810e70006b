import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { plannedBuild } from './app/source-hash.mjs'

const root = join(import.meta.dirname, '..')
const bundle = join(root, 'dist/server/main.mjs')
const isProduction = process.env.NODE_ENV === 'production'

/** A release has the build and no builder. */
function canBuild() {
  try {
    createRequire(import.meta.url).resolve('vite')
    return existsSync(join(root, 'vite.config.ts'))
  } catch {
    return false
  }
}

/** In a process of its own, whose memory ends with it. */
function build(settings) {
  const started = performance.now()
  const vite = createRequire(import.meta.url).resolve('vite/package.json')
  // NODE_ENV of the build is not that of the server.
  const { NODE_ENV: _, ...env } = process.env
  execFileSync(process.execPath, [join(vite, '../bin/vite.js'), 'build', '--app', '--logLevel', 'warn'], {
    cwd: root,
    env: { ...env, ...settings },
    stdio: 'inherit',
  })
  console.log(`Built console and server in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

/** Builds what is missing or older than its sources and settings. In production it only says so: a restart never changes the program. */
function ensureBuilt() {
  const isBuilt = existsSync(bundle)
  if (!isBuilt && (isProduction || !canBuild()))
    throw new Error('dist/ is missing: run `npm ci --include=dev && npm run build`, or start an unpacked release')
  const settings = canBuild() ? plannedBuild(root, process.env) : undefined
  if (!settings) return
  if (isProduction) console.warn('dist/ was built from other sources or settings: run `npm run build` to bring it up to date')
  else build(settings)
}

/** Backup and restore run beside a server, whose program must not change meanwhile. */
const isCommand = process.argv.length > 2

async function start() {
  if (!isProduction) process.env.DEMO ??= '1'
  if (!isCommand || !existsSync(bundle)) ensureBuilt()
  await import(pathToFileURL(bundle).href)
}

if (process.argv[1] && pathToFileURL(process.argv[1]).href === import.meta.url) {
  start().catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
}
