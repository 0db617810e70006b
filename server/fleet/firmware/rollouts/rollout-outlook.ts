import { sql } from 'kysely'
import type { BoardFitness } from '#resources/shared/rollout-parts.ts'
import { rolloutWaits } from '#resources/shared/updates.ts'
import type { Outlook } from '#schema/wire/outlook.ts'
import { type Label, say } from '#schema/words.ts'
import { type Queryable, rowsOf } from '#server/db/query.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { chooseBoards, type Group, sizeOf } from './choose-boards.ts'
import { inOrder } from './order-boards.ts'

const mostNamed = 5
/** Boards that are included but asked after all others. */
const askedLast: Readonly<Partial<Record<BoardFitness, Label>>> = {
  SILENT: ['Not online: asked last', 'Не на связи: пойдут последними'],
  BUSY: ['In another update: asked last', 'Уже обновляются: пойдут последними'],
  WARNED: ['A warning is open: asked last', 'Открыто предупреждение: пойдут последними'],
}

type Reason = { code: string; text: Label; isOut: boolean; groups: readonly Group[] }

const idsOf = (groups: readonly Group[]) => groups.flatMap(({ ids }) => ids).slice(0, mostNamed)

async function titlesOf(db: Queryable, ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const rows = await rowsOf(
    db,
    sql<{ id: string; code: string }>`select "id", "code" from "control_pcb" where "id" = any(${sql.val(ids)}::text[])`,
  )
  return new Map(rows.map(({ id, code }) => [id, code]))
}

/** Outlook of a rollout: how many boards it would include, the first of them, and why others are excluded. */
export async function rolloutOutlook(
  values: Row,
  { db, now, language }: Pick<Work, 'db' | 'now' | 'language'>,
): Promise<Outlook> {
  const { taken, left } = await chooseBoards({ db, now }, values, mostNamed)
  const first = inOrder(taken).slice(0, mostNamed)
  const codes = [...new Set(left.map(({ reason }) => reason))]
  const reasons: Reason[] = [
    ...codes.map((code) => ({
      code,
      text: rolloutWaits[code],
      isOut: true,
      groups: left.filter(({ reason }) => reason === code),
    })),
    ...Object.entries(askedLast).map(([code, text]) => ({
      code,
      text,
      isOut: false,
      groups: taken.filter(({ fitness }) => fitness === code),
    })),
  ]
  const named = await titlesOf(db, [...first.map(({ id }) => id), ...reasons.flatMap(({ groups }) => idsOf(groups))])
  const fewOf = (ids: readonly string[]) => ids.map((id) => ({ id, title: named.get(id) ?? id }))
  return {
    total: sizeOf(taken) + sizeOf(left),
    count: sizeOf(taken),
    reasons: reasons
      .map(({ groups, text, ...reason }) => ({
        ...reason,
        text: say(text, language),
        count: sizeOf(groups),
        few: fewOf(idsOf(groups)),
      }))
      .filter(({ count }) => count > 0)
      .toSorted((a, b) => Number(b.isOut) - Number(a.isOut) || b.count - a.count),
    first: fewOf(first.map(({ id }) => id)),
  }
}
