import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'vite'
import { describe, expect, it } from 'vitest'
import { dialogFacts, inputFacts, listFacts } from '#build/definition-words.ts'

const root = join(import.meta.dirname, '../..')

/** A part of the definitions that a built console loads later: its module, and its facts by the names of what has them. */
type Part = { module: string; facts: Readonly<Record<string, ReadonlySet<string>>> }
const parts: readonly Part[] = [
  {
    module: 'src/schema/later/list-facts.ts',
    facts: { list: listFacts, journal: new Set(['details']), field: new Set(['flow']), resource: new Set(['why']) },
  },
  {
    module: 'src/schema/later/action-forms.ts',
    facts: {
      action: dialogFacts,
      states: new Set(['next']),
      confirm: new Set(['also', 'danger']),
      resource: new Set(['deletion', 'outlook', 'rules', 'ends', 'checks']),
      field: new Set([...inputFacts, 'divides']),
    },
  },
  { module: 'src/schema/later/dashboard-figures.ts', facts: { resource: new Set(['figures']) } },
]

/** Reads that are right before the part has come. */
const early: Readonly<Record<string, string>> = {
  'providers/list-source.ts': 'reads the forms again on each call',
  'src/fields/text/text-inputs.tsx':
    'is drawn by forms, whose value-schema.ts loads the part, and by filters, which have no bounds',
  'src/fields/structure/structure.tsx': 'passes flow on to code that is loaded with its part',
  'src/schema/definition.ts': 'listOf passes filters on to list-filters.tsx',
  'src/schema/figures.ts': 'figuresOf is asked by use-summary.ts alone',
  'src/shell/menu/menu-counts.tsx': 'asks only whether there is an inbox',
  'src/views/actions/action-buttons.tsx': 'a danger that depends on the record has no red button',
  'src/views/actions/action-offer.ts': 'bulkActions is asked by list-page.tsx and bulk-bar.tsx, in lists',
  'src/views/actions/action-host.tsx': 'asks only whether there is a form',
  'src/views/show/record-sections.tsx': 'asks only whether there is an outlook',
  'src/views/show/show-page.tsx': 'asks only whether there is a sentence, which record-why.tsx draws',
}

const sources = new Map(
  ['src', 'providers']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))))
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
    .map((path) => [path, readFileSync(join(root, path), 'utf8')] as const),
)
const aliases: Readonly<Record<string, string>> = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).imports

function fileOf(importer: string, source: string): string {
  if (source.startsWith('.')) return relative(root, resolve(root, dirname(importer), source))
  const [alias = '', folder = ''] = Object.entries(aliases).find(([name]) => source.startsWith(name.slice(0, -1))) ?? []
  return join(folder.slice(0, -1), source.slice(alias.length - 1))
}

/** The files that a module imports when it runs. */
const importsOf = (path: string, source: string): string[] =>
  [...source.matchAll(/^(?:import|export) (?!type )(?:[^'()]*? from )?'([^']+)'/gm)].map(([, from = '']) => fileOf(path, from))

function loadedWith(path: string, all: ReadonlyMap<string, string>): ReadonlySet<string> {
  const loaded = new Set([path])
  for (const file of loaded) for (const each of importsOf(file, all.get(file) ?? '')) loaded.add(each)
  return loaded
}

type Node = Readonly<Record<string, unknown>>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null
/** `list` for `list`, `resource.list` and `resource.list ?? {}`. */
function nameOf(node: unknown): string {
  if (!isNode(node)) return ''
  if (node.type === 'Identifier') return String(node.name)
  // An entry of a table is named like the table: `next` of `field.states[key]` is `states.next`.
  if (node.computed) return nameOf(node.object)
  return nameOf(node.property ?? node.left ?? node.expression)
}

/** `owner.fact` of each property that a module reads, by a dot or by taking it apart. */
function readsIn(node: unknown, found = new Set<string>()): ReadonlySet<string> {
  if (Array.isArray(node)) for (const each of node) readsIn(each, found)
  else if (isNode(node)) {
    if (node.type === 'MemberExpression') found.add(`${nameOf(node.object)}.${nameOf(node.property)}`)
    if (node.type === 'VariableDeclarator' && isNode(node.id) && Array.isArray(node.id.properties))
      for (const each of node.id.properties) found.add(`${nameOf(node.init)}.${nameOf(isNode(each) ? each.key : undefined)}`)
    for (const each of Object.values(node)) readsIn(each, found)
  }
  return found
}

/** `file: fact` of each fact that a module reads without loading its part. */
function forgotten(path: string, all: ReadonlyMap<string, string>): string[] {
  const reads = [...readsIn(parseSync(path, all.get(path) ?? '').program)]
  const loaded = loadedWith(path, all)
  return parts
    .filter(({ module }) => !loaded.has(module))
    .flatMap(({ facts }) => reads.filter((read) => facts[read.split('.')[0] ?? '']?.has(read.split('.')[1] ?? '')))
    .map((read) => `${path}: ${read}`)
}

/** Checks of definitions run on the server and in development, where definitions are complete. */
const inConsole = [...sources.keys()].filter((path) => !/^src\/schema\/check[/-]/.test(path))

describe('a fact that a built console loads later', () => {
  it('is read by modules that import its part: in a build it is empty without it', () => {
    expect(inConsole.filter((path) => !(path in early)).flatMap((path) => forgotten(path, sources))).toEqual([])
  })

  it('is read too early by each module that is excused', () => {
    expect(Object.keys(early).filter((path) => forgotten(path, sources).length === 0)).toEqual([])
  })

  it.each([
    ['const rules = resource.list?.tone', 'list.tone'],
    ['const { facet } = resource.list ?? {}', 'list.facet'],
    ['const { form } = offer.action', 'action.form'],
    ['const label = resource.figures?.[key]?.label', 'resource.figures'],
  ])('is missed in `%s`', (line, read) => {
    expect(forgotten('src/x.ts', new Map([['src/x.ts', line]]))).toEqual([`src/x.ts: ${read}`])
  })

  it('is not missed where an imported module imports its part', () => {
    const all = new Map([...sources, ['src/x.ts', "import './views/cards/card-of.ts'\nconst rules = resource.list?.tone"]])
    expect(forgotten('src/x.ts', all)).toEqual([])
  })
})
