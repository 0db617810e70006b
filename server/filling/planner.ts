import { pairing } from '#schema/import-columns.ts'
import type { Plan, Planning } from './outcome.ts'
import { planPairings } from './plan-pairings.ts'
import { planRecords } from './plan-records.ts'

/** `rowsOfBatch`: rows of a transaction, few enough that nobody waits for its locks, or on the embedded engine for its end. */
type Planner = { plan: (planning: Planning) => Promise<Plan>; rowsOfBatch: number }

/** Targets that are no resource. A pairing moves two records and their places, some ten statements. */
const ownPlanners: Readonly<Record<string, Planner>> = { [pairing]: { plan: planPairings, rowsOfBatch: 20 } }

/** How a file of this target is looked at and written. */
export const plannerOf = (target: string): Planner => ownPlanners[target] ?? { plan: planRecords(target), rowsOfBatch: 100 }
