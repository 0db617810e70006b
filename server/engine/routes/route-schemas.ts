import { z } from 'zod'
import {
  allFields,
  type Definitions,
  fieldOf,
  isSetKey,
  isSummaryEmbedded,
  isWritable,
  listOf,
  summaryKey,
} from '#schema/definition.ts'
import { choicesOf, hasChoices } from '#schema/facts/choices.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import { constantsOf } from '#schema/facts/shared-calls.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { startFields } from '#schema/form/start-states.ts'
import { type FilterOp, maxRows, operatorsOf } from '#schema/list-query.ts'
import { actionSchema, answerSchema, createSchema, editSchema } from '#schema/record-schema.ts'
import { type Action, type AnyResource, systemFields } from '#schema/resource.ts'
import { say } from '#schema/words.ts'
import { kindAt } from '#server/engine/sql/field-sql.ts'

/** Body of every answer with a status of 400 or more. */
export const problemSchema = z
  .object({
    statusCode: z.int(),
    error: z.string(),
    message: z.union([z.string(), z.array(z.string())]),
    code: z.string(),
    fields: z.record(z.string(), z.string()).optional(),
    current: z.record(z.string(), z.unknown()).optional(),
    allowed: z.array(z.string()).optional(),
    requestId: z.string(),
  })
  .meta({ description: 'Any refusal: `code` is stable, `message` is fit to show a person' })

/** Names of shared schemas in the API description. */
export const schemaNames = new WeakMap<z.ZodType, string>([[problemSchema, 'Problem']])

export const idParams = z.object({ id: z.string().min(1).max(64) })

const meaning: Record<FilterOp, string> = {
  eq: 'equals; repeated: any of',
  ne: 'differs; repeated: none of',
  gte: 'at least',
  lte: 'at most',
  like: 'contains, upper and lower case alike',
  null: 'true: empty, false: filled',
}

function filterValue(field: Field, path: string): z.ZodType {
  if (hasChoices(field)) return z.enum(choicesOf(field))
  const kind = kindAt(field, path)
  return kind === 'number' || kind === 'exact' ? z.number() : kind === 'boolean' ? z.boolean() : z.string().min(1).max(250)
}

function filtersOf(path: string, field: Field): [string, z.ZodType][] {
  if (field.sortOnly) return []
  const inner = field.type === 'group' ? Object.entries(field.fields) : []
  const own = operatorsOf(field).map((op): [string, z.ZodType] => {
    const value = op === 'null' ? z.boolean() : filterValue(field, path)
    const many = op === 'eq' || op === 'ne' ? z.array(value) : value
    return [
      op === 'eq' ? path : `${path}_${op}`,
      many.optional().meta({ description: `${say(field.label, 'en')}: ${meaning[op]}` }),
    ]
  })
  return [...own, ...inner.flatMap(([key, part]) => filtersOf(`${path}.${key}`, part))]
}

function usualOrder(resource: AnyResource): string {
  const { field, order } = listOf(resource).sort
  const { sortOnly, help } = fieldOf(resource, field) ?? {}
  return sortOnly && help ? `\`${field}\` (${say(help, 'en')})` : `\`${field}\`, ${order}`
}

const filterShapes = new WeakMap<AnyResource, z.ZodRawShape>()

/** Memoized: the list, its export and every list by relation take the same filters, a hundred schemas of a large definition. */
function filterShape(resource: AnyResource): z.ZodRawShape {
  const known = filterShapes.get(resource)
  if (known) return known
  const shape = Object.fromEntries(Object.entries(allFields(resource)).flatMap(([name, field]) => filtersOf(name, field)))
  filterShapes.set(resource, shape)
  return shape
}

/** Query parameters of a list: window, sort, search, and one per field and operator. */
export function listQuerySchema(resource: AnyResource): z.ZodObject {
  return z.object({
    _start: z.int().min(0).default(0).meta({ description: 'First row' }),
    _end: z
      .int()
      .min(1)
      .default(20)
      .meta({ description: `Row after the last one, at most ${maxRows} further on` }),
    _sort: z
      .string()
      .optional()
      .meta({
        description: `Field to sort by; several with commas. The id is always the last one. Without it: ${usualOrder(resource)}`,
      }),
    _order: z.string().optional().meta({ description: '`asc` or `desc` for each field of `_sort`' }),
    q: z.string().max(250).optional(),
    ...filterShape(resource),
  })
}

const merged = <T>(resources: readonly AnyResource[], pick: (fields: Fields) => Record<string, T>): Record<string, T> =>
  Object.assign({}, ...resources.map((resource) => pick(resource.fields)))

const writable = (verb: 'create' | 'edit') => (fields: Fields) => {
  const open = Object.fromEntries(Object.entries(fields).filter(([, field]) => isWritable(field, verb)))
  return verb === 'create' ? startFields(open) : open
}

