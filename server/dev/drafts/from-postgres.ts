import pg from 'pg'
import {
  type Draft,
  fieldName,
  isSystemName,
  labelOf,
  newDraft,
  numberFacts,
  resourceOfTable,
  toTranslate,
  withoutSummaries,
} from './draft.ts'

type Column = {
  column: string
  type: string
  length: number | null
  scale: number | null
  needed: boolean
  preset: string | null
  target: string | null
  choices: string[] | null
  comment: string | null
}

const columnsQuery = `
  select a.attname as "column", t.typname as "type",
    case when t.typname in ('varchar', 'bpchar') and a.atttypmod > 4 then a.atttypmod - 4 end as "length",
    case when t.typname = 'numeric' and a.atttypmod > 4 then (a.atttypmod - 4) & 65535 end as "scale",
    a.attnotnull as "needed", pg_get_expr(d.adbin, d.adrelid) as "preset",
    (select c.relname from pg_constraint k join pg_class c on c.oid = k.confrelid
      where k.contype = 'f' and k.conrelid = a.attrelid and k.conkey = array[a.attnum] limit 1) as "target",
    (select array_agg(e.enumlabel::text order by e.enumsortorder) from pg_enum e where e.enumtypid = t.oid) as "choices",
    col_description(a.attrelid, a.attnum) as "comment"
  from pg_attribute a join pg_type t on t.oid = a.atttypid
  left join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = $1::regclass and a.attnum > 0 and not a.attisdropped order by a.attnum`

/** Checks of the table with the columns that they read. */
const checksQuery = `
  select pg_get_constraintdef(k.oid) as "text", (select array_agg(a.attname::text) from pg_attribute a
      where a.attrelid = k.conrelid and a.attnum = any(k.conkey)) as "columns"
  from pg_constraint k where k.conrelid = $1::regclass and k.contype = 'c' order by k.conname`

type Check = { text: string; columns: string[] | null }

const uniqueQuery = `
  select (select array_agg(a.attname::text order by a.attnum) from pg_attribute a
      where a.attrelid = i.indrelid and a.attnum = any(i.indkey)) as "columns"
  from pg_index i where i.indrelid = $1::regclass and i.indisunique and not i.indisprimary and i.indpred is null and i.indexprs is null`

const plainTypes: Readonly<Record<string, string>> = {
  bool: 'boolean',
  date: 'date',
  timestamp: 'dateTime',
  timestamptz: 'dateTime',
  json: 'json',
  jsonb: 'json',
  _text: 'tags',
  _varchar: 'tags',
}
const wholeTypes = new Set(['int2', 'int4', 'int8'])
const realTypes = new Set(['numeric', 'float4', 'float8'])
const textTypes = new Set(['text', 'varchar', 'bpchar', 'citext', 'uuid', 'name', 'inet'])

/** Defaults that the database works out and a definition can name, too. */
const workedOut: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  date: { CURRENT_DATE: '$today', 'now()': '$today', '(now())::date': '$today', '(CURRENT_TIMESTAMP)::date': '$today' },
  timestamptz: { 'now()': '$now', CURRENT_TIMESTAMP: '$now' },
  timestamp: { 'now()': '$now', CURRENT_TIMESTAMP: '$now', LOCALTIMESTAMP: '$now' },
}

/** A constant default as a value; undefined for what the database works out. */
function presetOf({ preset, type }: Column): unknown {
  if (preset === null) return undefined
  const named = workedOut[type]?.[preset]
  if (named) return named
  if (type === 'bool') return preset === 'true' ? true : preset === 'false' ? false : undefined
  if (wholeTypes.has(type) || realTypes.has(type)) return /^-?\d{1,15}(\.\d+)?$/.test(preset) ? Number(preset) : undefined
  const text = /^'((?:[^']|'')*)'(?:::[\w" ]+)?$/.exec(preset)?.[1]
  return text === undefined || text === '' || plainTypes[type] ? undefined : text.replaceAll("''", "'")
}

type Facts = Record<string, unknown>

/** Types that the name of a text says. */
const namedTypes: readonly (readonly [RegExp, string])[] = [
  [/^e?mail$|Email$/i, 'email'],
  [/^(tele)?phone$|Phone$/, 'phone'],
]

/** A text without a bound is of one line or of many: its name says which. */
const prose = /(^|[a-z])(notes?|remarks?|descriptions?|comments?|messages?|details|body|bio)$/i

function textFacts(name: string, { type, length }: Column): Facts {
  const named = namedTypes.find(([form]) => form.test(name))?.[1]
  if (named) return { type: named }
  const isLong = length === null ? type === 'text' && prose.test(name) : length > 250
  return { type: isLong ? 'longText' : 'text', ...(length === null ? {} : { maxLength: length }) }
}

