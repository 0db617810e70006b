import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'

const home = join(import.meta.dirname, '../tools')
const lock = join(home, '.installing')
const waitMs = 300_000
const scripts = {
  'json-server': 'json-server/lib/cli/bin.js',
  'oidc-provider': 'oidc-provider/lib/index.js',
  prism: '@stoplight/prism-cli/dist/index.js',
  spectral: '@stoplight/spectral-cli/dist/index.js',
} as const

const pathOf = (name: keyof typeof scripts) => join(home, 'node_modules', scripts[name])

function claim(): boolean {
  try {
    mkdirSync(lock)
    return true
  } catch {
    return false
  }
}

function install(): void {
  const args = ['ci', '--prefix', home, '--ignore-scripts', '--no-audit', '--no-fund']
  try {
    const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8' })
    if (status !== 0) throw new Error(`the tools of the tests can not be installed: ${stderr}`)
  } finally {
    rmdirSync(lock)
  }
}

/** The script of a heavy tool that only some tests need, installed now if it is not there; one test does it, others wait. */
export async function toolScript(name: keyof typeof scripts): Promise<string> {
  const end = Date.now() + waitMs
  for (;;) {
    const isThere = existsSync(pathOf(name)) && !existsSync(lock)
    if (isThere) return pathOf(name)
    if (Date.now() > end) throw new Error(`${name} was not installed in time; remove ${lock} if nobody installs it`)
    if (claim()) install()
    else await new Promise((resolve) => setTimeout(resolve, 500))
  }
}
