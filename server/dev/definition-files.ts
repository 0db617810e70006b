import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { DefinitionFault } from '#schema/check/report/report.ts'
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

/** Hints on definitions that stand in a file and in no list, so that no server and no page knows them. */
export const unlistedHints = (files: Files, names: readonly string[]): DefinitionFault[] =>
  Object.keys(files)
    .filter((name) => !names.includes(name))
    .map((path) => ({
      code: 'unlisted',
      path,
      message: 'nothing knows it: import it in resources/index.ts and add it to `resources` there, or delete the file',
    }))
