import { type Shape, valueLists } from '#schema/check/shape/shape.ts'
import { figurePlaces, figureTones } from '#schema/facts/figure-facts.ts'
import { tones } from '#schema/field-types.ts'
import { methods, verbs } from '#schema/resource.ts'
import { ruleOps } from '#schema/rule.ts'
import { isNode, type Node, nodesOf, typeNamed } from './read-types.ts'

/** Lists from which types take their literals: `(typeof tones)[number]`. */
const values: Readonly<Record<string, readonly string[]>> = { figurePlaces, figureTones, tones, ruleOps, verbs, methods }

/** Types with a check of their own, and those whose values are looked up when a definition is checked. */
const named: Readonly<Record<string, Shape>> = {
  Label: 'label',
  ConvertibleType: 'string',
  ...Object.fromEntries(Object.keys(valueLists).map((name) => [name, { of: name }])),
}

type Keys = Extract<Shape, { keys: unknown }>['keys']
/** Arguments of a type by parameter, and the types met so far, by name. */
type Scope = { given: ReadonlyMap<string, Shape>; found: Map<string, Shape> }

const annotated = (node: unknown): Node => {
  const [inner] = isNode(node) ? nodesOf(node.typeAnnotation) : []
  if (!inner) throw new Error('a type is expected')
  return inner.type === 'TSTypeAnnotation' ? annotated(inner) : inner
}
const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value) : '')

const isKeys = (shape: Shape): shape is { keys: Keys } => typeof shape === 'object' && 'keys' in shape
const alternatives = (shape: Shape): readonly Shape[] => (typeof shape === 'object' && 'any' in shape ? shape.any : [shape])

/** Literals of a union in one list, the other alternatives as they are. */
function union(shapes: readonly Shape[]): Shape {
  const flat = shapes.flatMap(alternatives)
  const literals = flat.flatMap((shape) => (typeof shape === 'object' && 'is' in shape ? shape.is : []))
  const others = flat.filter((shape) => typeof shape === 'string' || !('is' in shape))
  const distinct = others.filter(
    (shape, index) => others.findIndex((one) => JSON.stringify(one) === JSON.stringify(shape)) === index,
  )
  const all: Shape[] = [...(literals.length > 0 ? [{ is: [...new Set(literals)] }] : []), ...distinct]
  return all.length === 1 && all[0] ? all[0] : { any: all }
}

/** The keys of all parts; an alternative in one of them makes alternatives of the whole. */
function intersection(shapes: readonly Shape[], found: Scope['found']): Shape {
  return shapes.reduce<Shape>(
    (whole, part) =>
      union(
        alternatives(whole).flatMap((one) =>
          objects(part, found).map((other) => {
            if (!isKeys(one) || !isKeys(other)) throw new Error('only objects are intersected')
            return { keys: { ...one.keys, ...other.keys } }
          }),
        ),
      ),
    { keys: {} },
  )
}

/** The alternatives of a type, with those of the types that it names. */
const objects = (shape: Shape, found: Scope['found']): Shape[] =>
  alternatives(resolve(shape, found)).flatMap((one) => (typeof one === 'object' && 'of' in one ? objects(one, found) : [one]))

const resolve = (shape: Shape, found: Scope['found']): Shape => {
  const other = typeof shape === 'object' && 'of' in shape ? found.get(shape.of) : undefined
  return other ?? shape
}

const partial = (shape: Shape): Shape =>
  isKeys(shape)
    ? { keys: Object.fromEntries(Object.entries(shape.keys).map(([key, one]) => [`${key.replace(/\?$/, '')}?`, one])) }
    : shape

function literal(node: Node, scope: Scope): Shape {
  const index = nodesOf(node.members).find(({ type }) => type === 'TSIndexSignature')
  if (index) return { map: shapeOf(annotated(index), scope) }
  const members = nodesOf(node.members).filter((member) => annotated(member).type !== 'TSUndefinedKeyword')
  return {
    keys: Object.fromEntries(
      members.map((member) => [
        `${nameOf(member.key)}${member.optional === true ? '?' : ''}`,
        shapeOf(annotated(member), scope),
      ]),
    ),
  }
}

const record = (keys: Shape, value: Shape): Shape => {
  if (typeof keys === 'object' && 'of' in keys && Object.hasOwn(valueLists, keys.of)) return { map: value, among: keys.of }
  return typeof keys === 'object' && 'is' in keys
    ? { keys: Object.fromEntries(keys.is.map((key) => [String(key), value])) }
    : { map: value }
}

/** Types of the language itself, as far as definitions use them. */
const builtIn: Readonly<Record<string, (given: readonly Shape[], found: Scope['found']) => Shape>> = {
  Partial: ([shape = 'any'], found) => partial(resolve(shape, found)),
  Readonly: ([shape = 'any']) => shape,
  Record: ([keys = 'any', value = 'any'], found) => record(resolve(keys, found), value),
}

