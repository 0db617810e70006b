import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cpSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const root = join(import.meta.dirname, '..')
const folder = join(root, 'release')

/** Contents of a release beside `node_modules`. `npm start` needs the two modules of the server before the bundle. */
const parts = [
  'dist/console',
  'dist/server',
  'server/start.mjs',
  'server/app/source-hash.mjs',
  'examples',
  'package.json',
  'package-lock.json',
  'LICENSE',
  'README.md',
  'docs/operate.md',
  'CHANGELOG.md',
  'SECURITY.md',
]

const run = (program, args, cwd = root) => execFileSync(program, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] })
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
const sizeOf = (path) => Number(execFileSync('du', ['-sb', path], { encoding: 'utf8' }).split('\t')[0])

const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
// Password hashing is native code, so a release is for one platform.
const name = `ess-console-${version}-${process.platform}-${process.arch}`
const stage = join(folder, name)

rmSync(folder, { recursive: true, force: true })
run(process.execPath, [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--app', '--logLevel', 'warn'])

for (const part of parts) {
  mkdirSync(dirname(join(stage, part)), { recursive: true })
  cpSync(join(root, part), join(stage, part), { recursive: true, filter: (path) => basename(path) !== '.vite' })
}
cpSync(join(root, 'dist/THIRD-PARTY-NOTICES.md'), join(stage, 'THIRD-PARTY-NOTICES.md'))
run('npm', ['ci', '--omit=dev', '--ignore-scripts', '--prefer-offline', '--no-audit', '--no-fund'], stage)

const archive = `${name}.tar.gz`
// One order, one owner, one time: the same sources give the same archive.
const same = ['--sort=name', '--owner=0', '--group=0', '--numeric-owner', '--mtime=@0']
run('tar', [...same, '--use-compress-program=gzip -9n', '-cf', archive, name], folder)
const digest = createHash('sha256')
  .update(readFileSync(join(folder, archive)))
  .digest('hex')
writeFileSync(join(folder, 'SHA256SUMS'), `${digest}  ${archive}\n`)

const sizes = [statSync(join(folder, archive)).size, sizeOf(stage), sizeOf(join(stage, 'node_modules'))].map(megabytes)
console.log(`release/${archive}: ${sizes[0]}; unpacked ${sizes[1]}, of it node_modules ${sizes[2]}`)
