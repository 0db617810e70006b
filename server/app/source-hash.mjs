import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const sources = [
  'src',
  'resources',
  'providers',
  'public',
  'server',
  'build',
  'index.html',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
]

const filesIn = (path) =>
  statSync(path).isFile()
    ? [path]
    : readdirSync(path, { withFileTypes: true, recursive: true })
        .filter((found) => found.isFile())
        .map((found) => join(found.parentPath, found.name))

/** What the build is made from, as one hash. Content, not times: a fresh clone or a copied folder is as good as the one that was built. */
export function sourcePrint(root) {
  const hash = createHash('sha256').update(process.version)
  const paths = sources.map((source) => join(root, source)).filter((path) => existsSync(path))
  for (const file of paths.flatMap(filesIn).sort())
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0')
  return hash.digest('hex')
}
