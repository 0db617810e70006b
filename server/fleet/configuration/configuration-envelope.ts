import { sql } from 'kysely'
import { dangersOf, type Fields } from '#schema/field-types.ts'
import { maskedEmail, personName } from '#server/account/client-contacts.ts'
import { isoTime } from '#server/db/iso-time.ts'
import { rowOf, rowsOf } from '#server/db/query.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { accessOf, siteOf } from './configuration-access.ts'
import { driftOf } from './configuration-changes.ts'
import { defaultsAt } from './configuration-rules.ts'
import { configurationRefusal, configurationState, latestConfiguration, versionOutcome } from './configuration-state.ts'

type EnvelopeRow = {
  essId: string | null
  desired: Row
  desiredVersion: number
  reported: Row | null
  reportedVersion: number | null
  state: string
  requestedAt: string
  requestedBy: string | null
  requestedByRef: Row | null
  appliedAt: string | null
  rejectReason: string | null
}

const time = (column: string) => isoTime(sql.ref(column))
/** Name of the requester without the e-mail: readers of a configuration include roles that may not read users. */
const requester = sql`(select json_build_object('id', "t"."id", 'name', ${personName(maskedEmail)})
  from "user" "t" where "t"."id" = "c"."requestedBy")`
const asked = sql`${time('c.requestedAt')} as "requestedAt", "c"."requestedBy", ${requester} as "requestedByRef"`

const envelopeRow = (id: string, { db }: Pick<Work, 'db'>) =>
  rowOf(
    db,
    sql<EnvelopeRow>`select "t"."essId", "c"."desired", "c"."version" as "desiredVersion", ${asked}, "s"."reported", "s"."reportedVersion",
      ${time('s.appliedAt')} as "appliedAt", ${configurationRefusal} as "rejectReason", ${configurationState} as "state"
      from "control_pcb" "t" join lateral ${latestConfiguration} "c" on true left join "boardState" "s" on "s"."controlPcbId" = "t"."id"
      where "t"."id" = ${id}`,
  )

/** State of a board's configuration without the rest of it; undefined for a board without one. */
export const configurationStateOf = async (id: string, work: Pick<Work, 'db'>): Promise<string | undefined> =>
  (await envelopeRow(id, work))?.state

const historyOf = (id: string, versions: number, { db }: Pick<Work, 'db'>) =>
  rowsOf(
    db,
    sql<Row>`select "c"."version", ${asked}, "c"."reason", ${versionOutcome} as "outcome",
      coalesce(${time('c.outcomeAt')}, case when "c"."version" = "s"."reportedVersion" then ${time('s.appliedAt')} end) as "outcomeAt",
      coalesce("c"."outcomeReason", case when "c"."version" = "s"."rejectedVersion" then "s"."rejectReason" end) as "rejectReason", "c"."desired"
      from "configuration" "c" left join "boardState" "s" on "s"."controlPcbId" = "c"."controlPcbId"
      cross join (select max("version") as "version" from "configuration" where "controlPcbId" = ${id}) "latest"
      where "c"."controlPcbId" = ${id} order by "c"."version" desc limit ${versions}`,
  )

export const usualVersions = 50

/** Desired and reported configuration of a board, with its history and the caller's permissions. */
export async function envelopeOf(
  id: string,
  { fields, versions = usualVersions }: { fields: Fields; versions?: number },
  work: Pick<Work, 'db' | 'now' | 'caller'>,
) {
  const found = await envelopeRow(id, work)
  if (!found) return undefined
  const { essId, ...row } = found
  const site = await siteOf(essId, work)
  const { edit, danger } = await accessOf(site, work)
  const isPending = row.state === 'PENDING'
  return {
    ...row,
    pendingSince: isPending ? row.requestedAt : null,
    pendingForS: isPending ? Math.max(0, Math.floor((work.now.getTime() - Date.parse(row.requestedAt)) / 1000)) : null,
    drift: driftOf(row.desired, row.reported, Object.keys(fields)),
    defaults: defaultsAt(fields, site),
    access: { edit },
    danger: { fields: dangersOf(fields), refusal: danger },
    history: await historyOf(id, versions, work),
  }
}
