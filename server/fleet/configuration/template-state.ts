import { sql } from 'kysely'

/** Settings of the template "m" that it says anything of: an empty list says as little as no value. */
const said = sql`jsonb_each(jsonb_strip_nulls("m"."settings")) "v" where "v"."value" <> '[]'::jsonb`

/** True where the desired configuration "c" has every setting of the template "m". */
export const isFollowed = sql`not exists (select 1 from ${said}
  and jsonb_strip_nulls("c"."desired"->"v"."key") is distinct from "v"."value")`

/** The same for settings that are known already, without a look at the template for each board. */
export const followed = (settings: Readonly<Record<string, unknown>>) =>
  sql`(${sql.join(
    [sql`"c"."desired" is not null`].concat(
      Object.entries(settings).map(
        ([name, value]) =>
          sql`jsonb_strip_nulls("c"."desired"->${name}) is not distinct from jsonb_strip_nulls(${JSON.stringify(value)}::jsonb)`,
      ),
    ),
    sql` and `,
  )})`

/** Newest desired configuration of a board. */
export const latest = (board: ReturnType<typeof sql>) =>
  sql`(select "desired" from "configuration" where "controlPcbId" = ${board} order by "version" desc limit 1)`

/** Id of the template that the board "t" had last. */
export const templateOfBoard = sql`(select "b"."templateId" from "boardTemplate" "b" where "b"."controlPcbId" = "t"."id")`

/** Its desired configuration beside this template; null without one. */
export const templateState = sql`(select case when ${isFollowed} then 'FOLLOWS' else 'DIFFERS' end
  from "boardTemplate" "b" join "configuration_template" "m" on "m"."id" = "b"."templateId"
  join lateral ${latest(sql`"b"."controlPcbId"`)} "c" on true where "b"."controlPcbId" = "t"."id")`

/** Boards of the template "t", and those that have other values by now. */
export const boardsOfTemplate = sql`(select count(*)::int from "boardTemplate" "b" where "b"."templateId" = "t"."id")`
export const differingBoards = sql`(select count(*)::int from "boardTemplate" "b"
  join "configuration_template" "m" on "m"."id" = "b"."templateId"
  join lateral ${latest(sql`"b"."controlPcbId"`)} "c" on true where "b"."templateId" = "t"."id" and not ${isFollowed})`
