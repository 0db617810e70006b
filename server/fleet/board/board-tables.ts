/** Last report of each board; written by ingest. */
export const boardStateTable = `
create table "boardState" (
  "controlPcbId" text primary key,
  "lastPacketAt" timestamptz(3),
  "lastValidPacketAt" timestamptz(3),
  "lastSampleAt" timestamptz(3),
  "transport" text,
  "rssiDbm" int4,
  "ip" text,
  "uptimeS" int8,
  "rebootCount" int4,
  "lastResetReason" text,
  "supplyMv" int4,
  "boardTempC" float8,
  "freeHeapB" int8,
  "clockOffsetMs" int8,
  "firmwareVersion" text,
  "previousVersion" text,
  "bootloaderVersion" text,
  "firmwareReportedAt" timestamptz(3),
  "reportIntervalS" int4 not null default 60,
  "reported" jsonb,
  "reportedVersion" int4,
  "appliedAt" timestamptz(3),
  "rejectedVersion" int4,
  "rejectReason" text,
  "sample" jsonb
);
`

/** Marks a sample dated by its arrival, because the board's clock was wrong. */
export const estimatedSamples = 'alter table "boardState" add column "isEstimated" boolean not null default false;'

/**
 * Time of the last move of a board: its reports from before say nothing of its system. Reports are read with each row of a large
 * list, attachments are not.
 */
export const siteSince = `
alter table "boardState" add column "siteSince" timestamptz(3);
do $$ begin
  if to_regclass('control_pcb_attachment') is not null then
    update "boardState" "s" set "siteSince" = date_trunc('second', "a"."attachedAt") from "control_pcb_attachment" "a"
      where "a"."controlPcbId" = "s"."controlPcbId" and "a"."removedAt" is null and exists (select 1 from "control_pcb_attachment" "o"
        where "o"."controlPcbId" = "a"."controlPcbId" and "o"."removedAt" is not null);
  end if;
end $$;
`

/** Connection state last announced for each board by the background job. */
export const boardConnectionTable = `
create table "boardConnection" (
  "controlPcbId" text primary key,
  "state" text not null,
  "since" timestamptz(3) not null
);
`

/** Recently changed boards are polled every few seconds; this index finds the few among many. */
export const connectionTimes = `create index "boardConnection_since_ix" on "boardConnection" ("since")`
