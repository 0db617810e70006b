import { cpSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { inFolder, makeBase, makeRoot, run, serveFrom } from './bare-root.mjs'

// Unpacks the release on a Debian that has nothing but Node, and looks at console and fleet. Needs root and debootstrap.
const release = join(import.meta.dirname, '../release')

await inFolder(async (folder) => {
  run('sha256sum', ['--check', 'SHA256SUMS'], { cwd: release })
  const archive = readdirSync(release).find((file) => file.endsWith('.tar.gz'))
  const root = join(folder, 'root')
  makeRoot(makeBase(folder), root)
  cpSync(join(release, archive), join(root, 'opt', archive))
  run('chroot', [root, '/bin/tar', '-xzf', `/opt/${archive}`, '-C', '/opt'])
  await serveFrom(root, { cwd: `/opt/${archive.replace('.tar.gz', '')}`, command: 'node server/start.mjs' })
})
