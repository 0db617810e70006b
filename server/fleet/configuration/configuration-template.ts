import { sql } from 'kysely'
import { isObject } from '#schema/is-object.ts'
import { invalid, problem, type ShownFault } from '#server/base/problems.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import type { ActionCheck, ActionHandler, ResourceRules, Row, Work } from '#server/engine/records/resource-rules.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { requireAssignment, type Writing } from '#server/fleet/shared/relations.ts'
import { presetFor } from './chemistry-presets.ts'
import { fieldsOf, forbiddenDangers, latestVersionOf, nowhere, writeNextVersion } from './configuration.ts'
import { accessOf, siteOf } from './configuration-access.ts'
import { changedDangers, configurationFaults, type EssLimits } from './configuration-rules.ts'
import { boardsOfTemplate, differingBoards } from './template-state.ts'
import { confirmationFaults } from './typed-confirmation.ts'

export type Template = { id: string; code: string; product: string; essModelId: string | null; settings: Row }

/** An empty list says as little as no value: it would clear the schedule of every board. */
const isSaid = (value: unknown) => value !== null && value !== undefined && !(Array.isArray(value) && value.length === 0)

/** Settings that a template says anything of. */
export const definedSettings = (settings: unknown): Row =>
  isObject(settings) ? Object.fromEntries(Object.entries(settings).filter(([, value]) => isSaid(value))) : {}

/** Keeps a template as it is until the transaction ends. */
export const lockTemplate = (db: Queryable, id: unknown) =>
  rowOf(db, sql`select 1 from "configuration_template" where "id" = ${id} for share`)

export const templateOf = (id: unknown, { db }: { db: Queryable }): Promise<Template | undefined> =>
  typeof id === 'string'
    ? rowOf(
        db,
        sql<Template>`select "id", "code", "product", "essModelId", "settings" from "configuration_template" where "id" = ${id}`,
      )
    : Promise.resolve(undefined)

/** Limits of the systems that a template is for; without a model those of no system in particular. */
async function limitsOf(essModelId: unknown, work: Work): Promise<EssLimits> {
  const model = await rowOf(
    work.db,
    sql<
      Omit<EssLimits, 'cells' | 'gridConnectionLimitW'>
    >`select "chemistry", "cellsInSeries"::int, "ratedChargePowerW"::float8,
      "ratedDischargePowerW"::float8 from "ess_model" where "id" = ${essModelId ?? null}`,
  )
  if (!model) return { ...(await nowhere(work)), cells: null }
  return { ...model, cells: (await presetFor(work.db, model.chemistry)) ?? null, gridConnectionLimitW: null }
}

/** Settings that no board of its kind could have are refused where they are written, and not board by board. */
async function checked(template: Row, work: Work): Promise<void> {
  const settings = definedSettings(template.settings)
  if (Object.keys(settings).length === 0) throw fleetProblem('template.no-setting')
  const limits = await limitsOf(template.essModelId, work)
  const faults = configurationFaults(settings, { limits, before: {}, now: work.now }, fieldsOf(work.definitions), 'settings')
  if (faults.length > 0) throw invalid(faults)
}

type Kind = { product: string; essModelId: string | null }

async function misfits(template: Template, boardId: string, { db }: Work): Promise<ShownFault[]> {
  const board = await rowOf(
    db,
    sql<Kind>`select "p"."product", "e"."essModelId" from "control_pcb" "p" left join "ess" "e" on "e"."id" = "p"."essId"
      where "p"."id" = ${boardId}`,
  )
  if (board?.product !== template.product)
    return [{ path: 'templateId', code: 'rule', text: ['It is for boards of another product', 'Он для плат другого изделия'] }]
  if (template.essModelId !== null && board.essModelId !== template.essModelId)
    return [{ path: 'templateId', code: 'rule', text: ['It is for systems of another model', 'Он для СНЭ другой модели'] }]
  return []
}

const wrongCode = ['This is not the code of this template', 'Это не код этого шаблона'] as const

/** The same bounds, dangers and refusals as those of the board's own form, for what the board would then be to run with. */
export const checkTemplate: ActionCheck = async ({ id, values, record, work }) => {
  await requireAssignment(work, record?.essId)
  await lockTemplate(work.db, values.templateId)
  const template = await templateOf(values.templateId, work)
  if (!template) return []
  const misfit = await misfits(template, id, work)
  if (misfit.length > 0) return misfit
  const fields = fieldsOf(work.definitions)
  const input = work.definitions.get('control-pcb')?.actions?.['apply-template']?.form?.confirmCode
  const site = await siteOf(record?.essId, work)
  const { desired: before } = await latestVersionOf(id, work)
  const desired = { ...before, ...definedSettings(template.settings) }
  const dangers = changedDangers(before, desired, fields)
  if (dangers.length > 0 && (await accessOf(site, work)).danger) throw forbiddenDangers('settings', dangers, fields)
  return [
    ...configurationFaults(desired, { limits: site ?? (await nowhere(work)), before, now: work.now }, fields, 'settings'),
    // One code is typed for many boards: it says which settings are meant.
    ...confirmationFaults(values.confirmCode, { input, code: template.code, dangers, fields, wrong: wrongCode }),
  ]
}

type Bringing = { id: string; record: Row | undefined; template: Pick<Template, 'id' | 'code' | 'settings'>; reason: unknown }

/** Makes the settings of a template the next configuration of a board, whose record is locked. Returns its version. */
export async function writeTemplateVersion({ id, record, template, reason }: Bringing, work: Writing): Promise<number> {
  const { desired } = await latestVersionOf(id, work)
  const version = await writeNextVersion(
    { id, record, work },
    {
      desired: { ...desired, ...definedSettings(template.settings) },
      reason: [template.code, reason].filter((part) => typeof part === 'string').join(': '),
      action: 'apply-template',
    },
  )
  await sql`insert into "boardTemplate" ("controlPcbId", "templateId", "appliedAt") values (${id}, ${template.id}, ${work.now})
    on conflict ("controlPcbId") do update set "templateId" = excluded."templateId", "appliedAt" = excluded."appliedAt"`.execute(
    work.db,
  )
  return version
}

export const applyTemplate: ActionHandler = async ({ id, values, record, work }) => {
  const template = await templateOf(values.templateId, work)
  if (!template) throw problem('not-found')
  await writeTemplateVersion({ id, record, template, reason: values.reason }, work)
}

export const configurationTemplateRules: ResourceRules = {
  derived: { boards: boardsOfTemplate, differing: differingBoards },
  beforeCreate: async (values, work) => {
    await checked(values, work)
    return values
  },
  beforeUpdate: async (change, current, work) => {
    await checked({ ...current, ...change }, work)
    return change
  },
  beforeDelete: async ({ id }, { db }) => {
    await sql`delete from "boardTemplate" where "templateId" = ${id}`.execute(db)
    return 'delete'
  },
}
