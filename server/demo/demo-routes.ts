import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type DemoFleet, demoBounds, demoFleetSchema, mostDemoDays } from '#schema/wire/import-report.ts'
import { passwordsOf } from '#server/account/session/password.ts'
import type { Api } from '#server/base/context.ts'
import { invalid } from '#server/base/problems.ts'
import type { Work } from '#server/engine/records/resource-rules.ts'
import { type Engine, transact } from '#server/engine/records/work.ts'
import { keepPlan } from './fleet-plan.ts'
import { demoProblem } from './problems.ts'
import { countDemo, removeDemo } from './remove-demo.ts'
import { analyzeFleet, seedFleet } from './seed.ts'

const access = ['admin'] as const
const config = { access, audit: { action: 'demo-fleet', entityType: 'demo-fleet' } }
const between = ({ min, max }: { min: number; max: number }) => z.int().min(min).max(max)
const newFleet = z.strictObject({
  seed: between(demoBounds.seed),
  size: between(demoBounds.size),
  days: between(demoBounds.days).default(1).meta({ description: 'Days of history; a large fleet can have fewer' }),
  faults: z.boolean().default(true).meta({ description: 'Whether boards fail by themselves' }),
})
/** The counts that the admin confirmed. */
const shownFleet = z.strictObject({ ess: z.int().min(0) })

async function stateOf({ context }: Engine): Promise<DemoFleet> {
  const { user, ess, control_pcb: boards, firmware } = await countDemo(context.database.kysely)
  return { allowed: context.config.demo, ess, boards, people: user, firmware }
}

const requireDemoAllowed = ({ context }: Engine) => {
  if (context.config.demo) return
  throw demoProblem('demo.off')
}

/** One event per resource reloads lists and open pages. */
const tell = (work: Work, names: readonly string[], type: 'created' | 'deleted') => {
  for (const resource of names) work.changed({ resource, id: 'demo', version: 1, type })
}

async function fill(engine: Engine, asked: z.output<typeof newFleet>, work: Work): Promise<void> {
  const { context, catalog } = engine
  const { seed, size, days, faults } = asked
  const max = mostDemoDays(size)
  if (days > max) throw invalid([{ path: 'days', code: 'too-big', params: { max } }])
  const present = await countDemo(work.db)
  if (Object.values(present).some((count) => count > 0)) throw demoProblem('demo.exists')
  const form = catalog.definitions.get('control-pcb')?.actions?.configure?.form?.desired
  // A random password, so that nobody can sign in; the named accounts keep theirs.
  const closed = await passwordsOf(context).hash(randomBytes(32).toString('hex'))
  const made = await seedFleet(work.db, {
    seed,
    essCount: size,
    now: work.now,
    passwordHash: closed,
    lockedHash: closed,
    configurationFields: form?.type === 'group' ? form.fields : {},
  })
  await keepPlan(work.db, { seed, days, faults })
  tell(work, ['user', 'client', 'ess', 'control-pcb', 'firmware'], 'created')
  await work.audit({ action: 'create', entityType: 'demo-fleet', entityId: String(seed), after: { ...made, days, faults } })
}

async function clear({ catalog }: Engine, shown: { ess: number }, work: Work): Promise<void> {
  const before = await countDemo(work.db)
  if (before.ess !== shown.ess) throw demoProblem('demo.changed', { values: { count: before.ess } })
  tell(work, await removeDemo(work.db, catalog), 'deleted')
  await work.audit({ action: 'delete', entityType: 'demo-fleet', entityId: 'demo', before })
}

/** `GET`, `POST` and `DELETE /demo-fleet`: tagged sample records, removed in one call. */
export function demoRoutes(api: Api, engine: Engine): void {
  const response = { 200: demoFleetSchema }
  api.get('/demo-fleet', { config, schema: { summary: 'What there is of the demo fleet', tags: ['filling'], response } }, () =>
    stateOf(engine),
  )
  api.post(
    '/demo-fleet',
    { config, schema: { summary: 'Create a demo fleet', tags: ['filling'], body: newFleet, response } },
    async (request) => {
      requireDemoAllowed(engine)
      await transact(engine, request, (work) => fill(engine, request.body, work))
      await analyzeFleet(engine.context.database.kysely)
      return stateOf(engine)
    },
  )
  api.delete(
    '/demo-fleet',
    {
      config,
      schema: { summary: 'Remove the demo fleet with all that belongs to it', tags: ['filling'], body: shownFleet, response },
    },
    async (request) => {
      requireDemoAllowed(engine)
      await transact(engine, request, (work) => clear(engine, request.body, work))
      return stateOf(engine)
    },
  )
}
