import { sql } from 'kysely'
import { boardLifecycle } from '#resources/control-pcb.ts'
import { firmwareStates } from '#resources/firmware.ts'
import { warningTitle } from '#resources/fleet/warnings/warning-codes.ts'
import { readWindow, type WeekWindow } from '#resources/fleet/week-window.ts'
import { type RolloutWait, rolloutWaits } from '#resources/shared/updates.ts'
import type { State } from '#schema/field-types.ts'
import type { Role } from '#schema/roles.ts'
import { composed, filled, type Label, say } from '#schema/words.ts'
import type { Caller } from '#server/base/caller.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { hasSoundFile } from '#server/fleet/firmware/firmware-file.ts'
import { compareVersions } from '#server/fleet/shared/compare-versions.ts'
import { isAssigned } from '#server/fleet/shared/relations.ts'
import { type Blocking, blockingWarnings } from './blocking-warnings.ts'
import { maintenanceWindow, windowLabel, zoneOfBoard } from './update-window.ts'

/** Facts for the checks of a firmware on a board. */
export type Candidate = {
  controlPcbId: string
  code: string
  essId: string | null
  lifecycle: string
  product: string
  hardwareRevision: string
  currentVersion: string | null
  socPct: number | null
  criticals: readonly Blocking[]
  openUpdateId: string | null
  firmwareId: string
  firmwareVersion: string
  status: string
  imageProduct: string
  hardwareRevisions: string[]
  minFromVersion: string | null
  hasFile: boolean
  /** The update window of the board's configuration and its time zone. */
  window: WeekWindow | undefined
  zone: string
}

/** A board and a firmware; undefined when one of them does not exist. */
export async function candidateOf(db: Queryable, controlPcbId: string, firmwareId: string): Promise<Candidate | undefined> {
  const row = await rowOf(
    db,
    sql<
      Omit<Candidate, 'window'> & { window: unknown }
    >`select "b"."id" as "controlPcbId", "b"."code", "b"."essId", "b"."lifecycle", "b"."product", "b"."hardwareRevision",
        "s"."firmwareVersion" as "currentVersion", ("m"."sample"->'socPct'->>'value')::float8 as "socPct",
        ${blockingWarnings} as "criticals",
        (select "u"."id" from "firmware_update" "u" where "u"."controlPcbId" = "b"."id" and "u"."finishedAt" is null) as "openUpdateId",
        "f"."id" as "firmwareId", "f"."firmwareVersion", "f"."status", "f"."product" as "imageProduct", "f"."hardwareRevisions", "f"."minFromVersion",
        ${hasSoundFile} as "hasFile", ${maintenanceWindow(sql`"b"."id"`)} as "window", ${zoneOfBoard(sql`"b"."id"`, sql`"b"."essId"`)} as "zone"
      from "control_pcb" "b" cross join "firmware" "f" left join "boardState" "s" on "s"."controlPcbId" = "b"."id"
      left join lateral (select "o"."sample" from "control_pcb" "p" join "boardState" "o" on "o"."controlPcbId" = "p"."id"
        where "p"."essId" = "b"."essId" and "p"."role" = 'MAIN' limit 1) "m" on true
      where "b"."id" = ${controlPcbId} and "f"."id" = ${firmwareId}`,
  )
  return row && { ...row, window: readWindow(row.window) }
}

type Check = {
  code: RolloutWait
  text: Label
  passes: (candidate: Candidate, role: Role) => boolean
  /** Text of the found fact. */
  found: (candidate: Candidate) => Label
  /** Records to inspect. */
  links?: (candidate: Candidate) => CheckLink[]
  /** Roles that may override it with a reason; absent means none. */
  overriddenBy?: readonly Role[]
}

const leastSocPct = 20
const tooOld: Label = ['needs {least} or newer, runs {version}', 'нужна {least} или новее, сейчас {version}']
const unknownVersion: Label = [
  'needs {least} or newer, runs an unknown version',
  'нужна {least} или новее, сейчас неизвестная версия',
]
const same = (text: string): Label => [text, text]
const stateLabel = (states: Readonly<Record<string, State>>, name: string): Label => states[name]?.label ?? same(name)
const percent = (value: number): Label => [`${value}%`, `${String(value).replace('.', ',')} %`]

