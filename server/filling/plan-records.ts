import { setImmediate as turn } from 'node:timers/promises'
import { baseOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { valueAt } from '#schema/rule.ts'
import { invalid, type ShownFault } from '#server/base/problems.ts'
import { rulesOf } from '#server/engine/records/catalog.ts'
import { cyclesAmong } from '#server/engine/records/references/reference-cycles.ts'
import { type ChoiceCache, choiceFaults } from '#server/engine/records/references/references.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { inScope, refuseClosed } from '#server/engine/records/row-access.ts'
import { showFaults } from '#server/engine/records/show-faults.ts'
import { kindsOf, prepareChange, refuseChoices, refuseTransitions } from '#server/engine/records/update-record.ts'
import { ruleContext } from '#server/engine/records/work.ts'
import { tableFields } from '#server/engine/records/writer.ts'
import { refuseOutside } from './access/row-scope.ts'
import { applyRecords } from './apply-records.ts'
import { recordsById } from './existing-records.ts'
import { fault, inWords, type Outcome, type Plan, type Planning, ragged, refusalOf } from './outcome.ts'
import { resolveReferences, withoutOrphans } from './resolve-references.ts'
import { RowChecker } from './row-checker.ts'
import type { SourceRow } from './source-rows.ts'
import { type Freed, freedAmong, refuseLargeExchange, withoutUnfreed } from './unique/freed-values.ts'
import { knownRecords } from './unique/known-records.ts'
import { keysOf, Uniqueness, whatIsTaken } from './unique/unique-fields.ts'
import { withoutDuplicates } from './unique/unique-sets.ts'

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

  async #create({ row, values, id }: SourceRow, more: readonly ShownFault[]): Promise<Outcome> {
    const { engine, work } = this.#planning
    const result = this.#checker.create(values)
    const faults = [...more, ...('faults' in result ? result.faults : [])]
    if (faults.length > 0 || !('values' in result)) return { row, kind: 'bad', faults: inWords(faults, work.language) }
    const asked = await ruled(work, row, async () => {
      let next = result.values
      await this.#refuseUnoffered(next, {})
      for (const { beforeCreate } of rulesOf(engine.catalog, this.#checker.kinds))
        next = (await beforeCreate?.(next, work)) ?? next
      refuseOutside(this.#checker.kinds, next, work)
      refuseChoices(this.#checker.fields, this.#checker.withoutForced(result.values), work)
      return next
    })
    return 'done' in asked ? { row, kind: 'create', id, values: asked.done } : asked
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
      refuseChoices(this.#checker.fields, result.values, work)
      return change
    })
    return 'done' in asked ? { row, kind: 'update', record, change: asked.done } : asked
  }

  /** Rows that are valid on their own may form a cycle together. */
  async #withoutCycles(outcomes: readonly Outcome[], hasOwn: boolean): Promise<Outcome[]> {
    const { engine, work } = this.#planning
    const { fields } = this.#resource
    const changes = outcomes.flatMap((one) => {
      if (one.kind === 'create' && hasOwn) return [{ id: one.id, values: one.values }]
      return one.kind === 'update' ? [{ id: one.record.id, values: one.change }] : []
    })
    const cycles = await cyclesAmong(engine.catalog, this.#resource, { fields, changes }, work)
    return outcomes.map((outcome): Outcome => {
      const id = outcome.kind === 'update' ? outcome.record.id : outcome.kind === 'create' ? outcome.id : undefined
      const faults = cycles.get(String(id))
      return faults ? { row: outcome.row, kind: 'bad', faults: inWords(showFaults(faults, fields), work.language) } : outcome
    })
  }

  async outcomes(): Promise<{ outcomes: Outcome[]; freed: Freed[] }> {
    const { table, update, work } = this.#planning
    const { faults: lost, above } = await resolveReferences(this.#planning, this.#resource)
    const keys = keysOf(this.#resource)
    const taken = await whatIsTaken(this.#planning, this.#resource, keys)
    const ids = await knownRecords(this.#planning, this.#resource)
    const existing = await recordsById(this.#planning, this.#resource, [...new Set(ids.values())])
    const uniqueness = new Uniqueness(this.#resource, { keys, taken, mayBeFreed: (id) => update && existing.has(id) })
    const outcomes: Outcome[] = []
    for (const [index, source] of table.rows.entries()) {
      if (index % rowsAtOnce === rowsAtOnce - 1) await turn()
      const id = ids.get(source.row)
      const record = id === undefined ? undefined : existing.get(id)
      const isOurs =
        record &&
        inScope(this.#resource, record, ruleContext(work.caller, work.now)) &&
        Object.entries(this.#checker.forced).every(([field, value]) => valueAt(record, field) === value)
      const more = [...(lost.get(source.row) ?? []), ...uniqueness.faults(source, isOurs ? record.id : undefined)]
      if (source.isRagged)
        outcomes.push({ row: source.row, kind: 'bad', faults: inWords([fault('', 'rule', ragged)], work.language) })
      else if (!isOurs) outcomes.push(await this.#create(source, more))
      else if (update || more.length > 0) outcomes.push(await this.#edit(source, record, more))
      else outcomes.push({ row: source.row, kind: 'skip', id: String(record.id) })
    }
    const sound = await this.#withoutCycles(outcomes, above.size > 0)
    const single = uniqueness.settle(sound, work.language)
    const together = await withoutDuplicates(this.#planning, this.#resource, single.outcomes)
    const freed = [...single.freed, ...together.freed]
    const settled = this.#withoutDependents(together.outcomes, above, freed)
    return { outcomes: settled, freed: freedAmong(settled, freed) }
  }

  /** A row that is bad makes no record for rows below and frees no value for others, and one of these may be needed in turn. */
  #withoutDependents(
    found: readonly Outcome[],
    above: Parameters<typeof withoutOrphans>[1],
    freed: readonly Freed[],
  ): Outcome[] {
    const badIn = (outcomes: readonly Outcome[]) => outcomes.filter(({ kind }) => kind === 'bad').length
    for (let outcomes = found; ; ) {
      const next = withoutOrphans(withoutUnfreed(outcomes, freed, this.#planning.work.language), above, this.#planning)
      if (freed.length === 0 || badIn(next) === badIn(outcomes)) return next
      outcomes = next
    }
  }
}

/** Plans a file's rows as records: new ones are created, existing ones skipped, or changed on request. */
export const planRecords =
  (name: string) =>
  async (planning: Planning): Promise<Plan> => {
    const resource = planning.engine.catalog.definitions.get(name)
    if (!resource) throw new Error(`There is no resource ${name} to import`)
    const { outcomes, freed } = await new RecordPlanner(planning, resource).outcomes()
    refuseLargeExchange(freed)
    const creates = outcomes.filter(({ kind }) => kind === 'create').length
    const isInvited = baseOf(resource) === 'user'
    const apply = () => applyRecords(planning, resource, { outcomes, freed })
    return { outcomes, freed, letters: isInvited ? creates : 0, apply }
  }
