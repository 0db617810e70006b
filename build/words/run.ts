import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isInline, isLanguage, languageRow, type Messages } from '#schema/words.ts'
import { extract } from './extract.ts'
import { updated } from './messages-file.ts'
import { pseudoMessages } from './pseudo.ts'

const shown = (title: string, texts: readonly string[], most = 20) =>
  texts.length === 0
    ? []
    : [`${title}: ${texts.length}`, ...texts.slice(0, most).map((text) => `  ${text}`), ...(texts.length > most ? ['  …'] : [])]

const scriptsFromRight = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo'])
const directionOf = (code: string) => (scriptsFromRight.has(new Intl.Locale(code).maximize().script ?? '') ? 'rtl' : 'ltr')

/** The name of the best file of a package's locales: `de_DE` or `de` for German. */
function localeFile(folder: string, code: string): string {
  const files = readdirSync(folder).flatMap((name) => /^(\w{2,3}(?:[-_]\w+)?)\.js$/.exec(name)?.[1] ?? [])
  const own = new Intl.Locale(code).maximize()
  const wanted = [`${own.language}_${own.region}`, `${own.language}-${own.region}`.toLowerCase(), own.language]
  const english = files.includes('en_US') ? 'en_US' : 'en'
  return wanted.find((name) => files.includes(name)) ?? files.find((name) => name.startsWith(`${own.language}_`)) ?? english
}

const rowHint = (root: string, code: string) => {
  const name = new Intl.DisplayNames(code, { type: 'language' }).of(code) ?? code
  const [antd, dayjs] = ['antd/es', 'dayjs'].map((owner) => localeFile(join(root, 'node_modules', owner, 'locale'), code))
  const facts = { code, intl: code, direction: directionOf(code), antd, dayjs, name }
  const row = `{ ${Object.entries(facts)
    .map(([fact, value]) => `${fact}: '${value}'`)
    .join(', ')} },`
  return `Add the row to LANGUAGES in src/schema/words.ts:\n  ${row}`
}

/** Brings `public/locales/CODE.json` up to date and reports what a translator has to do. */
function run(root: string, code: string | undefined): void {
  if (!code || !/^[a-z]{2,3}(-[A-Z][A-Za-z]{1,3})?$/.test(code) || (isLanguage(code) && isInline(code)))
    throw new Error('Usage: npm run words -- CODE, with a language code like de; English and Russian stand in the sources')
  const path = join(root, 'public/locales', `${code}.json`)
  const before: Messages = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {}
  const { texts, dynamic } = extract(root)
  if (isLanguage(code) && languageRow(code).pseudo) {
    writeFileSync(path, `${JSON.stringify(pseudoMessages(texts), null, 2)}\n`)
    return console.log(`${path}: ${texts.length} texts; choose it while developing, and do not commit it`)
  }
  const { messages, missing, stale, broken, forms } = updated(texts, before, code)
  writeFileSync(path, `${JSON.stringify(messages, null, 2)}\n`)
  const lines = [
    `${path}: ${texts.length} texts, ${texts.length - missing.length} translated`,
    ...shown('Missing', missing),
    ...shown('Stale (no such text any more; delete the lines)', stale),
    ...shown('Broken (other placeholders than the English text)', broken),
    ...shown('Plural forms that the language has and the translation lacks', forms),
    ...shown('Put together in the code (stay English)', dynamic),
    ...(isLanguage(code) ? [] : [rowHint(root, code)]),
  ]
  console.log(lines.join('\n'))
  if (broken.length > 0) process.exitCode = 1
}

try {
  run(process.cwd(), process.argv[2])
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
