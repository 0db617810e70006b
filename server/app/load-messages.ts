import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { addMessages, isInline, languages, type Messages } from '#schema/words.ts'

/** Beside the bundle, or in the sources. */
const folders = ['../console/locales/', '../../public/locales/'].map((path) => new URL(path, import.meta.url))

/** Makes the further languages known to mails, notes and problems. One without its file stays English. */
export async function loadMessages(from: readonly URL[] = folders): Promise<void> {
  for (const language of languages.filter((each) => !isInline(each))) {
    const path = from.map((folder) => fileURLToPath(new URL(`${language}.json`, folder))).find(existsSync)
    if (!path) continue
    const messages: Messages = JSON.parse(await readFile(path, 'utf8'))
    addMessages(language, messages)
  }
}
