import { allFields, type Definitions, pathOf, rolesFor, titleOf } from './definition.ts'
import { type Field, type Fields, isSentAlone, traitsOf } from './field-types.ts'
import { writableFields } from './record-schema.ts'
import type { AnyResource } from './resource.ts'
import type { Role } from './roles.ts'
import { composed, LANGUAGES, type Label, say } from './words.ts'

/** Import target that attaches boards to systems; not a resource. */
export const pairing = 'pairing'
/** Import order of a new fleet; other targets follow. */
const first = ['ess', 'control-pcb', 'client', pairing]

/** Targets whose import can create device keys as well. */
export const keyedTargets: ReadonlySet<string> = new Set(['control-pcb'])

/** A CSV column: its field, and a label with the enclosing groups. */
export type ImportColumn = { path: string; field: Field; label: Label; required: boolean }

export const pairingLabel: Label = ['Boards of systems', 'Платы систем']

/** A pairing names a board and its system by their codes. */
export const pairingFields = {
  controlPcb: { type: 'text', label: ['Control PCB', 'Плата управления'], required: true, maxLength: 64 },
  ess: { type: 'text', label: ['ESS', 'СНЭ'], required: true, maxLength: 64 },
  role: {
    type: 'enum',
    label: ['Role', 'Роль'],
    default: 'MAIN',
    options: { MAIN: ['Main', 'Главная'], MODULE: ['Module', 'Модуль'] },
  },
  reason: { type: 'text', label: ['Reason', 'Причина'], maxLength: 250 },
} as const satisfies Fields

const joined = (outer: Label, inner: Label): Label =>
  composed((language) => `${say(outer, language)} / ${say(inner, language)}`)

/** Fields as columns; a group becomes one column per part: `location.timezone`. */
export function columnsOf(fields: Fields, prefix = '', outer?: Label, isNeeded = true): ImportColumn[] {
  return Object.entries(fields).flatMap(([name, field]): ImportColumn[] => {
    const path = `${prefix}${name}`
    const label = outer ? joined(outer, field.label) : field.label
    const required = isNeeded && field.required === true && !('default' in field) && !field.when
    if (field.type === 'group') return columnsOf(field.fields, `${path}.`, label, required)
    return traitsOf(field).imported ? [{ path, field, label, required }] : []
  })
}

/** True for a required field that no cell can hold. */
const isBeyondCells = (field: Field): boolean =>
  field.required === true &&
  !('default' in field) &&
  !field.when &&
  (field.type === 'group' ? Object.values(field.fields).some(isBeyondCells) : !traitsOf(field).imported)

/** Roles that may import. */
export const importers: readonly Role[] = ['admin']

/** True when a role may import records of the resource. */
export function isImported(resource: AnyResource, role: Role): boolean {
  if (!importers.includes(role)) return false
  if (resource.import === false || pathOf(resource, 'create') === undefined) return false
  if (!rolesFor(resource, 'create').includes(role)) return false
  const fields = Object.values(writableFields(resource, 'create', role))
  return !fields.some((field) => isBeyondCells(field) || isSentAlone(field))
}

/** The resource whose permission a target needs: a pairing changes boards. */
export const importedBy = (target: string): string => (target === pairing ? 'control-pcb' : target)

/** Import targets of a role: resources and pairings. */
export function importTargets(definitions: Definitions, role: Role): string[] {
  const names = [...definitions.values()].filter((resource) => isImported(resource, role)).map(({ name }) => name)
  const known = first.filter((name) => names.includes(importedBy(name)))
  return [...known, ...names.filter((name) => !first.includes(name))]
}

/** Columns that a role may fill. */
export function importColumns(definitions: Definitions, target: string, role: Role): ImportColumn[] {
  if (target === pairing) return columnsOf(pairingFields)
  const resource = definitions.get(target)
  return resource ? columnsOf(writableFields(resource, 'create', role)) : []
}

/**
 * Sets of these columns that tell a record from all others, best first: a unique title, another unique field, fields that are unique
 * together. A row of a file finds its record by the first set that the file fills.
 */
export function importKeys(resource: AnyResource, columns: readonly ImportColumn[]): ImportColumn[][] {
  const title = titleOf(resource)
  const names = Object.entries(resource.fields).flatMap(([name, field]) => (field.unique ? [name] : []))
  const single = names.toSorted((one, other) => Number(other === title) - Number(one === title)).map((name) => [name])
  const byPath = new Map(columns.map((column) => [column.path, column]))
  return [...single, ...(resource.unique ?? [])].flatMap((set) => {
    const found = set.flatMap((path) => byPath.get(path) ?? [])
    return found.length === set.length ? [found] : []
  })
}

/** `Code; Region + Number` */
export const keysLabel = (keys: readonly (readonly ImportColumn[])[]): Label =>
  composed((language) => keys.map((set) => set.map(({ label }) => say(label, language)).join(' + ')).join('; '))

/** Punctuation is ignored: `Rated energy` and `rated_energy` match. */
const bare = (text: string) => text.toLowerCase().replace(/[^\p{L}\p{M}\p{N}]+/gu, '')
/** `Rated energy, Wh` without the unit after its last comma. */
const plain = (text: string) => bare(text.replace(/,[^,]*$/, ''))

/** The texts of a label in every language in which an export may have been written. */
export const textsOf = (label: Label): string[] => [...new Set(LANGUAGES.map(({ code }) => say(label, code)))]

const namesOf = ({ path, label, field }: ImportColumn): string[] => {
  const texts = textsOf(label)
  const grouped = texts.map((text) => text.replace(' / ', ': '))
  const names = [path, path.split('.').at(-1) ?? '', ...texts, ...textsOf(field.label), ...grouped]
  // A label may have a comma of its own, to which an export adds a unit.
  return names.flatMap((name) => [plain(name), bare(name)])
}

/** All fields as columns, with the parts of groups. */
const everyColumn = (fields: Fields, prefix = '', outer?: Label): ImportColumn[] =>
  Object.entries(fields).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const label = outer ? joined(outer, field.label) : field.label
    const parts = field.type === 'group' ? everyColumn(field.fields, `${path}.`, label) : []
    return [{ path, field, label, required: false }, ...parts]
  })

/** True for a header of an exported field that an import cannot set: derived, or set by the system or an action. */
export function isOnlyShown(definitions: Definitions, target: string, head: string): boolean {
  const resource = definitions.get(target)
  const name = plain(head)
  return !!resource && name !== '' && everyColumn(allFields(resource)).some((column) => namesOf(column).includes(name))
}

/**
 * Maps headers to columns by name or label in any language; undefined for an unknown one. Exact names win over partial ones,
 * and each column is used once.
 */
export function guessColumns(columns: readonly ImportColumn[], heads: readonly string[]): (string | undefined)[] {
  const taken = new Set<string>()
  const found: (string | undefined)[] = heads.map((head) => {
    const exact = columns.find(({ path }) => path.toLowerCase() === head.trim().toLowerCase() && !taken.has(path))
    if (exact) taken.add(exact.path)
    return exact?.path
  })
  return heads.map((head, index) => {
    const known = found[index]
    if (known) return known
    const name = plain(head)
    const fitting = columns.find((column) => name !== '' && !taken.has(column.path) && namesOf(column).includes(name))
    if (fitting) taken.add(fitting.path)
    return fitting?.path
  })
}
