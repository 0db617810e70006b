import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resources } from '#resources/index.ts'
import { untranslated } from '#schema/check/hints/texts.ts'
import { checkResources, faultLine } from '#schema/check-resources.ts'
import { widgetNames } from '#schema/widget-names.ts'
import { camelOf, type Draft, draftResource, draftText, pluralOf } from './drafts/draft.ts'
import { draftFromFile } from './drafts/from-openapi.ts'
import { draftFromTable } from './drafts/from-postgres.ts'

const title = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`

export const template = (name: string) => `import { defineResource } from '#schema/resource.ts'

/** Say here in one line what it is. */
export const ${camelOf(name)} = defineResource({
  name: '${name}',
  label: { one: ['${title(name)}', '${untranslated}${title(name)}'], many: ['${pluralOf(title(name))}', '${untranslated}${pluralOf(title(name))}'] },
  icon: 'file',
  title: 'code',

  fields: {
    code: { type: 'code', label: ['Code', 'Код'], required: true, unique: true, immutable: true, search: true },
    name: { type: 'text', label: ['Name', 'Название'], required: true, maxLength: 64, search: true },
  },

  access: { list: ['admin'], create: ['admin'], edit: ['admin'], delete: ['admin'] },
})
`

const index = 'resources/index.ts'

/** The linter sorts by the path without its ending: `./ess` comes before `./ess-model`. */
const pathOf = (line: string) => (line.split(' from ')[1] ?? '').replace(/\.ts'\s*$/, '')

/** The list with one more resource: its import among the others, its place at the end. */
export function withResource(source: string, name: string): string {
  const line = `import { ${camelOf(name)} } from './${name}.ts'\n`
  const at = source.indexOf('\n/**')
  const [head, tail] = [source.slice(0, at), source.slice(at)]
  const [types = '', ...imports] = head.split(/(?<=\n)/)
  const sorted = [...imports.filter((text) => text.startsWith('import')), line].toSorted((a, b) =>
    pathOf(a) < pathOf(b) ? -1 : 1,
  )
  return `${types}${sorted.join('')}${tail.replace(/\n\]\s*$/, `\n  ${camelOf(name)},\n]\n`)}`
}

const usage = `Say a singular name in kebab-case: npm run resource -- service-visit
It writes resources/service-visit.ts and the line of it in ${index}.
  --from postgres://USER:PASSWORD@HOST/DATABASE/TABLE   drafts the fields from a table
  --from FILE.json#/components/schemas/NAME             drafts them from the description of an API
  --help                                                says this
Comments of a draft say where a person has to decide. Its Russian texts begin with "${untranslated}" until they are
translated; \`npm run check\` reminds of each.`

async function draftFrom(name: string, origin: string): Promise<Draft> {
  // A table may point to itself.
  const known = new Set([...resources.map((resource) => resource.name), name])
  return /^postgres(ql)?:/.test(origin) ? await draftFromTable(origin, known) : await draftFromFile(origin, known)
}

/** Name of a source in the file: no password leaves the command line. */
const shownOrigin = (origin: string) => {
  if (!/^postgres(ql)?:/.test(origin)) return origin.split('/').at(-1) ?? origin
  return `the table ${new URL(origin).pathname.split('/').at(-1)}`
}

/** Faults of a definition beside those that the others have without it. */
export function faultsOf(resource: unknown, others: readonly unknown[]): string[] {
  const linesOf = (all: readonly unknown[]) => checkResources(all, { widgets: widgetNames }).map((fault) => faultLine(fault))
  const known = new Set(linesOf(others))
  return linesOf([...others, resource]).filter((line) => !known.has(line))
}

/** A faulty draft is not written: what is wrong with it is said instead. */
async function textOf(name: string, origin: string | undefined): Promise<{ text: string } | { refusal: string }> {
  if (origin === undefined) return { text: template(name) }
  const draft = await draftFrom(name, origin)
  const faults = faultsOf(draftResource(name, draft), resources)
  if (faults.length > 0) return { refusal: ['The draft has faults:', ...faults].join('\n') }
  return { text: draftText(name, draft, shownOrigin(origin)) }
}

async function create([name, flag, origin]: readonly string[]): Promise<string | undefined> {
  if (name === '--help' || name === '-h') return void console.log(usage)
  const isNamed = name !== undefined && /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name)
  if (!isNamed || (flag !== undefined && (flag !== '--from' || !origin))) return usage
  const file = `resources/${name}.ts`
  if (existsSync(file)) return `${file} exists already`
  const made = await textOf(name, origin)
  if ('refusal' in made) return made.refusal
  writeFileSync(file, made.text)
  writeFileSync(index, withResource(readFileSync(index, 'utf8'), name))
  console.log(`${file} is written and stands in ${index}; \`npm run check\` looks at it, and reminds of texts to translate`)
  return undefined
}

if (import.meta.filename === process.argv[1]) {
  const refusal = await create(process.argv.slice(2)).catch((error: unknown) =>
    error instanceof Error ? error.message : String(error),
  )
  if (refusal) {
    console.error(refusal)
    process.exit(1)
  }
}
