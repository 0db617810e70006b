import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Language, Messages } from '#schema/words.ts'

const root = process.cwd()

export type OwnBuild = { dir: string; remove: () => Promise<void> }

/** The build of this project in a folder of its own, with the messages of a further language. */
export async function buildWith(language: Language, messages: Messages): Promise<OwnBuild> {
  const dir = await mkdtemp(join(tmpdir(), 'ess-build-'))
  await cp(join(root, 'dist'), join(dir, 'dist'), { recursive: true })
  await cp(join(root, 'package.json'), join(dir, 'package.json'))
  await symlink(join(root, 'node_modules'), join(dir, 'node_modules'))
  await writeFile(join(dir, 'dist/console/locales', `${language}.json`), JSON.stringify(messages))
  return { dir, remove: () => rm(dir, { recursive: true, force: true }) }
}
