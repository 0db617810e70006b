import type { ClientBase } from 'pg'

/*
 * Steps that mend hours and days of releases before. Their statements belong to these steps: what a later release does is a later step.
 */
/** The zone if the database knows it, else UTC: an older engine may not know a zone that a user has chosen. */
const knownZone = `
create or replace function "knownZone"("zone" text) returns text language plpgsql stable as $$
begin
  perform timestamptz '2000-01-01Z' at time zone "zone";
  return coalesce("zone", 'UTC');
exception when invalid_parameter_value then return 'UTC';
end $$;
`

const covered = `now() - interval '398 days'`

// Days of two zones begin less than a day apart, near a move; a day of a changed clock has 23 hours.
const overlapping = `
select distinct "a"."controlPcbId"::uuid from "control_pcb_attachment" "a"
  cross join lateral (values ("a"."attachedAt"), ("a"."removedAt")) as "e" ("at")
  where "e"."at" > ${covered} and exists (select 1 from (select "d"."ts" - lag("d"."ts") over (order by "d"."ts") as "step" from "telemetry1d" "d"
    where "d"."controlPcbId" = "a"."controlPcbId"::uuid and "d"."ts" between "e"."at" - interval '2 days' and "e"."at" + interval '2 days') "s"
    where "s"."step" < interval '23 hours')`

/** Opens the days of hours: `boards` is a relation of "controlPcbId", `hours` one of "id" and "hour". */
const openDays = (boards: string, hours: string) => `
with "stay" as (select "b"."controlPcbId" as "id", "o"."essId", "o"."attachedAt", "o"."removedAt",
    lag("o"."removedAt") over "w" as "leftBefore", lead("o"."attachedAt") over "w" is null as "isLast"
    from ${boards} "b" left join "control_pcb_attachment" "o" on "o"."controlPcbId" = "b"."controlPcbId"::text
    window "w" as (partition by "b"."controlPcbId" order by "o"."attachedAt", "o"."id")),
  "cut" as (select "id", "essId", "isLast", date_bin('5 min', "attachedAt" + interval '299999 ms', '2000-01-01Z') as "came",
    date_bin('5 min', "removedAt" + interval '299999 ms', '2000-01-01Z') as "left",
    date_bin('5 min', "leftBefore" + interval '299999 ms', '2000-01-01Z') as "leftBefore" from "stay"),
  "zone" as (select "c"."id", "knownZone"("e"."location"->>'timezone') as "zone", "s"."since", "s"."until" from "cut" "c"
    left join "ess" "e" on "e"."id" = "c"."essId"
    cross join lateral (values (coalesce("c"."leftBefore", '-infinity'), coalesce("c"."came", 'infinity')),
      ("c"."came", coalesce("c"."left", 'infinity')), ("c"."left", case when "c"."isLast" then 'infinity'::timestamptz end)) as "s" ("since", "until")
    where "s"."since" < "s"."until"),
  "hours" as (${hours}),
  "days" as (select "z"."id", greatest(date_trunc('day', "e"."at", "z"."zone"), "z"."since") as "day",
      max(least((date_trunc('day', "e"."at" at time zone "z"."zone") + interval '1 day') at time zone "z"."zone", "z"."until")) as "until"
    from "hours" "h" join "zone" "z" on "z"."id" = "h"."id" and "z"."since" < "h"."hour" + interval '1 hour' and "z"."until" > "h"."hour"
      cross join lateral (values (greatest("h"."hour", "z"."since")),
        (least("h"."hour" + interval '59 min', "z"."until" - interval '1 min'))) as "e" ("at") group by 1, 2)
insert into "telemetryOpenDay" ("controlPcbId", "day", "until") select * from "days" where "day" >= ${covered}
  on conflict ("controlPcbId", "day") do update set "until" = excluded."until";
`

const hoursOfTwice = `select "r"."controlPcbId" as "id", "r"."ts" as "hour" from "twice" "b" join "telemetry1h" "r" on "r"."controlPcbId" = "b"."controlPcbId"
    union select "r"."controlPcbId", "r"."hour" from "twice" "b" join "telemetryOpenHour" "r" on "r"."controlPcbId" = "b"."controlPcbId"`

/** Days in which a board came or went counted twice: they are rolled up again where 5-minute rows are kept. */
const mend = (boards: string) => `
create temporary table "twice" on commit drop as ${boards};
analyze "twice";
delete from "telemetry1d" "r" using "twice" "b" where "r"."controlPcbId" = "b"."controlPcbId" and "r"."ts" >= ${covered};
delete from "telemetryOpenDay" "r" using "twice" "b" where "r"."controlPcbId" = "b"."controlPcbId" and "r"."day" >= ${covered};
${openDays('"twice"', hoursOfTwice)}`

