import { sql } from 'kysely'
import type { Role } from '#schema/roles.ts'
import type { Label } from '#schema/words.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { compareVersions } from '#server/domain/compare-versions.ts'

/** What decides whether a board may be asked to install a firmware. */
export type Candidate = {
  controlPcbId: string
  code: string
  essId: string | null
  lifecycle: string
  hardwareRevision: string
  currentVersion: string | null
  socPct: number | null
  criticals: number
  openUpdateId: string | null
  firmwareId: string
  firmwareVersion: string
  status: string
  hardwareRevisions: string[]
  minFromVersion: string | null
  hasFile: boolean
}

/** A board and a firmware side by side; undefined where one of them is not there. */
export const candidateOf = (db: Queryable, controlPcbId: string, firmwareId: string): Promise<Candidate | undefined> =>
  rowOf(
    db,
    sql<Candidate>`select "b"."id" as "controlPcbId", "b"."code", "b"."essId", "b"."lifecycle", "b"."hardwareRevision",
        "s"."firmwareVersion" as "currentVersion", ("m"."sample"->'socPct'->>'value')::float8 as "socPct",
        (select count(*) from "telemetry_warning" "w" where "w"."active" and "w"."severity" = 'CRITICAL' and not "w"."suppressed"
          and ("w"."controlPcbId" = "b"."id" or "w"."essId" = "b"."essId")) as "criticals",
        (select "u"."id" from "firmware_update" "u" where "u"."controlPcbId" = "b"."id" and "u"."finishedAt" is null) as "openUpdateId",
        "f"."id" as "firmwareId", "f"."firmwareVersion", "f"."status", "f"."hardwareRevisions", "f"."minFromVersion",
        exists (select 1 from "firmwareFile" "c" where "c"."firmwareId" = "f"."id") as "hasFile"
      from "control_pcb" "b" cross join "firmware" "f" left join "boardState" "s" on "s"."controlPcbId" = "b"."id"
      left join lateral (select "o"."sample" from "control_pcb" "p" join "boardState" "o" on "o"."controlPcbId" = "p"."id"
        where "p"."essId" = "b"."essId" and "p"."role" = 'MAIN' limit 1) "m" on true
      where "b"."id" = ${controlPcbId} and "f"."id" = ${firmwareId}`,
  )

type Check = {
  code: string
  text: Label
  passes: (candidate: Candidate, role: Role) => boolean
  actual: (candidate: Candidate) => string
}

const leastSocPct = 20

/** Every check that a request has to pass. What is not known does not stand in the way: a board may be asked while it is silent. */
const checks: readonly Check[] = [
  {
    code: 'LIFECYCLE',
    text: ['The board is active', 'Плата в работе'],
    passes: ({ lifecycle }) => lifecycle === 'ACTIVE',
    actual: ({ lifecycle }) => lifecycle,
  },
  {
    code: 'HARDWARE',
    text: ['The firmware fits the hardware', 'Прошивка подходит плате'],
    passes: ({ hardwareRevision, hardwareRevisions }) => hardwareRevisions.includes(hardwareRevision),
    actual: ({ hardwareRevision, hardwareRevisions }) => `${hardwareRevision}: ${hardwareRevisions.join(', ')}`,
  },
  {
    code: 'MIN_FROM_VERSION',
    text: ['The present version is new enough to update from', 'С нынешней версии можно обновиться'],
    passes: ({ currentVersion, minFromVersion }) =>
      !currentVersion || !minFromVersion || compareVersions(currentVersion, minFromVersion) >= 0,
    actual: ({ currentVersion, minFromVersion }) => `${currentVersion ?? '?'} ≥ ${minFromVersion ?? '?'}`,
  },
  {
    code: 'RELEASED',
    text: ['The firmware is released', 'Прошивка выпущена'],
    passes: ({ status }, role) => status === 'RELEASED' || (status === 'TESTING' && role === 'admin'),
    actual: ({ status }) => status,
  },
  {
    code: 'FILE',
    text: ['The file is stored', 'Файл на месте'],
    passes: ({ hasFile }) => hasFile,
    actual: ({ hasFile }) => (hasFile ? '✓' : '–'),
  },
  {
    code: 'SOC',
    text: ['The charge is 20 % at least', 'Заряд не ниже 20 %'],
    passes: ({ socPct }) => socPct === null || socPct >= leastSocPct,
    actual: ({ socPct }) => (socPct === null ? '?' : `${socPct} %`),
  },
  {
    code: 'NO_CRITICAL',
    text: ['No critical warning is open', 'Нет открытых аварий'],
    passes: ({ criticals }) => criticals === 0,
    actual: ({ criticals }) => String(criticals),
  },
  {
    code: 'NO_OPEN_UPDATE',
    text: ['No other update is open', 'Нет другого открытого обновления'],
    passes: ({ openUpdateId }) => openUpdateId === null,
    actual: ({ openUpdateId }) => openUpdateId ?? '–',
  },
]

export type CheckResult = { code: string; ok: boolean; text: Label; actual: string }

/** Each check with its outcome. */
export const preChecks = (candidate: Candidate, role: Role): CheckResult[] =>
  checks.map(({ code, text, passes, actual }) => ({ code, ok: passes(candidate, role), text, actual: actual(candidate) }))

/** A board that runs the version already is passed over: nothing is wrong with it. */
export const isInstalled = ({ currentVersion, firmwareVersion }: Candidate): boolean => currentVersion === firmwareVersion

export function kindOf({ currentVersion, firmwareVersion }: Candidate): string {
  const order = currentVersion ? compareVersions(firmwareVersion, currentVersion) : 1
  return order === 0 ? 'REINSTALL' : order > 0 ? 'UPGRADE' : 'DOWNGRADE'
}
