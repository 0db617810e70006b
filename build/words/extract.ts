import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { isLabelPlace, isPair } from '#build/definition-words.ts'
import { resources } from '#resources/index.ts'
import { cyrillic, type Extraction, isTextForPeople, labelsIn, sameText } from './label-pairs.ts'

const folders = ['src', 'resources', 'providers', 'server']

/** The English texts of the labels of one source file, by its syntax tree. */
export function textsOfSource(path: string, source: string): Extraction {
  const found: Extraction = { texts: [], dynamic: [] }
  for (const { en, at } of labelsIn(source, parseSync(path, source).program)) {
    if (en === undefined) found.dynamic.push(`${path}:${source.slice(0, at).split('\n').length}`)
    else if (isTextForPeople(en)) found.texts.push(en)
  }
  return found
}

/** The texts of definitions as they are read: some labels are made by functions. */
function textsOfDefinitions(value: unknown, [fact = '', owner = '']: readonly string[] = []): string[] {
  if (isPair(value) && (cyrillic.test(value[1]) || sameText(value[0], value[1]) || isLabelPlace(fact, owner))) {
    return isTextForPeople(value[0]) ? [value[0]] : []
  }
  if (typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) return value.flatMap((each) => textsOfDefinitions(each, ['', fact]))
  return Object.entries(value).flatMap(([name, each]) => textsOfDefinitions(each, [name, fact]))
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