function typed(name: string, column: Column, known: ReadonlySet<string>, draft: Draft): Facts {
  const { type, target, choices, scale } = column
  const resource = target && resourceOfTable(target, known)
  if (resource) return { type: 'reference', to: resource }
  if (target) draft.doubts.push({ field: name, text: `It points to "${target}", which is no resource yet.` })
  if (choices) return { type: 'enum', options: choices }
  const plain = plainTypes[type]
  if (plain) return { type: plain }
  if (wholeTypes.has(type)) return numberFacts(name, {}, true)
  if (realTypes.has(type)) return numberFacts(name, scale === null ? {} : { digits: scale }, false)
  if (!textTypes.has(type)) draft.doubts.push({ field: name, text: `The column is ${type}: a text may not suit it.` })
  return textFacts(name, column)
}

/** A draft of a table: `postgres://user:password@host/database/table`, or `schema.table`. */
export async function draftFromTable(address: string, known: ReadonlySet<string>): Promise<Draft> {
  const url = new URL(address)
  const [database = '', table = ''] = url.pathname.split('/').filter(Boolean).map(decodeURIComponent)
  if (!table) throw new Error('Name the table behind the database: postgres://host/database/table')
  url.pathname = `/${database}`
  const client = new pg.Client({ connectionString: url.href })
  await client.connect()
  try {
    const where = [
      table
        .split('.')
        .map((part) => `"${part.replaceAll('"', '""')}"`)
        .join('.'),
    ]
    const { rows: columns } = await client.query<Column>(columnsQuery, where)
    const { rows: checks } = await client.query<Check>(checksQuery, where)
    const { rows: indexes } = await client.query<{ columns: string[] }>(uniqueQuery, where)
    return draftOf(
      columns,
      indexes.map((index) => index.columns.map(fieldName)),
      checks,
      known,
    )
  } finally {
    await client.end()
  }
}

const listed = /^CHECK \(\((?:\()?"?\w+"?(?:\)::text)? = ANY \((?:\()?ARRAY\[(.+?)\](?:\)::text\[\])?\)\)\)$/

/** Choices of a check like `state in ('OPEN', 'DONE')`. */
const choicesIn = (text: string): string[] =>
  [...(listed.exec(text)?.[1] ?? '').matchAll(/'((?:[^']|'')*)'(?:::[\w ]+)?/g)].map(([, choice = '']) =>
    choice.replaceAll("''", "'"),
  )

const both = /^CHECK \(\(\("?(\w+)"? >= (\(?'?-?[\d.]+'?\)?)(?:::\w+)?\) AND \("?\1"? <= (\(?'?-?[\d.]+'?\)?)(?:::\w+)?\)\)\)$/
const numberIn = (text: string | undefined) => Number(text?.replace(/[()']/g, ''))

/** Bounds of a check like `price >= 0` or `quantity between 1 and 100`. */
function boundIn(text: string): Facts {
  const [, name, min, max] = both.exec(text) ?? []
  if (name !== undefined) return { min: numberIn(min), max: numberIn(max) }
  const [, operator, number] =
    /^CHECK \(\((?:\()?"?\w+"?(?:\)::\w+)? (>=|<=) \(?'?(-?\d+(?:\.\d+)?)'?\)?(?:::\w+)?\)\)$/.exec(text) ?? []
  return operator === undefined ? {} : { [operator === '>=' ? 'min' : 'max']: Number(number) }
}

const bounded = new Set(['integer', 'decimal', 'quantity', 'percent'])

/** Takes what a definition can say of a check into the fields; the rest is left to a person. */
function takeCheck(draft: Draft, { text, columns }: Check): void {
  const [name = '', ...others] = (columns ?? []).map(fieldName)
  const field = draft.fields[name]
  const choices = choicesIn(text)
  const bound = boundIn(text)
  if (field?.type === 'text' && others.length === 0 && choices.length > 0 && choices.every((choice) => /^\w+$/.test(choice))) {
    const { type: _, maxLength: __, ...rest } = field
    draft.fields[name] = { ...rest, type: 'enum', options: choices }
  } else if (field && others.length === 0 && bounded.has(String(field.type)) && Object.keys(bound).length > 0)
    Object.assign(field, bound)
  else draft.doubts.push({ field: name, text: `The table checks ${text.replace(/^CHECK /, '')}: say so in \`rules\`.` })
}

function draftOf(
  columns: readonly Column[],
  unique: readonly string[][],
  checks: readonly Check[],
  known: ReadonlySet<string>,
): Draft {
  const draft = newDraft()
  for (const column of columns) {
    const name = fieldName(column.column)
    if (isSystemName(name)) continue
    const { type, ...facts } = typed(name, column, known, draft)
    const preset = presetOf(column)
    const isPreset = preset !== undefined && type !== 'reference'
    draft.fields[name] = {
      type,
      label: labelOf(name),
      ...(column.comment ? { help: toTranslate(column.comment) } : {}),
      // A column that the database fills by itself is not asked for.
      ...(column.needed && (isPreset || column.preset === null) ? { required: true } : {}),
      ...(unique.some((set) => set.length === 1 && set[0] === name) ? { unique: true } : {}),
      ...facts,
      ...(isPreset ? { default: preset } : {}),
    }
  }
  draft.fields = withoutSummaries(draft.fields, draft)
  for (const check of checks) takeCheck(draft, check)
  draft.unique = unique
    .filter((set) => set.length > 1 && set.every((name) => Object.hasOwn(draft.fields, name)))
    .map((set) => [...set])
  return draft
}
