import { sql } from 'kysely'
import { configurationFields, templateFields } from '#resources/shared/configuration.ts'
import type { RolloutWait } from '#resources/shared/updates.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { limitsAt, type Nameplate } from '#server/fleet/configuration/board-limits.ts'
import { chemistryPresets } from '#server/fleet/configuration/chemistry-presets.ts'
import { configurationFaults } from '#server/fleet/configuration/configuration-rules.ts'
import { definedSettings, type Template } from '#server/fleet/configuration/configuration-template.ts'
import { followed, latest } from '#server/fleet/configuration/template-state.ts'
import { conditions } from './board-conditions.ts'
import type { Brought, Facts, Moment } from './payload.ts'

const isOf = ({ product, essModelId }: Template) =>
  sql`"b"."product" = ${product} and (${essModelId}::text is null or "e"."essModelId" = ${essModelId})`

/** Settings of one place or moment; no template holds them, and no check reads them beside it. */
const own = Object.keys(configurationFields).filter((name) => !Object.hasOwn(templateFields, name))

/** Facts that decide whether the settings of a template are allowed: the nameplate, and the settings that stay. */
const variant = (said: Row) => sql`jsonb_build_object('nameplate', case when "e"."id" is not null then jsonb_build_object(
    'chemistry', "e"."chemistry", 'cellsInSeries', "e"."cellsInSeries", 'ratedChargePowerW', "e"."ratedChargePowerW",
    'ratedDischargePowerW', "e"."ratedDischargePowerW", 'gridConnectionLimitW', "e"."gridConnectionLimitW") end,
  'desired', coalesce("c"."desired", '{}') - ${sql.val([...own, ...Object.keys(said)])}::text[])`

type Variant = { key: string; nameplate: Nameplate | null; desired: Row; last: string }

/** Boards per page: the variants of a whole fleet may be as many as its boards. */
const boardsAtOnce = 5_000

/** Variants of the next boards in the order of their ids, each with the last id of the page. */
const variantsAfter = (db: Queryable, after: string, template: Template, values: Row): Promise<Variant[]> =>
  rowsOf(
    db,
    sql<Variant>`with "page" as materialized (select "b"."id", ${variant(definedSettings(template.settings))} as "v" from "control_pcb" "b"
        left join "ess" "e" on "e"."id" = "b"."essId" left join lateral ${latest(sql`"b"."id"`)} "c" on true
        where ${isOf(template)} and "b"."lifecycle" = 'ACTIVE' and ${conditions(values)} and "b"."id" > ${after}
        order by "b"."id" limit ${boardsAtOnce})
      select jsonb_hash_extended("v", 0)::text as "key", "v"->'nameplate' as "nameplate", "v"->'desired' as "desired",
        (select max("id") from "page") as "last" from (select distinct "v" from "page") "d"`,
  )

/** Keys of the variants in which the settings are refused, as the form of such a board would refuse them. */
async function refusedKeys({ db, now }: Moment, template: Template, values: Row): Promise<string[]> {
  const presets = await chemistryPresets(db)
  const said = definedSettings(template.settings)
  const isRefused = ({ nameplate, desired }: Variant) => {
    const next = { ...desired, ...said }
    const situation = { limits: limitsAt(nameplate, presets), before: next, now }
    return configurationFaults(next, situation, configurationFields).length > 0
  }
  const judged = new Map<string, boolean>()
  const pageAfter = (after: string) => variantsAfter(db, after, template, values)
  for (let page = await pageAfter(''); page[0]; page = await pageAfter(page[0].last))
    for (const one of page) if (!judged.has(one.key)) judged.set(one.key, isRefused(one))
  return [...judged].flatMap(([key, refused]) => (refused ? [key] : []))
}

/** Silent boards are taken in, boards out of service are not: they report to nobody who would follow them. */
const reasonFor = ({ lifecycle, obstacle }: Facts): RolloutWait | undefined =>
  lifecycle === 'ACTIVE' ? (obstacle ?? undefined) : 'LIFECYCLE'

/** A template for the choice of boards: each variant of their settings is checked once, and not each board. */
export async function broughtTemplate(at: Moment, template: Template, values: Row): Promise<Brought> {
  const refused = await refusedKeys(at, template, values)
  const { id, product, essModelId, settings } = template
  const said = definedSettings(settings)
  const refusal =
    refused.length === 0
      ? sql``
      : sql`when jsonb_hash_extended(${variant(said)}, 0) = any(${sql.val(refused)}::int8[]) then 'SETTINGS'`
  return {
    lot: id,
    join: sql`left join lateral ${latest(sql`"b"."id"`)} "c" on true`,
    obstacle: sql`case when "b"."product" is distinct from ${product} then 'PRODUCT'
      when ${essModelId}::text is not null and "e"."essModelId" is distinct from ${essModelId} then 'MODEL'
      when ${followed(said)} then 'FOLLOWS' ${refusal} end`,
    reasonFor,
  }
}
