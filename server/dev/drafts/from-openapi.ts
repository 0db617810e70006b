import { readFile } from 'node:fs/promises'
import { isObject } from '#schema/is-object.ts'
import { type Draft, fieldName, isSystemName, labelOf, newDraft, numberFacts, toTranslate, withoutSummaries } from './draft.ts'
import { type Json, SchemaReader, textsOf } from './schema-reader.ts'

type Facts = Record<string, unknown>

/** Names of resources that a reference may point to. */
type Known = ReadonlySet<string>

const typeOf = ({ type, properties, enum: choices }: Json): unknown => {
  const [named] = [type].flat().filter((one) => one !== 'null')
  return (
    named ??
    (Array.isArray(choices) ? 'string' : isObject(properties) && Object.keys(properties).length > 0 ? 'object' : undefined)
  )
}

const formats: Readonly<Record<string, string>> = {
  date: 'date',
  'date-time': 'dateTime',
  email: 'email',
  uri: 'url',
  url: 'url',
}

/** A bound that is not a value itself. Before OpenAPI 3.1 a flag says so of `minimum` and `maximum`. */
const exclusive = (flag: unknown, bound: unknown): number | undefined =>
  typeof flag === 'number' ? flag : flag === true && typeof bound === 'number' ? bound : undefined

/** Bounds of a number. Of a whole one the next value is the bound; of any other the bound stays in, and a doubt says so. */
function numbersOf(schema: Json, isWhole: boolean, draft: Draft, field: string): Facts {
  const bounds = [
    ['min', schema.minimum, exclusive(schema.exclusiveMinimum, schema.minimum), 1, 'above'],
    ['max', schema.maximum, exclusive(schema.exclusiveMaximum, schema.maximum), -1, 'below'],
  ] as const
  return Object.fromEntries(
    bounds.flatMap(([fact, bound, edge, step, word]) => {
      if (edge === undefined) return typeof bound === 'number' ? [[fact, bound]] : []
      if (!isWhole)
        draft.doubts.push({ field, text: `It is ${word} ${edge}, and \`${fact}\` takes ${edge}: a rule has to say so.` })
      return [[fact, isWhole ? edge + step : edge]]
    }),
  )
}

/** Properties of an object as fields. */
function fieldsOf(reader: SchemaReader, schema: Json, known: Known, draft: Draft, path: string): Record<string, Facts> {
  const needed = new Set(textsOf(schema.required))
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : []
  const isInner = path !== ''
  const fields = Object.fromEntries(
    properties.flatMap(([property, described]): [string, Facts][] => {
      const given = fieldName(property)
      if (!isInner && isSystemName(given)) return []
      // A part may not be called as what every record has: `customer.id` becomes `customer.ownId`.
      const name = isSystemName(given) ? `own${given.charAt(0).toUpperCase()}${given.slice(1)}` : given
      const own = reader.whole(described)
      const { type, ...facts } = typed(reader, name, own, known, draft, isInner ? path : name)
      const isOpen = own.readOnly !== true
      return [
        [
          name,
          {
            type,
            label: labelOf(name),
            ...(needed.has(property) && isOpen ? { required: true } : {}),
            ...(isOpen ? {} : { readOnly: true }),
            ...facts,
            ...helpOf(own),
            ...(isOpen ? presetOf(own, type) : {}),
          },
        ],
      ]
    }),
  )
  return withoutSummaries(fields, draft, path)
}

const longestHelp = 160

const helpOf = ({ description }: Json): Facts =>
  typeof description === 'string' && description !== '' && description.length <= longestHelp
    ? { help: toTranslate(description) }
    : {}

const presetTypes: Readonly<Record<string, string>> = {
  text: 'string',
  longText: 'string',
  email: 'string',
  url: 'string',
  integer: 'number',
  decimal: 'number',
  quantity: 'number',
  percent: 'number',
  boolean: 'boolean',
}

/** A default that the field may have. */
function presetOf({ default: preset, enum: choices }: Json, type: unknown): Facts {
  const fits = type === 'enum' ? textsOf(choices).includes(String(preset)) : typeof preset === presetTypes[String(type)]
  return fits && preset !== '' ? { default: preset } : {}
}

const fileFormats = new Set(['binary', 'byte', 'base64'])

function textFacts(name: string, schema: Json, known: Known, draft: Draft, field: string): Facts {
  const choices = textsOf(schema.enum)
  if (choices.length > 0) return { type: 'enum', options: choices }
  if (fileFormats.has(String(schema.format)) || schema.contentMediaType !== undefined) return { type: 'file' }
  const least = typeof schema.minLength === 'number' && schema.minLength > 0 ? { minLength: schema.minLength } : {}
  if (schema.writeOnly === true || schema.format === 'password') return { type: 'secret', ...least }
  const target = /^(.+)Id$/.exec(name)?.[1]?.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  if (target && known.has(target)) return { type: 'reference', to: target }
  const format = formats[String(schema.format)]
  if (format) return { type: format }
  if (typeof schema.pattern === 'string')
    draft.doubts.push({ field, text: `It fits ${schema.pattern}: add \`pattern\` with a \`help\` that says it in words.` })
  const most = typeof schema.maxLength === 'number' ? schema.maxLength : undefined
  const isLong = most !== undefined && most > 250
  return { type: isLong ? 'longText' : 'text', ...least, ...(most === undefined ? {} : { maxLength: most }) }
}

