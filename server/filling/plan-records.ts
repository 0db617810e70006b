import { setImmediate as turn } from 'node:timers/promises'
import { baseOf, titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { storedTexts } from '#schema/value-schema.ts'
import { filled, type Label } from '#schema/words.ts'
import { invalid, type ShownFault } from '#server/base/problems.ts'
import { rulesOf } from '#server/engine/records/catalog.ts'
import { cyclesAmong } from '#server/engine/records/reference-cycles.ts'
import { type ChoiceCache, choiceFaults } from '#server/engine/records/references.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { refuseClosed } from '#server/engine/records/row-access.ts'
import { showFaults } from '#server/engine/records/show-faults.ts'
import { kindsOf, prepareChange, refuseTransitions } from '#server/engine/records/update-record.ts'
import { ruleContext } from '#server/engine/records/work.ts'
import { tableFields } from '#server/engine/records/writer.ts'
import { applyRecords } from './apply-records.ts'
import { namedRecords, recordsById, takenValues, textAt } from './existing-records.ts'
import { fault, inWords, type Outcome, type Plan, type Planning, plainFault, refusalOf } from './outcome.ts'
import { RowChecker } from './row-checker.ts'
import { put, type SourceRow } from './source-rows.ts'
import { withoutDuplicates } from './unique-sets.ts'

const ragged: Label = ['This row has more or fewer cells than the header', 'В строке другое число ячеек, чем в заголовке']
const twice = (row: number): Label => filled(['Row {row} has the same value', 'Такое же значение в строке {row}'], { row })
const isTaken: Label = ['This value is already taken', 'Такое значение уже занято']

/** Unique fields, each with the stored form of its texts. */
type Keys = ReadonlyMap<string, (text: string) => string>

const keysOf = ({ fields }: AnyResource): Keys =>
  new Map(Object.entries(fields).flatMap(([name, field]) => (field.unique ? [[name, storedTexts(field)] as const] : [])))

/** References in a cell. */
const namesAt = (values: Row, path: string): string[] =>
  [valueAt(values, path)].flat().flatMap((name) => (typeof name === 'string' ? [name] : []))

/** Resolves references to ids; a fault for each unknown one. */
async function resolveReferences({ table, engine, work }: Planning): Promise<Map<number, ShownFault[]>> {
  const faults = new Map<number, ShownFault[]>()
  for (const { path, field } of table.columns) {
    if (field.type !== 'reference' && field.type !== 'references') continue
    const names = table.rows.flatMap(({ values }) => namesAt(values, path))
    const found = await namedRecords({ engine, work, to: field.to, names })
    for (const { row, values } of table.rows) {
      const asked = namesAt(values, path)
      const ids = asked.flatMap((name) => found.get(name) ?? [])
      const lost = asked.find((name) => found.get(name) === undefined)
      if (ids.length > 0) put(values, path, field.type === 'references' ? ids : ids[0])
      if (lost === undefined) continue
      const code = found.has(lost) ? 'several-such-records' : 'no-such-record'
      faults.set(row, [...(faults.get(row) ?? []), { ...plainFault(path, code), label: field.label }])
    }
  }
  return faults
}

type Taken = ReadonlyMap<string, ReadonlyMap<string, string>>

/** Unique values of the file that already exist, with their record ids. */
async function whatIsTaken({ table, engine, work }: Planning, resource: AnyResource, keys: Keys): Promise<Taken> {
  const taken = new Map<string, ReadonlyMap<string, string>>()
  for (const [field, stored] of keys) {
    const values = table.rows.flatMap((source) => {
      const text = textAt(source.values, field)
      return text === undefined ? [] : [stored(text)]
    })
    taken.set(field, await takenValues({ engine, work, resource, field, values }))
  }
  return taken
}

/** Detects duplicates of unique values, within the file and against existing records. */
class Uniqueness {
  readonly #seen = new Map<string, number>()
  readonly #resource: AnyResource
  readonly #keys: Keys
  readonly #taken: Taken

  constructor(resource: AnyResource, keys: Keys, taken: Taken) {
    this.#resource = resource
    this.#keys = keys
    this.#taken = taken
  }

  faults({ row, values }: SourceRow, ownId: unknown): ShownFault[] {
    return [...this.#keys].flatMap(([name, stored]) => {
      const text = textAt(values, name)
      if (text === undefined) return []
      const value = stored(text)
      const holder = this.#taken.get(name)?.get(value)
      const first = this.#seen.get(`${name} ${value}`)
      const label = this.#resource.fields[name]?.label
      if (first === undefined) this.#seen.set(`${name} ${value}`, row)
      if (first !== undefined) return [{ ...fault(name, 'duplicate', twice(first)), ...(label ? { label } : {}) }]
      return holder && holder !== ownId ? [{ ...fault(name, 'duplicate', isTaken), ...(label ? { label } : {}) }] : []
    })
  }
}

/** The row as modified by a rule, or the rule's refusal. */
async function ruled<T>(work: Work, row: number, task: () => Promise<T>): Promise<{ done: T } | (Outcome & { kind: 'bad' })> {
  try {
    return { done: await task() }
  } catch (error) {
    return { row, kind: 'bad', faults: refusalOf(error, work.language) }
  }
}

/** Rows between two turns of the event loop: checks await nothing, and other requests would stand still for the whole file. */
const rowsAtOnce = 20

class RecordPlanner {
  readonly #planning: Planning
  readonly #resource: AnyResource
  readonly #checker: RowChecker
  readonly #choices: ChoiceCache = new Map()