/** Body of a create; when several definitions share the path, a field is required only if each of them requires it. */
export function createBody(resources: readonly AnyResource[]): z.ZodObject {
  const whole = createSchema(merged(resources, writable('create')))
  const shapes = resources.map(({ fields }): z.ZodRawShape => createSchema(writable('create')(fields)).shape)
  const isOptional = (key: string) => shapes.some(({ [key]: field }) => !field || z.safeParse(field, undefined).success)
  const optional = Object.keys(whole.shape).filter(isOptional)
  return whole.partial(Object.fromEntries(optional.map((key) => [key, true])))
}

export const editBody = (resources: readonly AnyResource[]): z.ZodObject => editSchema(merged(resources, writable('edit')))

/** Answer schema of a field: parts of a group are optional, and summaries are embedded, also in rows. */
function answered(field: Field): Field {
  if (field.type !== 'group' && field.type !== 'list') return field
  const parts = Object.entries(field.fields).flatMap(([key, part]): [string, Field][] => {
    const { required: _, ...open } = part
    const own: [string, Field] = [key, answered(field.type === 'group' ? open : part)]
    const hasSummary = isReference(part) && isSummaryEmbedded(field.fields, key)
    return hasSummary ? [own, [summaryKey(key), { type: 'json', label: part.label }]] : [own]
  })
  return { ...field, fields: Object.fromEntries(parts) }
}

const readable = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) =>
      field.type === 'secret' || field.sortOnly ? [] : [[name, answered(field)]],
    ),
  )

/** Records that references point to, as they are embedded beside their ids: the fields of their `summary`. */
const summary = z.looseObject({ id: z.string().optional() })
const summaries = (fields: Fields): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, field]) => {
      if (!isReference(field)) return []
      return [[summaryKey(name), (field.type === 'references' ? z.array(summary) : summary).nullish()]]
    }),
  )

const secretStates = (fields: Fields): Record<string, z.ZodType> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { type }]) => (type === 'secret' ? [[isSetKey(name), z.boolean().optional()]] : [])),
  )

const pascal = (name: string) => name.replace(/(^|-)(\w)/g, (_, _dash, letter: string) => letter.toUpperCase())
const answers = new WeakMap<AnyResource, Map<string, z.ZodType>>()

/** A record in an answer: fields of every definition that shares the path, except those the role may not read. */
export function recordAnswer(resources: readonly AnyResource[]): z.ZodType {
  const [first] = resources
  const name = resources.map((resource) => pascal(resource.name)).join('Or')
  const known = first && answers.get(first)?.get(name)
  if (!first || known) return known ?? z.looseObject({})
  const schema = answerSchema({ ...systemFields, ...merged(resources, readable) }).extend({
    ...merged(resources, summaries),
    ...merged(resources, secretStates),
    id: z.string(),
    version: z.int().min(1),
  })
  schemaNames.set(schema, name)
  answers.set(first, (answers.get(first) ?? new Map<string, z.ZodType>()).set(name, schema))
  return schema
}

export const listAnswer = (resource: AnyResource): z.ZodType => z.array(recordAnswer([resource]))

/** OpenAPI schema of a resource's list, for routes of the rules. */
export function listSchema(definitions: Definitions, name: string) {
  const resource = definitions.get(name)
  if (!resource) throw new Error(`no resource is called ${name}`)
  return { querystring: listQuerySchema(resource), response: { 200: listAnswer(resource) } }
}

const people: z.ZodType = z.array(z.looseObject({ id: z.string(), email: z.string(), name: z.string().nullable() }))

/** A list of people to pick from: no more of each than who it is. */
export const peopleSchema = (definitions: Definitions) => ({
  querystring: listSchema(definitions, 'user').querystring,
  response: { 200: people },
})

/** The narrowing of such a list; a name is searched by its parts. */
export const peopleFields = { fields: ['email', 'name'], searched: ['firstName', 'lastName'] } as const

export function shownAnswer(definitions: Definitions, name: string): z.ZodType {
  const resource = definitions.get(name)
  if (!resource) throw new Error(`no resource is called ${name}`)
  return recordAnswer([resource])
}

/** Constants tell the actions of a shared call apart, so a request names them. */
const withConstants = (action: Action): z.ZodObject =>
  actionSchema(action).extend(
    Object.fromEntries(Object.entries(constantsOf(action)).map(([name, value]) => [name, z.literal(value)])),
  )

const withRequired = ({ form = {}, ...action }: Action, name: string): Action => {
  const field = form[name]
  if (!field) throw new Error(`no input of the form is called ${name}`)
  return { ...action, form: { ...form, [name]: { ...field, required: true } } }
}

type DescribedAction = { action: Action; oneOf?: readonly string[] | undefined }

/** Body of a call shared by one or several actions; with `oneOf`, a branch for each input of which a request has one. */
export function actionBody(actions: readonly DescribedAction[]): z.ZodType {
  const schemaOf = actions.length > 1 ? withConstants : actionSchema
  const [first, ...others] = actions
    .flatMap(({ action, oneOf }) => oneOf?.map((name) => withRequired(action, name)) ?? [action])
    .map(schemaOf)
  if (!first) return z.strictObject({})
  return others.length === 0 ? first : z.union([first, ...others])
}
