import { allFields, type Definitions, summaryKey, summaryOf } from '#schema/definition.ts'
import { isReference } from '#schema/facts/is-reference.ts'
import type { Field, Fields } from '#schema/field-types.ts'
import { isObject } from '#schema/is-object.ts'
import { type AnyResource, systemFields } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'

const contactTypes: ReadonlySet<string> = new Set(['email', 'phone'])

/** Contact data in an answer: under its own key, in the summaries of a reference, or in parts below a key. */
type Contacts = { own: string[]; summaries: { key: string; names: string[] }[]; below: { key: string; parts: Contacts }[] }

const isEmpty = ({ own, summaries, below }: Contacts) => own.length + summaries.length + below.length === 0

/** Contact data that the summary of a resource tells, where its reads are logged. */
function summaryContacts(target: AnyResource | undefined): string[] {
  if (!target?.logsReads) return []
  const fields = allFields(target)
  return summaryOf(target).filter((name) => contactTypes.has(fields[name]?.type ?? ''))
}

function contactsOf(fields: Fields, definitions: Definitions, hasOwn: boolean): Contacts {
  const found: Contacts = { own: [], summaries: [], below: [] }
  const add: (entry: [string, Field]) => void = ([name, field]) => {
    if (contactTypes.has(field.type) && hasOwn) found.own.push(name)
    if (isReference(field)) {
      const names = summaryContacts(definitions.get(field.to))
      if (names.length > 0) found.summaries.push({ key: summaryKey(name), names })
    }
    if (field.type !== 'group' && field.type !== 'list') return
    const parts = contactsOf(field.fields, definitions, hasOwn)
    if (!isEmpty(parts)) found.below.push({ key: name, parts })
  }
  Object.entries(fields).forEach(add)
  return found
}

function holds({ own, summaries, below }: Contacts, value: unknown, readerId: string): boolean {
  if (Array.isArray(value)) return value.some((item) => holds({ own, summaries, below }, item, readerId))
  if (!isObject(value)) return false
  const at = (key: string): unknown => Reflect.get(value, key)
  const isAmong = (one: unknown, names: readonly string[]) =>
    isObject(one) && Reflect.get(one, 'id') !== readerId && names.some((name) => typeof Reflect.get(one, name) === 'string')
  return (
    own.some((name) => typeof at(name) === 'string') ||
    summaries.some(({ key, names }) => [at(key)].flat().some((one) => isAmong(one, names))) ||
    below.some(({ key, parts }) => holds(parts, at(key), readerId))
  )
}

export type ShownRows = { resource: AnyResource; role: Role; fields: Fields; definitions: Definitions; json: string }

/** By resource, role and names: each request has its own object of fields. */
const known = new WeakMap<Definitions, Map<string, Contacts>>()

/**
 * Contact data that rows of these fields may reveal. Author and last editor are left out: every record has them, and they would
 * fill the log.
 */
function contactsIn({ resource, role, fields, definitions }: Omit<ShownRows, 'json'>): Contacts {
  const all = known.get(definitions) ?? new Map<string, Contacts>()
  known.set(definitions, all)
  const key = [resource.name, role, ...Object.keys(fields)].join(' ')
  const contacts =
    all.get(key) ??
    contactsOf(
      Object.fromEntries(Object.entries(fields).filter(([name]) => !Object.hasOwn(systemFields, name))),
      definitions,
      resource.logsReads === true,
    )
  all.set(key, contacts)
  return contacts
}

/** False where no row of a list can tell contact data. */
export const mayTellContacts = (list: Omit<ShownRows, 'json'>): boolean => !isEmpty(contactsIn(list))

const namesOf = ({ own, summaries, below }: Contacts): string[] => [
  ...own,
  ...summaries.flatMap(({ names }) => names),
  ...below.flatMap(({ parts }) => namesOf(parts)),
]

/** False where no key of contact data has a text: reading the rows costs far more than looking for it. */
const mentions = (contacts: Contacts, json: string): boolean =>
  [...new Set(namesOf(contacts))].some((name) => new RegExp(`"${name}"\\s*:\\s*"`).test(json))

/** True where a row tells an e-mail address or a phone number of anybody but the reader. */
export function tellsContacts(list: ShownRows, readerId: string): boolean {
  const contacts = contactsIn(list)
  return mentions(contacts, list.json) && holds(contacts, JSON.parse(list.json), readerId)
}
