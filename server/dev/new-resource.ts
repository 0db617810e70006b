import { existsSync, readFileSync, writeFileSync } from 'node:fs'

const camel = (name: string) => name.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())
const title = (name: string) => `${name.charAt(0).toUpperCase()}${name.slice(1).replaceAll('-', ' ')}`

const template = (name: string) => `import { defineResource } from '#schema/resource.ts'

/** Say here in one line what it is. */
export const ${camel(name)} = defineResource({
  name: '${name}',
  label: { one: ['${title(name)}', '${title(name)}'], many: ['${title(name)}s', '${title(name)}s'] },
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
  const line = `import { ${camel(name)} } from './${name}.ts'\n`
  const [head = '', tail = ''] = source.split('\n/** Every resource')
  const [types = '', ...imports] = head.split(/(?<=\n)/)
  const sorted = [...imports.filter((text) => text.startsWith('import')), line].toSorted((a, b) =>
    pathOf(a) < pathOf(b) ? -1 : 1,
  )
  return `${types}${sorted.join('')}\n/** Every resource${tail.replace(/\n\]\s*$/, `\n  ${camel(name)},\n]\n`)}`
}

function create(name: string | undefined): string | undefined {
  if (!name || !/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name))
    return 'Say a singular name in kebab-case: npm run resource -- service-visit'
  const file = `resources/${name}.ts`
  if (existsSync(file)) return `${file} exists already`
  writeFileSync(file, template(name))
  writeFileSync(index, withResource(readFileSync(index, 'utf8'), name))
  console.log(`${file} is written and stands in ${index}; \`npm run check\` looks at it`)
  return undefined
}

if (import.meta.filename === process.argv[1]) {
  const refusal = create(process.argv[2])
  if (refusal) {
    console.error(refusal)
    process.exit(1)
  }
}
