import { z } from 'zod'

const count = z.int().min(0)
const group = z.object({
  value: z.string().nullable(),
  count,
  /** Set when each value has its own status, such as a firmware version. */
  states: z.array(z.string()).optional(),
})

/** A figure over a list. `query` holds the list's filters; groups are the values of the field `by`. */
const card = z.object({
  key: z.string(),
  resource: z.string(),
  query: z.string(),
  count,
  by: z.string().optional(),
  groups: z.array(group).optional(),
})

const change = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.object({ id: z.string(), name: z.string() }).nullable(),
  action: z.string(),
  entityType: z.string(),
  entityId: z.string().nullable(),
  code: z.string().nullable(),
})

const reading = z.number().nullable()
/** In W, with the signs of the domain: + = discharge, import. */
const powers = { pvPowerW: reading, loadPowerW: reading, batteryPowerW: reading, gridPowerW: reading }

/** Systems that measure what a sum is of: no meter is no value, and not zero. */
const measuredPowers = { pvPowerW: count, loadPowerW: count, batteryPowerW: count, gridPowerW: count }

/**
 * Sums over the `systems` with recent data, each of those that measure it; `ratedWh` is that of the systems in `storedWh`. `query`
 * selects those whose charge is known. `soc` is a histogram of charge.
 */
const fleet = z.object({
  systems: count,
  query: z.string(),
  storedWh: reading,
  ratedWh: reading,
  socPct: reading,
  ...powers,
  measured: z.object({ socPct: count, storedWh: count, ...measuredPowers }),
  soc: z.array(z.object({ from: z.number(), to: z.number(), count })),
})

const ms = z.number()
/** Times are epoch ms, except days in the viewer's zone, which the list filters by. */
const charts = z.object({
  warnings: z.array(
    z.object({ day: z.string(), from: z.string(), to: z.string(), INFO: count, WARNING: count, CRITICAL: count }),
  ),
  packages: z.array(z.object({ at: ms, valid: count, partial: count, invalid: count })),
  /** `heard` of the `of` systems with a main board sent valid data in that hour. */
  reporting: z.array(z.object({ at: ms, heard: count, of: count })),
  power: z.array(z.object({ at: ms, systems: count, ...powers, measured: z.object(measuredPowers) })),
})

const place = z.object({ id: z.string(), code: z.string() }).nullable()
const attention = z.object({
  id: z.string(),
  code: z.string(),
  severity: z.string(),
  subject: z.string().nullable(),
  acknowledged: z.boolean(),
  raisedAt: z.string(),
  score: z.number(),
  ess: place,
  board: place,
})
const failedUpdate = z.object({
  id: z.string(),
  status: z.string(),
  toVersion: z.string().nullable(),
  failureCode: z.string().nullable(),
  finishedAt: z.string().nullable(),
  board: place,
})

/** Energy of a site since local midnight, in Wh. */
const today = z.object({ pvWh: reading, loadWh: reading, importWh: reading, exportWh: reading })

/** A client's system; measurements start with the ownership. */
const site = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  relation: z.enum(['owner', 'guest']),
  lifecycle: z.string(),
  connection: z.string(),
  health: z.string(),
  ratedEnergyWh: z.number().nullable(),
  ratedDischargePowerW: z.number().nullable(),
  warrantyUntil: z.string().nullable(),
  maintenanceUntil: z.string().nullable(),
  /** Time of the values below; null without a measurement. */
  measuredAt: z.string().nullable(),
  stale: z.boolean(),
  socPct: reading,
  energyAvailableWh: reading,
  ...powers,
  today: today.nullable(),
  /** Open warnings, most severe first; `raisedAt` is null for one older than the ownership. */
  warnings: z.array(z.object({ code: z.string(), severity: z.string(), raisedAt: z.string().nullable() })),
})

/** Remaining steps before operation, in order. */
export const commissioningSteps = [
  'boardAttached',
  'boardSeen',
  'validData',
  'configurationInSync',
  'firmwareReleased',
  'ownerSet',
] as const

const work = z.object({
  id: z.string(),
  code: z.string(),
  name: z.string(),
  lifecycle: z.string(),
  address: z.string().nullable(),
  steps: z.array(z.object({ key: z.enum(commissioningSteps), done: z.boolean() })),
})

const at = z.string()

/** Answer of GET /dashboard/summary, by the caller's role. `at` is the time of the data. */
export const summarySchema = z.discriminatedUnion('view', [
  z.object({
    view: z.literal('staff'),
    at,
    /** Newer figures or charts are being counted: they are there some seconds later. */
    isRefreshing: z.boolean(),
    cards: z.array(card),
    fleet,
    /** Null while a large fleet's are counted for the first time. */
    charts: charts.nullable(),
    attention: z.array(attention),
    failedUpdates: z.array(failedUpdate),
    recent: z.array(change),
  }),
  z.object({ view: z.literal('client'), at, cards: z.array(card), sites: z.array(site) }),
  z.object({ view: z.literal('installer'), at, cards: z.array(card), works: z.array(work) }),
])

export type Summary = z.output<typeof summarySchema>
export type StaffSummary = Extract<Summary, { view: 'staff' }>
export type SummaryCard = z.output<typeof card>
export type SummaryFleet = z.output<typeof fleet>
export type SummaryCharts = z.output<typeof charts>
export type SummaryWarning = z.output<typeof attention>
export type SummaryUpdate = z.output<typeof failedUpdate>
export type SummaryChange = z.output<typeof change>
export type SummarySite = z.output<typeof site>
export type SummaryToday = z.output<typeof today>
export type SummaryWork = z.output<typeof work>
export type CommissioningStep = (typeof commissioningSteps)[number]
