import { type RawBuilder, sql } from 'kysely'
import { isObject } from '#schema/is-object.ts'
import { isStaff } from '#schema/roles.ts'
import { isoTime } from '#server/db/iso-time.ts'
import { rowOf } from '#server/db/query.ts'
import type { AnsweringAction, Masks, ResourceRules } from '#server/engine/records/resource-rules.ts'
import { type SharedRow, standalone } from '#server/engine/sql/shared-rows.ts'
import { capturingUntil, startCapture, stopCapture } from '#server/fleet/configuration/capture.ts'
import { chemistryRoutes } from '#server/fleet/configuration/chemistry-routes.ts'
import {
  checkConfiguration,
  configurationRoutes,
  configure,
  firstConfiguration,
} from '#server/fleet/configuration/configuration.ts'
import {
  configurationRefusal,
  configurationState,
  latestConfiguration,
} from '#server/fleet/configuration/configuration-state.ts'
import { applyTemplate, checkTemplate } from '#server/fleet/configuration/configuration-template.ts'
import { templateOfBoard, templateState } from '#server/fleet/configuration/template-state.ts'
import { fits, isLatestFirmware } from '#server/fleet/firmware/firmware-sql.ts'
import { isAssignedSql } from '#server/fleet/shared/assignment-sql.ts'
import { boardConnection, connectionCause } from '#server/fleet/shared/connection-sql.ts'
import { openOfBoard } from '#server/fleet/shared/health-sql.ts'
import { keepPlaces } from '#server/fleet/shared/keep-attention.ts'
import { fleetProblem } from '#server/fleet/shared/problems.ts'
import { deleteOf } from '#server/fleet/shared/relations.ts'
import { connectRoute } from './connect-route.ts'
import { makeDeviceKeys, makeOverlappingKeys } from './device-key.ts'
import { deviceKeysRoute } from './device-keys-route.ts'
import { boardTelemetryRoute } from './last-telemetry.ts'

/** Reports of the board "t"; all null where it never has reported. */
const reported: SharedRow = {
  as: 's',
  select: sql`select "s".* from (select 1) "one" left join "boardState" "s" on "s"."controlPcbId" = "t"."id"`,
}
/** State of the configuration of the board "t", once for a row: it compares whole configurations. */
const configured: SharedRow = {
  as: 'cs',
  select: sql`select (select ${configurationState} from ${latestConfiguration} "c"
    left join "boardState" "s" on "s"."controlPcbId" = "t"."id") as "state" offset 0`,
}
const reports = (value: RawBuilder<unknown>) => ({ of: [reported], value })
const time = (name: string) => isoTime(sql`"s".${sql.id(name)}`)

/** A device key of one board; no other answer contains it. */
const oneKey = (make: typeof makeDeviceKeys): AnsweringAction => ({
  status: 201,
  handler: async ({ id, work: { db, caller, now } }) => ({
    body: { deviceKey: (await make(db, [id], { now, by: caller.userId })).get(id) },
  }),
})

const connectionWith = (ip: RawBuilder<unknown>) =>
  reports(sql`jsonb_build_object('state', ${boardConnection}, 'cause', ${connectionCause}, 'lastPacketAt', ${time('lastPacketAt')},
    'lastValidPacketAt', ${time('lastValidPacketAt')}, 'lastSampleAt', ${time('lastSampleAt')}, 'transport', "s"."transport",
    'rssiDbm', "s"."rssiDbm", 'ip', ${ip})`)

/** A board's IP address reveals its location: its last part is masked for all roles but those of the staff. */
const withoutLastPart: Masks = {
  when: sql`true`,
  values: { connection: standalone(connectionWith(sql`regexp_replace("s"."ip", '[^.:]+$', '*')`)) },
}

