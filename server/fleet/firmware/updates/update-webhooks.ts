import { sql } from 'kysely'
import { failedStates } from '#resources/shared/updates.ts'
import { addWebhookEvents, hasSubscriber } from '#server/account/webhook/add-webhook-events.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Update } from './update-rows.ts'

type FailedUpdate = {
  id: string
  status: string
  failureCode: string | null
  fromVersion: string | null
  toVersion: string
  attempt: number
  finishedAt: string | null
  controlPcb: object
  ess: object | null
}

/** Queues webhook events of a final failure: one that is retried automatically is not final. */
export async function addUpdateWebhooks(db: Queryable, { id }: Pick<Update, 'id'>, now: Date): Promise<void> {
  const failed = await rowsOf(
    db,
    sql<FailedUpdate>`select "u"."id", "u"."status", "u"."failureCode", "u"."fromVersion", "u"."toVersion", "u"."attempt", "u"."finishedAt",
        jsonb_build_object('id', "b"."id", 'code', "b"."code") as "controlPcb",
        case when "e"."id" is not null then jsonb_build_object('id', "e"."id", 'code', "e"."code") end as "ess"
      from "firmware_update" "u" join "control_pcb" "b" on "b"."id" = "u"."controlPcbId" left join "ess" "e" on "e"."id" = "u"."essId"
      where "u"."id" = ${id} and "u"."status" = any(${sql.val(failedStates)}::text[]) and ${hasSubscriber('update.failed')}`,
  )
  await addWebhookEvents(
    db,
    failed.map((data) => ({ type: 'update.failed', data: { ...data, page: `/firmware-update/${id}` } })),
    now,
  )
}