/** A new database has its tables of records later than these. */
async function hasRecords(client: ClientBase): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(`select to_regclass('control_pcb_attachment') is not null as "found"`)
  return rows[0]?.found === true
}

/** Days end where their board comes or goes, in the zone of its site. */
export async function daysOfSites(client: ClientBase): Promise<void> {
  await client.query(knownZone)
  if (await hasRecords(client)) await client.query(mend(overlapping))
}

const sampleAt = (condition: string) =>
  `select "t"."ts" from "telemetry" "t" where "t"."controlPcbId" = "r"."id" and "t"."quality" <> 2 and ${condition} limit 1`
// Correlated values instead of joins: without statistics a join may read all rows.
const isOpen = `(select "h"."hour" from "telemetryOpenHour" "h" where "h"."controlPcbId" = "r"."id" and "h"."hour" = "r"."hour") is not null`
const isShared = `(select "m"."gapSeconds" from "telemetry5m" "m"
  where "m"."controlPcbId" = "r"."id" and "m"."ts" = "b"."at" - interval '5 min') is not null`

/** Opens the hours of silences that reach into open hours: the release before did not share what counters grew by over them. */
const joinHours = `
create temporary table "joined" on commit drop as
with recursive "edge" as (select "controlPcbId" as "id", "hour"::timestamptz, lag("hour") over "o" as "before", lead("hour") over "o" as "after"
    from "telemetryOpenHour" window "o" as (partition by "controlPcbId" order by "hour")),
  "reach" ("id", "hour", "came", "isBack", "left") as (select "e"."id", "e"."hour", "e"."hour", "w"."isBack", 3 from "edge" "e"
      cross join (values (true), (false)) as "w" ("isBack")
      where case when "w"."isBack" then "e"."before" is distinct from "e"."hour" - interval '1 hour'
        else "e"."after" is distinct from "e"."hour" + interval '1 hour' end
    union all select "r"."id", "n"."hour", "r"."hour", "r"."isBack",
      "r"."left" - case when "n"."hour" between "r"."hour" - interval '1 hour' and "r"."hour" + interval '1 hour' then 1 else 0 end
    from "reach" "r"
      cross join lateral (select case when "r"."isBack" then "r"."hour" else "r"."hour" + interval '1 hour' end as "at") "b"
      cross join lateral (${sampleAt(`"t"."ts" < "b"."at" order by "t"."ts" desc`)}) "l"
      cross join lateral (${sampleAt(`"t"."ts" >= "b"."at" order by "t"."ts"`)}) "f"
      cross join lateral (select date_bin('1 hour', case when "r"."isBack" then "l"."ts" else "f"."ts" end, '2000-01-01Z') as "hour") "n"
      left join "boardState" "s" on "s"."controlPcbId" = "r"."id"::text
    where "r"."left" > 0 and "f"."ts" - "l"."ts" > greatest(450, 1.5 * coalesce("s"."reportIntervalS", 60)) * interval '1 s'
      and ("r"."hour" = "r"."came" or not ${isOpen}) and not ${isShared})
select "id" as "controlPcbId", generate_series(least("hour", "came"), greatest("hour", "came"), interval '1 hour') as "hour"
  from "reach" where "hour" <> "came";
insert into "telemetryOpenHour" ("controlPcbId", "hour") select distinct "controlPcbId", "hour" from "joined" on conflict do nothing;
${openDays('(select distinct "controlPcbId" from "joined")', `select "controlPcbId" as "id", "hour" from "joined"`)}`

/** Boards with days of two rules: an open day overlaps another one, or may, because the board came or went in it. */
const twoRules = `${overlapping}
union select "a"."controlPcbId"::uuid from "control_pcb_attachment" "a" where greatest("a"."attachedAt", "a"."removedAt") > now() - interval '2 days'
union select "o"."controlPcbId" from "telemetryOpenDay" "o" join "telemetryOpenDay" "p"
  on "p"."controlPcbId" = "o"."controlPcbId" and "p"."day" > "o"."day" and "p"."day" < "o"."until"
union select "o"."controlPcbId" from "telemetryOpenDay" "o" where exists (select 1 from "telemetry1d" "d"
  where "d"."controlPcbId" = "o"."controlPcbId" and "d"."ts" > "o"."day" and "d"."ts" < "o"."until")`

/** Mends what was open while an older release was stopped: it books growth and begins days by other rules. */
export async function openByOneRule(client: ClientBase): Promise<void> {
  if (!(await hasRecords(client))) return
  await client.query(joinHours)
  await client.query(`drop table if exists "twice"; ${mend(twoRules)}`)
}
