import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { resources } from '#resources/index.ts'

/** A label that is put together in the code cannot be translated by its text. */
export type Extraction = { texts: string[]; dynamic: string[] }

const folders = ['src', 'resources', 'providers', 'server']
const cyrillic = /\p{Script=Cyrillic}/u

type Node = { type: string; start: number } & Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** The text of a literal; undefined for one with expressions, `null` for what is no text. */
function textOf(node: unknown): string | undefined | null {
  if (!isNode(node)) return null
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return null
  const parts = node.quasis.map((part: { value: { cooked: string } }) => part.value.cooked)
  return parts.length === 1 ? parts[0] : undefined
}

const isRussian = (source: string, node: Node) =>
  cyrillic.test(source.slice(node.start, typeof node.end === 'number' ? node.end : node.start))

/** Pairs of an English text with a Russian one behind it: labels, and the arguments of functions that make them. */
function pairsIn(source: string, list: readonly unknown[]): { en: string | undefined; at: number }[] {
  return list.flatMap((node, place) => {
    const next = list[place + 1]
    if (!isNode(node) || !isNode(next)) return []
    const [en, ru] = [textOf(node), textOf(next)]
    if (en === null || ru === null || !isRussian(source, next) || isRussian(source, node)) return []
    return [{ en, at: node.start }]
  })
}

function walk(node: unknown, visit: (list: readonly unknown[]) => void): void {
  if (Array.isArray(node)) for (const each of node) walk(each, visit)
  if (!isNode(node)) return
  if (node.type === 'ArrayExpression' && Array.isArray(node.elements)) visit(node.elements)
  if (node.type === 'CallExpression' && Array.isArray(node.arguments)) visit(node.arguments)
  for (const value of Object.values(node)) walk(value, visit)
}

/** The English texts of the labels of one source file, by its syntax tree. */
export function textsOfSource(path: string, source: string): Extraction {
  const found: Extraction = { texts: [], dynamic: [] }
  if (!cyrillic.test(source)) return found
  walk(parseSync(path, source).program, (list) => {
    for (const { en, at } of pairsIn(source, list)) {
      if (en === undefined) found.dynamic.push(`${path}:${source.slice(0, at).split('\n').length}`)
      else if (/\p{L}/u.test(en)) found.texts.push(en)
    }
  })
  return found
}

/** The texts of definitions as they are read: some labels are made by functions. */
function textsOfDefinitions(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  if (!Array.isArray(value)) return Object.values(value).flatMap(textsOfDefinitions)
  const [en, ru] = value
  const isLabel = value.length === 2 && typeof en === 'string' && typeof ru === 'string' && cyrillic.test(ru)
  return isLabel ? [en] : value.flatMap(textsOfDefinitions)
}

const leaves = (tree: unknown): string[] =>
  typeof tree === 'object' && tree !== null ? Object.values(tree).flatMap(leaves) : [String(tree)]

const sourcesIn = (root: string) =>
  folders
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true }).map((name) => join(folder, String(name))))
    .filter((path) => /(?<!\.d)\.tsx?$/.test(path))
    .toSorted()

/** Every text of console and server: keyed words, labels in sources (with mails, guides and problems), labels of definitions. */
export function extract(root: string): Extraction {
  const sources = sourcesIn(root).map((path) => textsOfSource(path, readFileSync(join(root, path), 'utf8')))
  const keyed = leaves(JSON.parse(readFileSync(join(root, 'public/locales/en.json'), 'utf8')))
  const texts = [...keyed, ...sources.flatMap((each) => each.texts), ...textsOfDefinitions(resources)]
  return { texts: [...new Set(texts)].toSorted(), dynamic: sources.flatMap((each) => each.dynamic) }
}
