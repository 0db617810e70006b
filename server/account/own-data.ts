import { sql } from 'kysely'
import type { Fields } from '#schema/field-types.ts'
import { readableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import { composed, type Label, say } from '#schema/words.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { isPersonReference, personReferences, type StoredColumn, storedColumns } from './person-references.ts'

/** A user's rows in one table, newest first. `total` includes rows that the file omits. */
type Section = { name: string; title: string; total: number; rows: readonly Row[] }
type OwnData = { madeAt: string; sections: Section[] }

type Place = { name: string; title: Label; table: string; whose: string; columns: readonly string[]; order: string }

const mostRows = 10_000

/** Tables without a definition, limited to columns about the user: no secrets and no other users. */
const tables: readonly Place[] = [
  {
    name: 'session',
    title: ['Sessions', 'Сеансы'],
    table: 'session',
    whose: 'userId',
    columns: ['createdAt', 'lastSeenAt', 'endedAt', 'endReason', 'label', 'ip'],
    order: 'createdAt',
  },
  {
    name: 'signInDevice',
    title: ['Browsers that are known', 'Известные браузеры'],
    table: 'signInDevice',
    whose: 'userId',
    columns: ['usedAt'],
    order: 'usedAt',
  },
  {
    name: 'provider',
    title: ['Account at the sign-in provider', 'Учётная запись у провайдера входа'],
    table: 'oidcSubject',
    whose: 'userId',
    columns: ['issuer', 'subject', 'linkedAt', 'lastUsedAt'],
    order: 'linkedAt',
  },
  {
    name: 'passkey',
    title: ['Passkeys', 'Ключи доступа'],
    table: 'passkey',
    whose: 'userId',
    columns: ['name', 'createdAt', 'lastUsedAt'],
    order: 'createdAt',
  },
  {
    name: 'device',
    title: ['Devices for notifications', 'Устройства для уведомлений'],
    table: 'device',
    whose: 'userId',
    columns: ['id', 'platform', 'label', 'createdAt', 'lastSeenAt', 'lastOkAt', 'disabledAt'],
    order: 'createdAt',
  },
  {
    name: 'file',
    title: ['Uploaded files', 'Загруженные файлы'],
    table: 'storedFile',
    whose: 'uploadedBy',
    columns: ['id', 'name', 'type', 'sizeBytes', 'sha256', 'uploadedAt'],
    order: 'uploadedAt',
  },
  {
    name: 'journal',
    title: ['Own actions', 'Собственные действия'],
    table: 'auditLog',
    whose: 'actorId',
    columns: ['at', 'action', 'entityType', 'entityId', 'result', 'ip'],
    order: 'at',
  },
]

/** Columns of the user's own record that the role may read, without references to other users. */
const ownColumns = (fields: Fields, resource: AnyResource, { definitions }: Work) =>
  Object.entries(fields).flatMap(([name, field]) =>
    isStored(field) && !isPersonReference(definitions, field) && !name.endsWith('By') && Object.hasOwn(resource.fields, name)
      ? [name]
      : [],
  )

/** Records that reference the user: in full when they belong to the user, else their titles only. */
function placeOf({ resource, column }: StoredColumn, work: Work): Place {
  const fields = readableFields(resource, work.caller.role)
  const label = resource.fields[column]?.label ?? resource.label.one
  const titles = resource.title === undefined ? [] : [resource.title]
  // A title that is an e-mail belongs to another user.
  const told = titles.filter((name) => fields[name] && isStored(fields[name]) && fields[name].type !== 'email')
  const isOwn = column === 'userId'
  return {
    name: `${resource.name}.${column}`,
    title: composed((language) => `${say(resource.label.many, language)}: ${say(label, language)}`),
    table: tableOf(resource),
    whose: column,
    columns: ['id', ...(isOwn ? ['createdAt', ...ownColumns(fields, resource, work)] : told)],
    order: 'createdAt',
  }
}

async function sectionOf(
  { name, title, table, whose, columns, order }: Place,
  { db, caller, language }: Work,
): Promise<Section> {
  const rows = await rowsOf(
    db,
    sql<Row & { total: number }>`select ${sql.join(columns.map((column) => sql.id(column)))}, count(*) over ()::int4 as "total"
      from ${sql.table(table)} where ${sql.id(whose)} = ${caller.userId} order by ${sql.id(order)} desc limit ${mostRows}`,
  )
  const total = Number(rows[0]?.total ?? 0)
  return { name, title: say(title, language), total, rows: rows.map(({ total: _, ...row }) => row) }
}

/** Data export: everything stored about the caller; `account` is the own record as the caller sees it. */
export async function ownData(account: Row, work: Work): Promise<OwnData> {
  const title: Label = ['Account', 'Учётная запись']
  const stored = await storedColumns(work.db, work.definitions)
  const places = [...tables, ...personReferences(work.definitions, stored).map((reference) => placeOf(reference, work))]
  const sections: Section[] = [{ name: 'account', title: say(title, work.language), total: 1, rows: [account] }]
  // Sequential: they share the transaction's connection.
  for (const place of places) sections.push(await sectionOf(place, work))
  return { madeAt: work.now.toISOString(), sections: sections.filter(({ total }) => total > 0) }
}
