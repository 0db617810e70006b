import { readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const root = join(import.meta.dirname, '../../..')

const manifest: { dependencies: Record<string, string>; imports: Record<string, string> } = JSON.parse(
  readFileSync(join(root, 'package.json'), 'utf8'),
)

const statement =
  /^(?:import|export)(?! type) [\w\s{},*]*from '([^']+)'|^import '([^']+)'|\bimport\('([^']+)'\)|\brequire\.resolve\('([^']+)'\)/gm

const sourcesOf = (file: string): string[] =>
  [...readFileSync(file, 'utf8').matchAll(statement)].map(([, from, bare, lazy, file]) => from ?? bare ?? lazy ?? file ?? '')

function fileOf(source: string, importer: string): string | undefined {
  if (source.startsWith('./')) return join(importer, '..', source)
  if (!source.startsWith('#')) return undefined
  const [room = '', ...path] = source.split('/')
  return join(root, (manifest.imports[`${room}/*`] ?? '').replace('*', path.join('/')))
}

const nameOf = (source: string) => source.split('/', source.startsWith('@') ? 2 : 1).join('/')

/** Packages that a file imports, and the files below it. */
function packagesOf(file: string, seen: Set<string>, found: Set<string>): Set<string> {
  if (seen.has(file)) return found
  seen.add(file)
  for (const source of sourcesOf(file)) {
    const next = fileOf(source, file)
    if (next) packagesOf(next, seen, found)
    else found.add(nameOf(source))
  }
  return found
}

it('dependencies are the packages that the server imports, no more and no fewer; the rest is bundled', () => {
  const seen = new Set<string>()
  const found = new Set<string>()
  // The worker is started by its address, not imported.
  for (const entry of ['server/main.ts', 'server/db/pglite-worker.mjs']) packagesOf(join(root, entry), seen, found)
  const imported = [...found].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
  expect(seen.size).toBeGreaterThan(300)
  expect(imported.sort()).toEqual(Object.keys(manifest.dependencies).sort())
})