const noParts: Readonly<Record<string, string>> = { secret: 'is only written', file: 'is a file' }

/** Properties as parts of a field, without those that only a field of the record can be; rows have no closed parts. */
function asParts(inner: Record<string, Facts>, place: 'group' | 'list', draft: Draft, field: string): Record<string, Facts> {
  return Object.fromEntries(
    Object.entries(inner).flatMap(([name, facts]): [string, Facts][] => {
      const why = noParts[String(facts.type)]
      if (why) draft.doubts.push({ field, text: `"${name}" ${why}: add a field of its own for it.` })
      if (why) return []
      const { readOnly, fields, ...rest } = facts
      const parts = isObject(fields) ? { fields: asParts(fields as Record<string, Facts>, place, draft, field) } : {}
      return [[name, { ...rest, ...parts, ...(readOnly === true && place === 'group' ? { readOnly } : {}) }]]
    }),
  )
}

function arrayFacts(reader: SchemaReader, schema: Json, known: Known, draft: Draft, field: string): Facts {
  const items = reader.whole(schema.items)
  const most = typeof schema.maxItems === 'number' ? { maxItems: schema.maxItems } : {}
  if (typeOf(items) === 'string') {
    const choices = textsOf(items.enum)
    return { type: 'tags', ...(choices.length > 0 ? { options: choices } : {}), ...most }
  }
  const found = typeOf(items) === 'object' ? reader.inside(items, () => fieldsOf(reader, items, known, draft, field)) : {}
  if (!found) return cyclicFacts(draft, field)
  const inner = asParts(found, 'list', draft, field)
  return Object.keys(inner).length > 0 ? { type: 'list', fields: inner, ...most } : unknownFacts(draft, field)
}

function unknownFacts(draft: Draft, field: string): Facts {
  draft.doubts.push({ field, text: 'Its form is not known: a type of its own may suit it better.' })
  return { type: 'json' }
}

/** A recursive schema would have endless parts. */
function cyclicFacts(draft: Draft, field: string): Facts {
  draft.doubts.push({ field, text: 'It holds what it is itself part of: a reference or `references` may suit it better.' })
  return { type: 'json' }
}

function measureFacts(name: string, schema: Json, draft: Draft, field: string): Facts {
  const { enum: choices, multipleOf, type } = schema
  const isWhole = [type].flat().includes('integer')
  if (isWhole && Array.isArray(choices) && choices.length > 0) {
    const numbers = choices.filter((choice) => Number.isInteger(choice))
    return { type: 'integer', options: Object.fromEntries(numbers.map((one) => [one, [String(one), String(one)]])) }
  }
  const digits = /^0?\.(0*1)$/.exec(String(multipleOf))?.[1]?.length
  if (multipleOf !== undefined && digits === undefined && multipleOf !== 1)
    draft.doubts.push({ field, text: `It is a multiple of ${String(multipleOf)}: a rule has to say so.` })
  const facts = numberFacts(name, numbersOf(schema, isWhole, draft, field), isWhole)
  return !isWhole && digits !== undefined ? { ...facts, digits } : facts
}

/** The type of a property with its facts. Parts of a list are not told apart in the doubts. */
function typed(reader: SchemaReader, name: string, schema: Json, known: Known, draft: Draft, field: string): Facts {
  switch (typeOf(schema)) {
    case 'string':
      return textFacts(name, schema, known, draft, field)
    case 'integer':
    case 'number':
      return measureFacts(name, schema, draft, field)
    case 'boolean':
      return { type: 'boolean' }
    case 'array':
      return arrayFacts(reader, schema, known, draft, field)
    case 'object': {
      const found = reader.inside(schema, () => fieldsOf(reader, schema, known, draft, field))
      if (!found) return cyclicFacts(draft, field)
      const inner = asParts(found, 'group', draft, field)
      return Object.keys(inner).length > 0 ? { type: 'group', fields: inner } : unknownFacts(draft, field)
    }
    default:
      return unknownFacts(draft, field)
  }
}

/** A draft of what `openapi.json#/components/schemas/Visit` describes. */
export function draftFromDocument(document: Json, pointer: string, known: Known): Draft {
  const reader = new SchemaReader(document)
  const draft = newDraft()
  const whole = reader.whole(reader.at(pointer))
  draft.fields = reader.inside(whole, () => fieldsOf(reader, whole, known, draft, '')) ?? {}
  return draft
}

export async function draftFromFile(source: string, known: Known): Promise<Draft> {
  const [file = '', pointer = ''] = source.split('#')
  const document: unknown = JSON.parse(await readFile(file, 'utf8'))
  if (!isObject(document)) throw new Error(`${file} is no description of an API`)
  return draftFromDocument(document, pointer, known)
}
