import { isLabelPlace } from '#build/definition-words.ts'
import { withoutContext } from '#schema/words.ts'

/** `dynamic`: labels built from expressions, which cannot be translated by their text. */
export type Extraction = { texts: string[]; dynamic: string[] }

/** A pair of texts in the code; `en` is undefined for one with expressions. `at`: its place in the source. */
type Pair = { en: string | undefined; at: number; isRussian: boolean }

export const cyrillic = /\p{Script=Cyrillic}/u

type Node = { type: string; start: number } & Record<string, unknown>
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

/** False for a lone placeholder and for signs: they are equal in every language. */
export const isTextForPeople = (text: string): boolean => /\p{L}/u.test(text) && !/^\{\w+\}$/.test(text)

/** Equal texts are a label too: a list of choices has no duplicates. */
export const sameText = (en: string, ru: string): boolean => withoutContext(en) === ru

/** The text of a literal; undefined for one with expressions, `null` for what is no text. */
function textOf(node: Node): string | undefined | null {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : null
  if (node.type !== 'TemplateLiteral' || !Array.isArray(node.quasis)) return null
  const parts = node.quasis.map((part: { value: { cooked: string } }) => part.value.cooked)
  return parts.length === 1 ? parts[0] : undefined
}

const nodesIn = (value: unknown): Node[] => (Array.isArray(value) ? value.filter(isNode) : [])
const nameOf = (value: unknown): string => (isNode(value) ? String(value.name ?? value.value ?? '') : '')
/** An expression without `as const` and `satisfies`. */
const bare = (value: unknown): unknown =>
  isNode(value) && /^TS\w+Expression$/.test(value.type) ? bare(value.expression) : value

function eachNode(value: unknown, visit: (node: Node) => void): void {
  if (Array.isArray(value)) for (const each of value) eachNode(each, visit)
  if (!isNode(value)) return
  visit(value)
  for (const each of Object.values(value)) eachNode(each, visit)
}

/** Finds labels in a source, telling them apart from lists of two texts. */
class PairReader {
  readonly source: string
  constructor(source: string) {
    this.source = source
  }

  private isCyrillic(node: Node) {
    return cyrillic.test(this.source.slice(node.start, typeof node.end === 'number' ? node.end : node.start))
  }

  /** Two adjacent nodes as a pair; undefined unless both are texts and the first is not Russian. */
  pair(first: unknown, second: unknown): Pair | undefined {
    if (!isNode(first) || !isNode(second)) return undefined
    const [en, ru] = [textOf(first), textOf(second)]
    if (en === null || ru === null || this.isCyrillic(first)) return undefined
    return { en, at: first.start, isRussian: this.isCyrillic(second) }
  }

  /** An array of two texts as a pair. */
  pairIn(value: unknown): Pair | undefined {
    const array = bare(value)
    const elements = isNode(array) && array.type === 'ArrayExpression' ? nodesIn(array.elements) : []
    return elements.length === 2 ? this.pair(elements[0], elements[1]) : undefined
  }

  /** A pair without Russian may have nothing to translate: composed names and versions. */
  writtenPairIn(value: unknown): Pair | undefined {
    const pair = this.pairIn(value)
    return pair?.en === undefined ? undefined : pair
  }

  /** Pairs with a Russian second text, anywhere. */
  russian(list: readonly unknown[]): Pair[] {
    return list.flatMap((node, place) => {
      const pair = this.pair(node, list[place + 1])
      return pair?.isRussian ? [pair] : []
    })
  }

  /** Arrays of pairs: if one has Russian, all are labels. */
  amongLabels(values: readonly unknown[]): Pair[] {
    const pairs = values.map((value) => this.pairIn(value))
    return pairs.every((pair) => pair !== undefined) && pairs.some((pair) => pair.isRussian) ? pairs : []
  }

  /** Labels by the fact that holds them, or by their neighbours. */
  ofObject(object: Node, owner: string): Pair[] {
    const properties = nodesIn(object.properties).filter(({ type }) => type === 'Property')
    const byFact = properties.flatMap(({ key, value }) => {
      const pair = isLabelPlace(nameOf(key), owner) ? this.writtenPairIn(value) : undefined
      return pair ? [pair] : []
    })
    // A definition may have a list of two keys beside its label.
    const isTable = properties.some(({ key, value }) => !isLabelPlace(nameOf(key), owner) && this.pairIn(value)?.isRussian)
    return [...byFact, ...(isTable ? this.amongLabels(properties.map(({ value }) => value)) : [])]
  }
}

const annotated = (declared: Node) => {
  const id = isNode(declared.id) ? declared.id : undefined
  const annotation = id && isNode(id.typeAnnotation) ? id.typeAnnotation.typeAnnotation : undefined
  return isNode(annotation) && annotation.type === 'TSTypeReference' ? nameOf(annotation.typeName) : ''
}

/** Functions that take a label. */
const takers = /^(say\w*|filled|sayLabel)$/

/** Labels of a source in order, without duplicates. */
export function labelsIn(source: string, program: unknown): Pair[] {
  const reader = new PairReader(source)
  const found: (Pair | undefined)[] = []
  const calls: { callee: string; pairs: (Pair | undefined)[] }[] = []
  eachNode(program, (node) => {
    if (node.type === 'ArrayExpression') {
      const elements = nodesIn(node.elements)
      const own = reader.pairIn(node)
      const isSame = own?.en !== undefined && sameText(own.en, String(textOf(elements[1] ?? node)))
      found.push(...reader.russian(elements), ...reader.amongLabels(elements), isSame ? own : undefined)
    }
    if (node.type === 'CallExpression') {
      const args = nodesIn(node.arguments)
      found.push(...reader.russian(args))
      const callee = nameOf(node.callee)
      if (takers.test(callee)) found.push(...args.map((each) => reader.writtenPairIn(each)))
      calls.push({ callee, pairs: args.map((each, place) => reader.pair(each, args[place + 1])) })
    }
    if (node.type === 'ObjectExpression') found.push(...reader.ofObject(node, ''))
    if (node.type === 'Property' && isNode(node.value) && node.value.type === 'ObjectExpression') {
      found.push(...reader.ofObject(node.value, nameOf(node.key)))
    }
    if (node.type === 'VariableDeclarator' && annotated(node) === 'Label') found.push(reader.writtenPairIn(node.init))
  })
  const makers = new Set(
    calls.filter(({ callee, pairs }) => callee && pairs.some((pair) => pair?.isRussian)).map(({ callee }) => callee),
  )
  for (const { callee, pairs } of calls) if (makers.has(callee)) found.push(...pairs.filter((pair) => pair?.en !== undefined))
  const byPlace = new Map(found.flatMap((pair) => (pair ? [[pair.at, pair] as const] : [])))
  return [...byPlace.values()].toSorted((one, other) => one.at - other.at)
}
