import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { addMessages, isInline, LANGUAGES, type Messages } from '#schema/words.ts'

/** Folders of the message files: those of the built console, or else those of the sources. */
const folders = ['../console/locales/', '../../public/locales/'].map((path) => new URL(path, import.meta.url))

async function readMessages(path: string): Promise<Messages> {
  const text = await readFile(path, 'utf8')
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new Error(`${path} is not valid JSON: correct it, or remove it to go on in English`, { cause: error })
  }
}

/** Makes the further languages known to mails, notes and problems. One without its file stays English. */
export async function loadMessages(from: readonly URL[] = folders): Promise<void> {
  for (const { code: language } of LANGUAGES.filter((row) => !isInline(row.code))) {
    const path = from.map((folder) => fileURLToPath(new URL(`${language}.json`, folder))).find(existsSync)
    if (!path) continue
    addMessages(language, await readMessages(path))
  }
}
