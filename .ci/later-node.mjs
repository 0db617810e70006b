import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'

/** Releases with long-term support after the floor. Their binaries are packages of the registry, so a plain Debian can have them. */
const versions = process.argv.length > 2 ? process.argv.slice(2) : ['22.23.3', '24.21.0']

const root = join(import.meta.dirname, '..')

/** Runs a program to its end; answers whether it succeeded. */
const execute = (program, args, env = process.env) =>
  spawnSync(program, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] }).status === 0

/** Tests units and contracts of the server with the given release of Node in front of all others. */
function testOn(version) {
  const folder = mkdtempSync(join(tmpdir(), 'later-node-'))
  try {
    const binary = `node-${process.platform}-${process.arch}`
    if (!execute('npm', ['install', '--prefix', folder, '--no-audit', '--no-fund', `${binary}@${version}`])) return false
    const bin = join(folder, 'node_modules', binary, 'bin')
    const env = { ...process.env, PATH: [bin, process.env.PATH].join(delimiter) }
    const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--project=unit', '--project=contract', '--reporter=dot']
    return execute(join(bin, 'node'), ['--version']) && execute(join(bin, 'node'), vitest, env)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const failed = versions.filter((version) => !testOn(version))
console.log(
  `${versions.length - failed.length} passed, ${failed.length} failed${failed.length ? `: Node ${failed.join()}` : ''}`,
)
process.exitCode = failed.length
