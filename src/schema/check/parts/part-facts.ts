import type { CommonFacts } from '#schema/facts/field-facts.ts'
import type { FieldType, FieldTypes } from '#schema/field-types.ts'

/** Every fact of every field type. */
export type FactName = keyof CommonFacts | { [T in FieldType]: keyof FieldTypes[T]['facts'] }[FieldType]

/** Parts of a group, and parts of the rows of a list, also in a group of such rows. */
export type PartPlace = 'group' | 'list'

/** `kept`: the fact does in a part what it does in a field of the record. Else: the reason, and what to do instead. */
export type Keeping = 'kept' | { why: string }
type Places = Readonly<Record<PartPlace, Keeping>>

const kept: Places = { group: 'kept', list: 'kept' }
const refused = (why: string): Places => ({ group: { why }, list: { why } })
const refusedInRows = (why: string): Places => ({ group: 'kept', list: { why } })

const isFieldsOnly = (fact: FactName) => refused(`a part of a field has no "${fact}" of its own; drop it`)
const ownResource = 'make the rows a resource of their own that refers to this one, and show them in a related tab'
/** Rows have no identity, and a changed list replaces them all: no former value of a part is known. */
const isListsOnly = (fact: FactName) =>
  refusedInRows(`the rows of a list have no "${fact}" of their own; put it on the list itself, or ${ownResource}`)

/** One row per fact of the language: the places in which an interpreter keeps it. */
export const partFacts: Readonly<Record<FactName, Places>> = {
  label: kept,
  help: kept,
  none: kept,
  required: kept,
  unique: isFieldsOnly('unique'),
  immutable: isListsOnly('immutable'),
  readOnly: isListsOnly('readOnly'),
  derived: refused('a part of a field is stored with it; derive the whole field, or make the part a field of its own'),
  search: isFieldsOnly('search'),
  detailOnly: isFieldsOnly('detailOnly'),
  danger: kept,
  fresh: isListsOnly('fresh'),
  sortOnly: isFieldsOnly('sortOnly'),
  access: isListsOnly('access'),
  when: refused(
    'a part of a field is there whenever the field is; give `when` to the field, or make the part a field of its own',
  ),
  was: kept,
  convert: kept,
  backfill: kept,

  minLength: kept,
  maxLength: kept,
  pattern: kept,
  worded: kept,
  default: kept,
  min: kept,
  max: kept,
  digits: kept,
  options: kept,
  givenBy: isFieldsOnly('givenBy'),
  maxItems: kept,
  bytes: kept,
  unit: kept,
  unitOf: kept,
  unitWas: kept,
  scale: kept,
  currency: kept,
  currencyOf: kept,
  choicesWere: kept,
  labelsWere: kept,
  choicesGone: kept,
  order: refusedInRows('lists are not sorted by the rows that a record holds; drop it'),
  states: kept,
  starts: isFieldsOnly('starts'),
  zone: kept,
  relative: kept,
  seconds: kept,
  to: kept,
  circular: kept,
  groups: kept,
  fills: refused('picking a record fills fields of the form, and no parts; drop it, or make the reference a field of its own'),
  runs: kept,
  valuesOf: kept,
  of: isFieldsOnly('of'),
  by: isFieldsOnly('by'),
  where: isFieldsOnly('where'),
  fields: kept,
  line: kept,
  flow: kept,
  sections: kept,
  divides: refused('the form divides its outlook by a list of the record; make the list a field of its own'),
  bars: kept,
  // Of types that are no parts at all.
  accept: kept,
  maxBytes: kept,
  sent: kept,
}

/** Field types that parts do not keep. `unlessClosed`: where no form writes the part, rules of the server alone set its value. */
export const partTypes: Readonly<Partial<Record<FieldType, { why: string; unlessClosed?: true }>>> = {
  status: {
    why: 'in a part any state may follow any other; take an enum, or make it a field of the record',
    unlessClosed: true,
  },
  count: { why: 'nothing counts for a part; make it a field of the record', unlessClosed: true },
  secret: {
    why: 'a field with parts is shown and saved as a whole, and a secret is never shown; make it a field of the record',
  },
}
