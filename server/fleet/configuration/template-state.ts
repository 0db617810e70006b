import { sql } from 'kysely'

/** Settings of the template "m" that have a value; an empty list counts as none. */
const said = sql`jsonb_each(jsonb_strip_nulls("m"."settings")) "v" where "v"."value" <> '[]'::jsonb`

/** True where the desired configuration "c" has every setting of the template "m". */
export const isFollowed = sql`not exists (select 1 from ${said}
  and jsonb_strip_nulls("c"."desired"->"v"."key") is distinct from "v"."value")`

/** `isFollowed` for given settings: the template is not read once more for each board. */
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

/** FOLLOWS or DIFFERS: the newest desired configuration of the board "t" against its last template; null without a template. */
export const templateState = sql`(select case when ${isFollowed} then 'FOLLOWS' else 'DIFFERS' end
  from "boardTemplate" "b" join "configuration_template" "m" on "m"."id" = "b"."templateId"
  join lateral ${latest(sql`"b"."controlPcbId"`)} "c" on true where "b"."controlPcbId" = "t"."id")`

/** Number of boards whose last template is "t". */
export const boardsOfTemplate = sql`(select count(*)::int from "boardTemplate" "b" where "b"."templateId" = "t"."id")`
/** Number of them that have other values by now. */
export const differingBoards = sql`(select count(*)::int from "boardTemplate" "b"
  join "configuration_template" "m" on "m"."id" = "b"."templateId"
  join lateral ${latest(sql`"b"."controlPcbId"`)} "c" on true where "b"."templateId" = "t"."id" and not ${isFollowed})`
