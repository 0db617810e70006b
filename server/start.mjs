import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sourcePrint } from './app/source-hash.mjs'

const root = join(import.meta.dirname, '..')
const stamp = join(root, 'dist/sources.sha256')
const bundle = join(root, 'dist/server/main.mjs')

/** A production image carries what was built and not the builder. */
function canBuild() {
  try {
    createRequire(import.meta.url).resolve('vite')
    return existsSync(join(root, 'vite.config.ts'))
  } catch {
    return false
  }
}

function isFresh(print) {
  return existsSync(bundle) && existsSync(stamp) && readFileSync(stamp, 'utf8') === print
}

/** In a process of its own: what a build takes of the memory is not the server's to keep. */
function build(print) {
  const started = performance.now()
  const vite = createRequire(import.meta.url).resolve('vite/package.json')
  // NODE_ENV of the build is not that of the server.
  const { NODE_ENV: _, ...env } = process.env
  execFileSync(process.execPath, [join(vite, '../bin/vite.js'), 'build', '--app', '--logLevel', 'warn'], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  writeFileSync(stamp, print)
  console.log(`Built console and server in ${((performance.now() - started) / 1000).toFixed(1)} s`)
}

/** Builds what is missing or older than its sources. */
function ensureBuilt() {
  if (!canBuild()) {
    if (existsSync(bundle)) return
    throw new Error('dist/ is missing and vite is not installed: run `npm ci && npm run build` first')
  }
  const print = sourcePrint(root)
  if (!isFresh(print)) build(print)
}

async function start() {
  if (process.env.NODE_ENV !== 'production') process.env.DEMO ??= '1'
  ensureBuilt()
  await import(pathToFileURL(bundle).href)
}

if (process.argv[1] && pathToFileURL(process.argv[1]).href === import.meta.url) {
  start().catch((error) => {
    console.error(error)
    process.exitCode = 1
  })
}