export const controlPcbRules: ResourceRules = {
  derived: {
    connection: connectionWith(sql`"s"."ip"`),
    firmware:
      reports(sql`jsonb_build_object('isLatest', ${isLatestFirmware}, 'currentVersion', "s"."firmwareVersion", 'previousVersion', "s"."previousVersion",
      'bootloaderVersion', "s"."bootloaderVersion", 'reportedAt', ${time('firmwareReportedAt')}, 'currentFirmwareId',
      (select "f"."id" from "firmware" "f" where "f"."firmwareVersion" = "s"."firmwareVersion" and ${fits('f', 't')} limit 1))`),
    board:
      reports(sql`jsonb_build_object('uptimeS', "s"."uptimeS", 'rebootCount', "s"."rebootCount", 'lastResetReason', "s"."lastResetReason",
      'supplyMv', "s"."supplyMv", 'boardTempC', "s"."boardTempC", 'freeHeapB', "s"."freeHeapB")`),
    quality24h: sql`(select jsonb_build_object('received', "q"."received", 'valid', "q"."valid", 'partial', "q"."partial", 'invalid', "q"."invalid",
      'notValid', "q"."partial" + "q"."invalid", 'unread', "q"."unread", 'duplicate', "q"."duplicate", 'missed', "q"."missed", 'invalidPct', round(100.0 * "q"."invalid" / nullif("q"."valid" + "q"."partial" + "q"."invalid", 0), 1))
      from (select coalesce(sum("valid" + "partial" + "invalid" + "unread" + "duplicate"), 0) as "received", coalesce(sum("valid"), 0) as "valid",
        coalesce(sum("partial"), 0) as "partial", coalesce(sum("invalid"), 0) as "invalid", coalesce(sum("unread"), 0) as "unread", coalesce(sum("duplicate"), 0) as "duplicate",
        coalesce(sum("missed"), 0) as "missed" from "packageHour"
        where "controlPcbId" = "t"."id" and "hour" > now() - interval '24 hours') "q")`,
    clockOffsetMs: reports(sql`"s"."clockOffsetMs"`),
    openUpdateId: sql`(select "u"."id" from "firmware_update" "u" where "u"."controlPcbId" = "t"."id" and "u"."finishedAt" is null)`,
    openWarnings: openOfBoard,
    simulated: sql`exists (select 1 from "deviceKey" "k" where "k"."controlPcbId" = "t"."id" and "k"."isDemo")`,
    capturingUntil,
    templateId: templateOfBoard,
    templateState,
    key: sql`(select jsonb_build_object('madeAt', ${isoTime(sql`"k"."createdAt"`)}, 'usedAt', ${isoTime(sql`"k"."lastUsedAt"`)})
      from "deviceKey" "k" where "k"."controlPcbId" = "t"."id")`,
    config: sql`(select jsonb_build_object('state', ${configurationState}, 'desiredVersion', "c"."version", 'reportedVersion', "s"."reportedVersion",
      'requestedAt', ${isoTime(sql`"c"."requestedAt"`)}, 'rejectReason', ${configurationRefusal})
      from ${latestConfiguration} "c" left join "boardState" "s" on "s"."controlPcbId" = "t"."id")`,
    'connection.state': reports(boardConnection),
    'connection.cause': reports(connectionCause),
    'firmware.currentVersion': reports(sql`"s"."firmwareVersion"`),
    'firmware.isLatest': reports(isLatestFirmware),
    'config.state': { of: [configured], value: sql`"cs"."state"` },
    // Hours without such packets, which are most, are left out of its index.
    'quality24h.notValid': sql`(select coalesce(sum("partial" + "invalid"), 0) from "packageHour"
      where "controlPcbId" = "t"."id" and "hour" > now() - interval '24 hours' and "partial" + "invalid" > 0)::float8`,
  },
  forCaller: isAssignedSql(sql`"t"."essId"`),
  masks: (caller) => (isStaff(caller.role) ? undefined : withoutLastPart),
  afterCreate: firstConfiguration,
  afterUpdate: ({ id }, _before, work) => keepPlaces(work.db, { boards: [String(id)] }),
  beforeDelete: async (current, work) => {
    const { db } = work
    if (current.essId) throw fleetProblem('board.attached')
    const heard = await rowOf(
      db,
      sql`select 1 from "boardState" where "controlPcbId" = ${current.id} and "lastPacketAt" is not null`,
    )
    if (heard) throw fleetProblem('board.has-data')
    await sql`delete from "configuration" where "controlPcbId" = ${current.id}`.execute(db)
    await sql`delete from "boardState" where "controlPcbId" = ${current.id}`.execute(db)
    for (const table of ['deviceKey', 'formerKey', 'boardContact', 'boardTemplate'])
      await sql`delete from ${sql.table(table)} where "controlPcbId" = ${current.id}`.execute(db)
    await deleteOf(work, 'control_pcb_attachment', { controlPcbId: String(current.id) })
    return 'delete'
  },
  present: (record, caller) => {
    const { connection } = record
    if (isStaff(caller.role) || !isObject(connection) || typeof connection.ip !== 'string') return record
    return { ...record, connection: { ...connection, ip: connection.ip.replace(/[^.:]+$/, '*') } }
  },
  checks: { configure: checkConfiguration, 'apply-template': checkTemplate },
  actions: {
    configure,
    'apply-template': applyTemplate,
    'capture-raw': startCapture,
    'stop-capture': stopCapture,
    'device-key': oneKey(makeDeviceKeys),
    'next-key': oneKey(makeOverlappingKeys),
  },
  routes: (api, tools) => {
    configurationRoutes(api, tools)
    chemistryRoutes(api, tools)
    boardTelemetryRoute(api, tools)
    connectRoute(api, tools)
    deviceKeysRoute(api, tools)
  },
}