function referred(node: Node, scope: Scope): Shape {
  const name = nameOf(node.typeName)
  const given = isNode(node.typeArguments) ? nodesOf(node.typeArguments.params).map((one) => shapeOf(one, scope)) : []
  const known = scope.given.get(name) ?? named[name] ?? builtIn[name]?.(given, scope.found)
  if (known !== undefined) return known
  if (name === 'Field') return { of: fieldShape(scope.found) }
  const { node: body, parameters } = typeNamed(name)
  const own = new Map(
    parameters.map((parameter, index): [string, Shape] => [
      nameOf(parameter.name),
      given[index] ?? (isNode(parameter.default) ? shapeOf(parameter.default, scope) : 'any'),
    ]),
  )
  // Parameters that are texts are names of fields, which other checks know; such a type is the same everywhere.
  const isPlain = [...own.values()].every((shape) => shape === 'string' || JSON.stringify(shape) === '{"of":"Fields"}')
  if (!isPlain) return shapeOf(body, { ...scope, given: own })
  if (!scope.found.has(name)) {
    scope.found.set(name, 'any')
    scope.found.set(name, shapeOf(body, { ...scope, given: own }))
  }
  return { of: name }
}

/** A field: its type names the facts that it may have. */
function fieldShape(found: Scope['found']): string {
  if (found.has('Field')) return 'Field'
  found.set('Field', 'any')
  const scope = { given: new Map(), found }
  const base = referred(
    { type: 'TSTypeReference', start: 0, end: 0, typeName: { type: 'Identifier', start: 0, end: 0, name: 'CommonFacts' } },
    scope,
  )
  const kinds = nodesOf(typeNamed('FieldTypes').node.members).map((row): [string, Shape] => {
    const facts = nodesOf(annotated(row).members).find(({ key }) => nameOf(key) === 'facts')
    return [nameOf(row.key), resolve(shapeOf(annotated(facts), scope), found)]
  })
  found.set('Field', { by: 'type', base, kinds: Object.fromEntries(kinds) })
  return 'Field'
}

function constant(node: Node): Shape {
  const [inner] = nodesOf(node.literal)
  return inner && inner.type === 'Literal' ? { is: [inner.value] } : 'string'
}

function mapped(node: Node, scope: Scope): Shape {
  const [constraint] = nodesOf(node.constraint)
  const keys = constraint ? resolve(shapeOf(constraint, scope), scope.found) : 'any'
  const shape = record(keys, shapeOf(annotated(node), scope))
  return node.optional ? partial(shape) : shape
}

function indexed(node: Node): Shape {
  const [query] = nodesOf(node.objectType).map((one) => (one.type === 'TSParenthesizedType' ? annotated(one) : one))
  const found = values[nameOf(query?.exprName)]
  if (!found) throw new Error(`no values are known of ${nameOf(query?.exprName)}`)
  return { is: found }
}

const first = (node: Node, key: string) => nodesOf(node[key])[0] ?? annotated(node)

/** How each kind of type is read. */
const readers: Readonly<Record<string, (node: Node, scope: Scope) => Shape>> = {
  TSStringKeyword: () => 'string',
  TSNumberKeyword: () => 'number',
  TSBooleanKeyword: () => 'boolean',
  TSUnknownKeyword: () => 'any',
  TSNullKeyword: () => ({ is: [null] }),
  TSTemplateLiteralType: () => 'string',
  TSLiteralType: constant,
  TSTypeLiteral: literal,
  TSParenthesizedType: (node, scope) => shapeOf(annotated(node), scope),
  TSTypeOperator: (node, scope) => shapeOf(annotated(node), scope),
  TSArrayType: (node, scope) => ({ list: shapeOf(first(node, 'elementType'), scope) }),
  TSTupleType: (node, scope) => ({ parts: nodesOf(node.elementTypes).map((part) => shapeOf(part, scope)) }),
  TSUnionType: (node, scope) => union(nodesOf(node.types).map((part) => shapeOf(part, scope))),
  TSIntersectionType: (node, scope) =>
    intersection(
      nodesOf(node.types).map((part) => shapeOf(part, scope)),
      scope.found,
    ),
  TSTypeReference: referred,
  TSMappedType: mapped,
  TSIndexedAccessType: indexed,
}

function shapeOf(node: Node, scope: Scope): Shape {
  const read = readers[node.type]
  if (!read) throw new Error(`${node.type} is not read yet`)
  return read(node, scope)
}

/** Every type that a definition is made of, by name. */
export function definitionShapes(): Record<string, Shape> {
  const found = new Map<string, Shape>()
  const reference = { type: 'TSTypeReference', start: 0, end: 0 }
  referred({ ...reference, typeName: { type: 'Identifier', start: 0, end: 0, name: 'Resource' } }, { given: new Map(), found })
  const used = new Set(JSON.stringify([...found.values()]).match(/(?<="of":")\w+/g))
  return Object.fromEntries(
    [...found].filter(([name]) => name === 'Resource' || used.has(name)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  )
}
