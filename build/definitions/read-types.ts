import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'

const schema = join(import.meta.dirname, '../../src/schema')

/** Sources of the language: their types are what a definition may say. */
const sources = [
  'field-types.ts',
  'resource.ts',
  'rule.ts',
  'files.ts',
  'conversions.ts',
  'facts/field-facts.ts',
  'facts/empty-facts.ts',
  'facts/inbox-facts.ts',
  'facts/action-facts.ts',
  'facts/figure-facts.ts',
  'facts/journal-facts.ts',
  'facts/flow-facts.ts',
  'facts/outlook-facts.ts',
  'facts/selection-facts.ts',
  'facts/menu-facts.ts',
  'facts/tab-facts.ts',
  'facts/why-facts.ts',
]

export type Node = { type: string; start: number; end: number } & Record<string, unknown>
export const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value
export const nodesOf = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : isNode(value) ? [value] : [])

/** One fact: its name, its type as it is written, and its docstring in one line. */
export type Fact = { name: string; isOptional: boolean; type: string; text: string }
type Declared = { node: Node; parameters: Node[]; source: string; text: string; textBefore: (at: number) => string }

const inOneLine = (comment: string) =>
  comment
    .split('\n')
    .map((line) => line.replace(/^\s*\*+ ?/, '').trim())
    .join(' ')
    .trim()

/** The docstring that ends where a node begins; empty without one. */
function textsBefore(source: string, comments: readonly { value: string; start: number; end: number }[]) {
  return (at: number) => {
    const found = comments.find(({ end }) => end <= at && source.slice(end, at).trim() === '')
    return found ? inOneLine(found.value) : ''
  }
}

function declared(file: string): [string, Declared][] {
  const source = readFileSync(join(schema, file), 'utf8')
  const { program, comments } = parseSync(file, source)
  const textBefore = textsBefore(source, comments)
  return nodesOf(program.body).flatMap((statement): [string, Declared][] => {
    const [node] = statement.type === 'ExportNamedDeclaration' ? nodesOf(statement.declaration) : [statement]
    if (node?.type !== 'TSTypeAliasDeclaration' || !isNode(node.id) || !isNode(node.typeAnnotation)) return []
    const parameters = isNode(node.typeParameters) ? nodesOf(node.typeParameters.params) : []
    const at = { node: node.typeAnnotation, parameters, source, text: textBefore(statement.start), textBefore }
    return [[String(node.id.name), at]]
  })
}

const types = new Map(sources.flatMap(declared))

export function typeNamed(name: string): Declared {
  const found = types.get(name)
  if (!found) throw new Error(`src/schema declares no type ${name}`)
  return found
}

const withoutComments = (text: string) =>
  text
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/\s+/g, ' ')
    .trim()

const sliceOf = ({ source }: Declared, node: Node) => withoutComments(source.slice(node.start, node.end))

function memberOf(at: Declared, member: Node): Fact[] {
  if (member.type !== 'TSPropertySignature' || !isNode(member.key) || !isNode(member.typeAnnotation)) return []
  const [type] = nodesOf(member.typeAnnotation.typeAnnotation)
  if (!type) return []
  const fact = { name: String(member.key.name ?? member.key.value), isOptional: member.optional === true }
  return [{ ...fact, type: sliceOf(at, type), text: at.textBefore(member.start) }]
}

/** The members of a type: of each part of an intersection or union, and of the types that it names. */
function membersOf(at: Declared, node: Node): Fact[] {
  switch (node.type) {
    case 'TSTypeLiteral':
      return nodesOf(node.members).flatMap((member) => memberOf(at, member))
    case 'TSIntersectionType':
    case 'TSUnionType':
      return nodesOf(node.types).flatMap((part) => membersOf(at, part))
    case 'TSParenthesizedType':
      return nodesOf(node.typeAnnotation).flatMap((part) => membersOf(at, part))
    case 'TSTypeReference':
      return referred(at, node)
    default:
      return []
  }
}

/** The members of a named type, with what it is given in the place of its parameter: `Preset<string>`. */
function referred(at: Declared, node: Node): Fact[] {
  const name = isNode(node.typeName) ? String(node.typeName.name) : ''
  const [argument] = isNode(node.typeArguments) ? nodesOf(node.typeArguments.params) : []
  if (name === 'Partial' && argument) return membersOf(at, argument).map((fact) => ({ ...fact, isOptional: true }))
  const target = types.get(name)
  if (!target) return []
  const given = argument ? sliceOf(at, argument) : undefined
  return membersOf(target, target.node).map((fact) => (given ? { ...fact, type: fact.type.replace(/\b[TF]\b/g, given) } : fact))
}

/** The facts of a type by name, each once: several kinds of tabs have a widget. */
export function factsOfType(name: string): Fact[] {
  const at = typeNamed(name)
  const facts = new Map<string, Fact>()
  for (const fact of membersOf(at, at.node)) {
    const known = facts.get(fact.name)
    // A part of a union that leaves a fact out says so by `undefined`.
    const said = known?.type === 'undefined' ? fact : known
    facts.set(fact.name, said ? { ...said, text: said.text || fact.text } : fact)
  }
  return [...facts.values()].filter(({ type }) => type !== 'undefined')
}

export const textOfType = (name: string): string => typeNamed(name).text
/** A type as it is written. */
export const shapeOfType = (name: string): string => sliceOf(typeNamed(name), typeNamed(name).node)

/** A field type: its meaning, the facts that it adds, and its value. */
export type FieldTypeText = { name: string; text: string; facts: Fact[]; value: string }

export function fieldTypeTexts(): FieldTypeText[] {
  const at = typeNamed('FieldTypes')
  return nodesOf(at.node.members).flatMap((member): FieldTypeText[] => {
    const [row] = isNode(member.typeAnnotation) ? nodesOf(member.typeAnnotation.typeAnnotation) : []
    const parts = nodesOf(row?.members)
    const partNamed = (name: string) => parts.find(({ key }) => isNode(key) && key.name === name)
    const [facts, value] = [partNamed('facts'), partNamed('value')].map((part) =>
      isNode(part?.typeAnnotation) ? nodesOf(part.typeAnnotation.typeAnnotation)[0] : undefined,
    )
    if (!facts || !value || !isNode(member.key)) return []
    const text = at.textBefore(member.start)
    return [{ name: String(member.key.name), text, facts: membersOf(at, facts), value: sliceOf(at, value) }]
  })
}
