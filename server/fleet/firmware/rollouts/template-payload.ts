import { sql } from 'kysely'
import { configurationFields } from '#resources/shared/configuration.ts'
import type { RolloutWait } from '#resources/shared/updates.ts'
import type { Label } from '#schema/words.ts'
import { addEvents, type Change } from '#server/db/events/add-events.ts'
import { type Queryable, rowOf } from '#server/db/query.ts'
import { addServerAudit } from '#server/engine/audit/audit-entry.ts'
import type { Row } from '#server/engine/records/resource-rules.ts'
import { nowhere } from '#server/fleet/configuration/configuration.ts'
import { siteOf } from '#server/fleet/configuration/configuration-access.ts'
import { configurationFaults } from '#server/fleet/configuration/configuration-rules.ts'
import {
  definedSettings,
  lockTemplate,
  type Template,
  templateOf,
  writeTemplateVersion,
} from '#server/fleet/configuration/configuration-template.ts'
import { isFollowed, latest } from '#server/fleet/configuration/template-state.ts'
import type { Rollout, Target } from '#server/fleet/firmware/waves/rollout-store.ts'
import { addOutcome } from './configuration-outcomes.ts'
import type { Held, Payload, Verdict } from './payload.ts'
import { broughtTemplate } from './template-choice.ts'

type Board = {
  code: string
  lifecycle: string
  product: string
  essId: string | null
  essModelId: string | null
  desired: Row
  isFollowing: boolean
}

/** A board, locked as by the actions of people: its configuration gets no other version meanwhile. */
async function lockBoard(db: Queryable, controlPcbId: string, templateId: string): Promise<Board | undefined> {
  const found = await rowOf(db, sql`select 1 from "control_pcb" where "id" = ${controlPcbId} for update`)
  if (!found) return undefined
  return rowOf(
    db,
    sql<Board>`select "b"."code", "b"."lifecycle", "b"."product", "b"."essId", "e"."essModelId",
        coalesce("c"."desired", '{}') as "desired", ${isFollowed} as "isFollowing"
      from "control_pcb" "b" join "configuration_template" "m" on "m"."id" = ${templateId}
        left join "ess" "e" on "e"."id" = "b"."essId" left join lateral ${latest(sql`"b"."id"`)} "c" on true
      where "b"."id" = ${controlPcbId}`,
  )
}

/** First reason to leave a board out, by the same checks as for one that a person chooses. */
async function reasonFor(db: Queryable, board: Board, template: Template, now: Date): Promise<RolloutWait | undefined> {
  if (board.lifecycle !== 'ACTIVE') return 'LIFECYCLE'
  if (board.product !== template.product) return 'PRODUCT'
  if (template.essModelId !== null && board.essModelId !== template.essModelId) return 'MODEL'
  if (board.isFollowing) return 'FOLLOWS'
  const limits = (await siteOf(board.essId, { db, now })) ?? (await nowhere({ db }))
  const next = { ...board.desired, ...definedSettings(template.settings) }
  const faults = configurationFaults(next, { limits, before: board.desired, now }, configurationFields)
  return faults.length > 0 ? 'SETTINGS' : undefined
}

type Actor = { id: string; role: string }
type Asking = { rollout: Rollout; template: Template; actor: Actor | undefined }

const personOf = (db: Queryable, id: string | null) => rowOf(db, sql<Actor>`select "id", "role" from "user" where "id" = ${id}`)

async function ask(db: Queryable, { rollout, template, actor }: Asking, target: Target, now: Date): Promise<Verdict> {
  const { controlPcbId: id, wave } = target
  const board = await lockBoard(db, id, template.id)
  if (!board) return { state: 'SKIPPED', reason: 'GONE' }
  const reason = await reasonFor(db, board, template, now)
  if (reason) return { state: 'SKIPPED', reason }
  const changes: Change[] = []
  const version = await writeTemplateVersion(
    { id, record: { code: board.code }, template, reason: rollout.name },
    {
      db,
      now,
      caller: { userId: actor?.id ?? null },
      audit: (entry) => addServerAudit(db, { at: now, actorId: actor?.id, role: actor?.role, ...entry }),
      changed: (change) => void changes.push(change),
    },
  )
  await addOutcome(db, { rolloutId: rollout.id, controlPcbId: id, wave, version }, now)
  await addEvents(db, changes, now)
  return { state: 'REQUESTED' }
}

const deleted: Label = ['The template was deleted', 'Шаблон удалён']
const changed: Label = [
  'The template was changed after the start. Stop this rollout and start another',
  'Шаблон изменили после начала. Остановите эту раскатку и начните другую',
]

/** The template as it was at the start; what it says in notes and name may change. */
const isAsStarted = (rolloutId: string) => sql`select 1 from "rolloutTemplate" "k" join "configuration_template" "m"
  on "m"."id" = "k"."templateId" and ("m"."settings", "m"."product", "m"."essModelId")
    is not distinct from ("k"."settings", "k"."product", "k"."essModelId") where "k"."rolloutId" = ${rolloutId}`

async function hold(db: Queryable, rollout: Rollout): Promise<Held> {
  await lockTemplate(db, rollout.templateId)
  const template = await templateOf(rollout.templateId, { db })
  if (!template) return { objection: deleted }
  if (!(await rowOf(db, isAsStarted(rollout.id)))) return { objection: changed }
  const actor = await personOf(db, rollout.startedBy)
  return { ask: (target, now) => ask(db, { rollout, template, actor }, target, now) }
}

/** A rollout of settings: every board gets its next configuration, whose outcome is that of the board. */
export const templatePayload: Payload = {
  brought: async (at, values) => {
    const template = await templateOf(values.templateId, at)
    return template && broughtTemplate(at, template, values)
  },
  begin: async (db, { id, templateId }) => {
    await lockTemplate(db, templateId)
    await sql`insert into "rolloutTemplate" ("rolloutId", "templateId", "settings", "product", "essModelId")
      select ${id}, "id", "settings", "product", "essModelId" from "configuration_template" where "id" = ${templateId}`.execute(
      db,
    )
  },
  hold,
}
