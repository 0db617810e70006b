import { isDeepStrictEqual } from 'node:util'
import { allFields } from '#schema/definition.ts'
import type { Fault } from '#schema/faults.ts'
import type { Fields } from '#schema/field-types.ts'
import { waitsFor } from '#schema/form/presets.ts'
import { startFields } from '#schema/form/start-states.ts'
import { isObject } from '#schema/is-object.ts'
import { writableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import type { Role } from '#schema/roles.ts'
import { topOf } from '#schema/rule.ts'
import { storedTexts } from '#schema/value-schema.ts'
import { distinctFaults, type ShownFault } from '#server/base/problems.ts'
import { familyOf } from '#server/engine/records/catalog.ts'
import { crossFieldFaults } from '#server/engine/records/check-body.ts'
import { ownValue, realChange, type Verb } from '#server/engine/records/form-values.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { rightValues, type Schema, schemasOf, settleForm } from '#server/engine/records/settle-form.ts'
import { showFaults } from '#server/engine/records/show-faults.ts'
import { type Engine, ruleContext } from '#server/engine/records/work.ts'

type Result = { values: Row } | { faults: readonly ShownFault[] }
type Form = { verb: Verb; writable: Fields; whole: Schema; parts: ReadonlyMap<string, Schema> }

/** Creating a schema costs more than checking a hundred rows, and each batch of a file has a checker of its own. */
const forms = new WeakMap<AnyResource, Map<string, Form>>()

function madeForm(resource: AnyResource, verb: Verb, role: Role): Form {
  const own = writableFields(resource, verb, role)
  const writable = verb === 'create' ? startFields(own) : own
  const make = schemasOf[verb]
  const parts = Object.entries(writable).map(([name, field]): [string, Schema] => [name, make({ [name]: field })])
  return { verb, writable, whole: make(writable), parts: new Map(parts) }
}

function formOf(resource: AnyResource, verb: Verb, { caller: { role } }: Work): Form {
  const known = forms.get(resource) ?? new Map<string, Form>()
  forms.set(resource, known)
  const key = `${verb} ${role}`
  const form = known.get(key) ?? madeForm(resource, verb, role)
  known.set(key, form)
  return form
}

/** Validates rows as the API validates bodies: the same schemas, defaults and cross-field rules, with all faults at once. */
export class RowChecker {
  /** Definitions of a new row: the base first. */
  readonly kinds: readonly AnyResource[]
  readonly fields: Fields
  readonly forced: Row
  readonly #resource: AnyResource
  readonly #work: Work
  readonly #empty: Row
  readonly #create: Form
  readonly #edit: Form
  readonly #storedTexts = new Map<string, (text: string) => string>()

  constructor({ catalog }: Engine, resource: AnyResource, work: Work) {
    this.#resource = resource
    this.#work = work
    this.forced = { ...resource.subset?.where }
    this.kinds = familyOf(catalog, resource).filter(({ name, subset }) => !subset || name === resource.name)
    this.fields = Object.assign({}, ...this.kinds.map(allFields))
    this.#empty = Object.fromEntries(Object.keys(this.fields).map((name) => [name, null]))
    this.#create = formOf(resource, 'create', work)
    this.#edit = formOf(resource, 'edit', work)
  }

  /** Values of a new row that the file gives. */
  withoutForced = (values: Row): Row =>
    Object.fromEntries(Object.entries(values).filter(([name]) => !Object.hasOwn(this.forced, name)))

  /** A text of a fixed field as it would be stored, such as a number of a label without its colons. */
  #stored(name: string, value: unknown): unknown {
    if (typeof value !== 'string') return value
    const stored = this.#storedTexts.get(name) ?? storedTexts(this.fields[name])
    this.#storedTexts.set(name, stored)
    return stored(value)
  }

  #check(form: Form, sent: Row, current: Row): Result {
    const { verb, writable, whole, parts } = form
    const result = whole(sent)
    const shape: readonly Fault[] = result.ok ? [] : result.faults
    const faulty = new Set(shape.map(({ path }) => topOf(path)))
    const right = result.ok ? result.value : rightValues(parts, (_, schema) => schema, { sent, faulty })
    const context = ruleContext(this.#work.caller, this.#work.now)
    const settled = settleForm(this.fields, { verb, writable, right, current }, context)
    const more = settled.faults.filter(({ path }) => !faulty.has(topOf(path)) && !waitsFor(this.fields[path], faulty))
    const wrong = new Set([...faulty, ...more.map(({ path }) => topOf(path))])
    const record = { ...this.#empty, ...current, ...settled.values }
    const asked = { verb, resources: this.kinds, writable }
    const across = crossFieldFaults(asked, { record, faulty: wrong, touched: Object.keys(settled.values) }, this.#work)
    const faults = [...showFaults([...shape, ...more], this.fields), ...across]
    const { version: _, ...values } = settled.values
    return faults.length > 0 ? { faults: distinctFaults(faults) } : { values }
  }

  create(sent: Row): Result {
    // A required group reports its missing parts instead of itself.
    const groups = Object.entries(this.#create.writable).filter(([, field]) => field.type === 'group' && field.required)
    const filled = { ...Object.fromEntries(groups.map(([name]) => [name, {}])), ...sent }
    const result = this.#check(this.#create, filled, this.forced)
    return 'values' in result ? { values: { ...result.values, ...this.forced } } : result
  }

  /** Changes of a row to an existing record: empty cells change nothing, and immutable values must match. */
  edit(sent: Row, current: Row): Result {
    const open: Row = {}
    const locked: ShownFault[] = []
    for (const [name, value] of Object.entries(sent)) {
      const before = ownValue(this.fields[name], current[name])
      if (Object.hasOwn(this.#edit.writable, name)) open[name] = isObject(value) ? { ...Object(before), ...value } : value
      else if (!isSame(before, this.#stored(name, value))) locked.push({ path: name, code: 'read-only', params: { key: name } })
    }
    const result = this.#check(this.#edit, open, current)
    const faults = [...showFaults(locked, this.fields), ...('faults' in result ? result.faults : [])]
    if (faults.length > 0 || !('values' in result)) return { faults }
    return { values: realChange(this.#resource.fields, result.values, current) }
  }
}

const isSame = (before: unknown, value: unknown) =>
  typeof before === 'string' && typeof value === 'string'
    ? before.toLowerCase() === value.toLowerCase()
    : isDeepStrictEqual(before, value)