  constructor(planning: Planning, resource: AnyResource) {
    this.#planning = planning
    this.#resource = resource
    this.#checker = new RowChecker(planning.engine, resource, planning.work)
  }

  /** Checks choices that depend on other values of the row. */
  async #refuseUnoffered(values: Row, current: Row): Promise<void> {
    const { engine, work } = this.#planning
    const { fields } = this.#resource
    const asked = { fields, record: { ...current, ...values }, changed: new Set(Object.keys(values)) }
    const faults = await choiceFaults(engine.catalog, asked, work, this.#choices)
    if (faults.length > 0) throw invalid(showFaults(faults, fields))
  }

  async #create({ row, values }: SourceRow, more: readonly ShownFault[]): Promise<Outcome> {
    const { engine, work } = this.#planning
    const result = this.#checker.create(values)
    const faults = [...more, ...('faults' in result ? result.faults : [])]
    if (faults.length > 0 || !('values' in result)) return { row, kind: 'bad', faults: inWords(faults, work.language) }
    const asked = await ruled(work, row, async () => {
      let next = result.values
      await this.#refuseUnoffered(next, {})
      for (const { beforeCreate } of rulesOf(engine.catalog, this.#checker.kinds))
        next = (await beforeCreate?.(next, work)) ?? next
      return next
    })
    return 'done' in asked ? { row, kind: 'create', values: asked.done } : asked
  }

  async #edit({ row, values }: SourceRow, record: Row, more: readonly ShownFault[]): Promise<Outcome> {
    const { engine, work } = this.#planning
    const { catalog } = engine
    const result = this.#checker.edit(values, record)
    const faults = [...more, ...('faults' in result ? result.faults : [])]
    if (faults.length > 0 || !('values' in result)) return { row, kind: 'bad', faults: inWords(faults, work.language) }
    if (Object.keys(result.values).length === 0) return { row, kind: 'skip', id: String(record.id) }
    const asked = await ruled(work, row, async () => {
      await this.#refuseUnoffered(result.values, record)
      refuseTransitions(tableFields(catalog, this.#resource), result.values, record)
      const kinds = kindsOf(catalog, this.#resource, record)
      const change = await prepareChange(catalog, { kinds, change: result.values, record }, work)
      const context = ruleContext(work.caller, work.now)
      refuseClosed([this.#resource], { verb: 'edit', record, context })
      return change
    })
    return 'done' in asked ? { row, kind: 'update', record, change: asked.done } : asked
  }

  /** Rows that are valid on their own may form a cycle together. */
  async #withoutCycles(outcomes: readonly Outcome[]): Promise<Outcome[]> {
    const { engine, work } = this.#planning
    const { fields } = this.#resource
    const changes = outcomes.flatMap((one) => (one.kind === 'update' ? [{ id: one.record.id, values: one.change }] : []))
    const cycles = await cyclesAmong(engine.catalog, this.#resource, { fields, changes }, work)
    return outcomes.map((outcome): Outcome => {
      const faults = outcome.kind === 'update' && cycles.get(String(outcome.record.id))
      return faults ? { row: outcome.row, kind: 'bad', faults: inWords(showFaults(faults, fields), work.language) } : outcome
    })
  }

  async outcomes(): Promise<Outcome[]> {
    const { table, update } = this.#planning
    const key = titleOf(this.#resource)
    const lost = await resolveReferences(this.#planning)
    const keys = keysOf(this.#resource)
    const stored = storedTexts(this.#resource.fields[key])
    const taken = await whatIsTaken(this.#planning, this.#resource, keys)
    const ids = taken.get(key) ?? new Map<string, string>()
    const existing = await recordsById(this.#planning, this.#resource, [...ids.values()])
    const uniqueness = new Uniqueness(this.#resource, keys, taken)
    const outcomes: Outcome[] = []
    for (const [index, source] of table.rows.entries()) {
      if (index % rowsAtOnce === rowsAtOnce - 1) await turn()
      const name = textAt(source.values, key)
      const id = name === undefined ? undefined : ids.get(stored(name))
      const record = id === undefined ? undefined : existing.get(id)
      const isOurs = record && Object.entries(this.#checker.forced).every(([field, value]) => valueAt(record, field) === value)
      const more = [
        ...(source.isRagged ? [fault('', 'rule', ragged)] : []),
        ...(lost.get(source.row) ?? []),
        ...uniqueness.faults(source, isOurs ? record.id : undefined),
      ]
      if (!isOurs) outcomes.push(await this.#create(source, more))
      else if (update || more.length > 0) outcomes.push(await this.#edit(source, record, more))
      else outcomes.push({ row: source.row, kind: 'skip', id: String(record.id) })
    }
    return withoutDuplicates(this.#planning, this.#resource, await this.#withoutCycles(outcomes))
  }
}

/** Plans a file's rows as records: new ones are created, existing ones skipped, or changed on request. */
export const planRecords =
  (name: string) =>
  async (planning: Planning): Promise<Plan> => {
    const resource = planning.engine.catalog.definitions.get(name)
    if (!resource) throw new Error(`There is no resource ${name} to import`)
    const outcomes = await new RecordPlanner(planning, resource).outcomes()
    const creates = outcomes.filter(({ kind }) => kind === 'create').length
    const isInvited = baseOf(resource) === 'user'
    return { outcomes, letters: isInvited ? creates : 0, apply: () => applyRecords(planning, resource, outcomes) }
  }