/** All checks of a request. Unknown facts do not block: a silent board may be requested. */
const checks: readonly Check[] = [
  {
    code: 'LIFECYCLE',
    text: ['The board is active', 'Плата в работе'],
    passes: ({ lifecycle }) => lifecycle === 'ACTIVE',
    found: ({ lifecycle }) => stateLabel(boardLifecycle, lifecycle),
  },
  {
    code: 'PRODUCT',
    text: ['The firmware is for this product', 'Прошивка для этого изделия'],
    passes: ({ product, imageProduct }) => product === imageProduct,
    found: ({ product, imageProduct }) =>
      filled(['the board is {own}, the firmware is for {fitting}', 'плата {own}, прошивка для {fitting}'], {
        own: product,
        fitting: imageProduct,
      }),
  },
  {
    code: 'HARDWARE',
    text: ['The firmware fits the hardware', 'Прошивка подходит плате'],
    passes: ({ hardwareRevision, hardwareRevisions }) => hardwareRevisions.includes(hardwareRevision),
    found: ({ hardwareRevision, hardwareRevisions }) =>
      filled(['the board is {own}, the firmware is for {fitting}', 'плата {own}, прошивка для {fitting}'], {
        own: hardwareRevision,
        fitting: hardwareRevisions.join(', '),
      }),
  },
  {
    code: 'NEW_VERSION',
    text: ['The board does not run this version yet', 'На плате ещё не эта версия'],
    passes: (candidate) => !isInstalled(candidate),
    found: ({ currentVersion }) =>
      currentVersion
        ? filled(['it runs {version}', 'сейчас {version}'], { version: currentVersion })
        : ['its version is not known', 'версия неизвестна'],
  },
  {
    code: 'MIN_FROM_VERSION',
    text: ['The present version is new enough to update from', 'С нынешней версии можно обновиться'],
    passes: ({ currentVersion, minFromVersion }) =>
      !currentVersion || !minFromVersion || compareVersions(currentVersion, minFromVersion) >= 0,
    found: ({ currentVersion, minFromVersion }) =>
      minFromVersion
        ? filled(currentVersion ? tooOld : unknownVersion, { least: minFromVersion, version: currentVersion ?? '' })
        : ['from any version', 'с любой версии'],
  },
  {
    code: 'RELEASED',
    text: ['The firmware may be installed', 'Прошивку разрешено ставить'],
    passes: ({ status }, role) => status === 'RELEASED' || (status === 'TESTING' && role === 'admin'),
    found: ({ status }) => stateLabel(firmwareStates, status),
  },
  {
    code: 'FILE',
    text: ['The file is stored and undamaged', 'Файл на месте и цел'],
    passes: ({ hasFile }) => hasFile,
    found: ({ hasFile }) => (hasFile ? ['it is there', 'есть'] : ['it was removed or is damaged', 'файл удалён или повреждён']),
  },
  {
    code: 'SOC',
    text: ['The charge is at least 20 %', 'Заряд не ниже 20 %'],
    passes: ({ socPct }) => socPct === null || socPct >= leastSocPct,
    found: ({ socPct }) =>
      socPct === null ? ['not known: nothing was measured', 'неизвестен: измерений нет'] : percent(socPct),
  },
  {
    code: 'NO_CRITICAL',
    text: ['No critical warning blocks it', 'Обновлению не мешают аварии'],
    passes: ({ criticals }) => criticals.length === 0,
    found: ({ criticals }) =>
      criticals.length === 0
        ? ['none', 'нет']
        : filled(['open: {titles}', 'открыто: {titles}'], {
            titles: composed((language) =>
              [...new Set(criticals.map(({ code }) => say(warningTitle(code), language)))].join(', '),
            ),
          }),
    links: ({ criticals }) =>
      criticals.map(({ id, code }) => ({ resource: 'telemetry-warning', id, text: warningTitle(code) })),
    overriddenBy: ['admin'],
  },
  {
    code: 'NO_OPEN_UPDATE',
    text: ['No other update is open', 'Нет другого открытого обновления'],
    passes: ({ openUpdateId }) => openUpdateId === null,
    found: ({ openUpdateId }) => (openUpdateId === null ? ['none', 'нет'] : ['one is under way', 'одно уже идёт']),
  },
]

/** Service engineers may update boards of assigned sites only. */
const assignment = (isServed: boolean): CheckResult => ({
  code: 'ASSIGNED',
  ok: isServed,
  text: ['The site is assigned to you', 'Объект назначен вам'],
  obstacle: ['The site is not assigned to you', 'Объект не назначен вам'],
  found: isServed ? ['yes', 'да'] : ['no', 'нет'],
  links: [],
  overridable: false,
})

export type CheckLink = { resource: string; id: string; text: Label }
export type CheckResult<Code extends string = string> = {
  code: Code
  ok: boolean
  text: Label
  /** The obstacle when the check is not passed; absent for a hint. */
  obstacle?: Label
  found: Label
  links: readonly CheckLink[]
  /** The role may override it with a reason. */
  overridable: boolean
}

/** Hints for choosing a time; they never block. */
const windowNote = ({ window, zone }: Candidate): CheckResult[] =>
  window
    ? [
        {
          code: 'MAINTENANCE_WINDOW',
          ok: true,
          text: ['The board has a maintenance window', 'У платы есть окно обслуживания'],
          found: windowLabel(window, zone),
          links: [],
          overridable: false,
        },
      ]
    : []

/** Results of all checks. */
export const preChecks = (candidate: Candidate, role: Role): CheckResult<RolloutWait>[] =>
  checks.map(({ code, text, passes, found, links, overriddenBy }) => ({
    code,
    ok: passes(candidate, role),
    text,
    obstacle: rolloutWaits[code],
    found: found(candidate),
    links: links?.(candidate) ?? [],
    overridable: overriddenBy?.includes(role) ?? false,
  }))

/** The same for a user, including permissions. */
export async function preChecksFor(db: Queryable, candidate: Candidate, { userId, role }: Caller): Promise<CheckResult[]> {
  const results = [...preChecks(candidate, role), ...windowNote(candidate)]
  if (role !== 'service_engineer') return results
  const isServed = candidate.essId !== null && (await isAssigned(db, userId, candidate.essId, true))
  return [assignment(isServed), ...results]
}

/** A board that already runs the version is skipped without a fault. */
export const isInstalled = ({ currentVersion, firmwareVersion }: Candidate): boolean => currentVersion === firmwareVersion

/** The first obstacle for a rollout's request; undefined when there is none. */
export const obstacleOf = (candidate: Candidate): RolloutWait | undefined =>
  isInstalled(candidate) ? 'INSTALLED' : preChecks(candidate, 'admin').find(({ ok }) => !ok)?.code

export function updateKindOf({ currentVersion, firmwareVersion }: Candidate): 'UPGRADE' | 'DOWNGRADE' | 'REINSTALL' {
  const order = currentVersion ? compareVersions(firmwareVersion, currentVersion) : 1
  return order === 0 ? 'REINSTALL' : order > 0 ? 'UPGRADE' : 'DOWNGRADE'
}
