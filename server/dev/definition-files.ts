import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Files } from '#schema/check-resources.ts'

const head = /defineResource\(\{\s*(?:\/\/[^\n]*\s*)*name: *['"`]([^'"`]+)['"`]/g

/** The file of each definition below a folder by its name, as the source says it. */
export function definitionFiles(root: string): Files {
  const entries = readdirSync(join(root, 'resources'), { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
  const named = files.flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(head)].map(
      ([, name = '']) => [name, relative(root, file).replaceAll('\\', '/')] as const,
    ),
  )
  return Object.fromEntries(named)
}
