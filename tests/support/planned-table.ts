import { expect } from 'vitest'
import { definitionsOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { applyPlan, makePlan, type Plan } from '#server/engine/changes/plan.ts'
import { ChangingTable } from './changing-table.ts'

/** When the plans of these tests are made. */
export const plannedAt = '2027-03-01T10:00:00.000Z'

/** A table whose definition changes by plans. */
export class PlannedTable extends ChangingTable {
  #wanted(resources: readonly AnyResource[], now = plannedAt) {
    const { goneResources } = this
    return { definitions: definitionsOf(resources), goneResources, rules: {}, places: [], now }
  }

  plan(...resources: AnyResource[]): Promise<Plan> {
    return makePlan(this.database, this.#wanted(resources))
  }

  apply(resources: readonly AnyResource[]) {
    return applyPlan(this.database, this.#wanted(resources), { version: '1.2.3', isPurging: false })
  }

  purge(resources: readonly AnyResource[], at: string) {
    return applyPlan(this.database, this.#wanted(resources, at), { version: '1.2.4', isPurging: true })
  }

  rows(columns = '*') {
    return this.run(`select ${columns} from "visit" order by "id"`)
  }

  archive() {
    return this.run(`select "resource", "field", "recordId", "value" from "planArchive" order by "field", "recordId"`)
  }

  /** Plans, is refused, applies and starts; a second plan has nothing left. */
  async change(next: AnyResource, others: AnyResource[] = []): Promise<Plan['steps']> {
    const { steps, obstacles } = await this.plan(next, ...others)
    expect(obstacles).toEqual([])
    await expect(this.start(next, ...others)).rejects.toThrow('npm run plan -- --apply')
    const { planId } = await this.apply([next, ...others])
    expect(planId).toEqual(expect.any(String))
    expect((await this.plan(next, ...others)).steps).toEqual([])
    expect((await this.start(next, ...others)).applied).toEqual([])
    return steps
  }
}
