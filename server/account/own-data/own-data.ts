import { sql } from 'kysely'
import { fieldOf } from '#schema/definition.ts'
import type { Fields } from '#schema/field-types.ts'
import { readableFields } from '#schema/record-schema.ts'
import type { AnyResource } from '#schema/resource.ts'
import { composed, type Label, say } from '#schema/words.ts'
import {
  isPersonReference,
  nestedPersonReferences,
  personReferences,
  type StoredColumn,
  storedColumns,
} from '#server/account/person-references.ts'
import { rowsOf } from '#server/db/query.ts'
import type { Row, Work } from '#server/engine/records/resource-rules.ts'
import { isStored } from '#server/engine/sql/column-types.ts'
import { tableOf } from '#server/engine/sql/field-sql.ts'
import { seenSql } from '#server/engine/sql/seen-sql.ts'
import { recordsNaming } from './own-parts.ts'

/** A user's rows in one table, newest first. `total` includes rows that the file omits; of parts it counts one of these. */
type Section = { name: string; title: string; total: number; rows: readonly Row[] }
type OwnData = { madeAt: string; sections: Section[] }

type Place = {
  name: string
  title: Label
  table: string
  whose: string
  columns: readonly string[]
  order: string
  /** Definition of the table: ids that it hides from the role are left out. */
  resource?: AnyResource
}

const mostRows = 10_000
/** Records that name the user in a part have no index: a count of all of them would read the whole table. */
const mostNamed = 5_000

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

const nameOf = ({ resource, column }: StoredColumn) => `${resource.name}.${column}`

function titleOf({ resource, column }: StoredColumn): Label {
  const label = resource.fields[column]?.label ?? resource.label.one
  return composed((language) => `${say(resource.label.many, language)}: ${say(label, language)}`)
}

/** The title of records that are not the user's own. One that is an e-mail belongs to another user. */
function shownColumns({ resource }: StoredColumn, { caller }: Work): string[] {
  const fields = readableFields(resource, caller.role)
  const titles = resource.title === undefined ? [] : [resource.title]
  return titles.filter((name) => fields[name] && isStored(fields[name]) && fields[name].type !== 'email')
}

/** Records that reference the user: in full when they belong to the user, else their titles only. */
function placeOf(reference: StoredColumn, work: Work): Place {
  const { resource, column } = reference
  const fields = readableFields(resource, work.caller.role)
  const isOwn = column === 'userId'
  return {
    name: nameOf(reference),
    title: titleOf(reference),
    table: tableOf(resource),
    whose: column,
    columns: ['id', ...(isOwn ? ['createdAt', ...ownColumns(fields, resource, work)] : shownColumns(reference, work))],
    order: 'createdAt',
    resource,
  }
}

/** A column as its reader sees it. */
function columnSql(resource: AnyResource | undefined, name: string, { caller, definitions, now }: Work) {
  const value = sql`${sql.ref(`t.${name}`)}`
  const field = resource && fieldOf(resource, name)
  const seen = field ? seenSql({ resource, definitions, rules: {}, caller, now }, field, value) : value
  return sql`${seen} as ${sql.id(name)}`
}

async function sectionOf({ name, title, table, whose, columns, order, resource }: Place, work: Work): Promise<Section> {
  const rows = await rowsOf(
    work.db,
    sql<Row & { total: number }>`select ${sql.join(columns.map((column) => columnSql(resource, column, work)))},
      count(*) over ()::int4 as "total"
      from ${sql.table(table)} as "t" where ${sql.ref(`t.${whose}`)} = ${work.caller.userId} order by ${sql.ref(`t.${order}`)} desc
      limit ${mostRows}`,
  )
  const total = Number(rows[0]?.total ?? 0)
  return { name, title: say(title, work.language), total, rows: rows.map(({ total: _, ...row }) => row) }
}

/** Records that name the user inside of a group or a list. */
async function nestedSection(column: StoredColumn, work: Work): Promise<Section> {
  const rows = await recordsNaming({ column, columns: shownColumns(column, work), most: mostNamed + 1 }, work)
  const title = say(titleOf(column), work.language)
  return { name: nameOf(column), title, total: rows.length, rows: rows.slice(0, mostNamed) }
}

/** Data export: everything stored about the caller; `account` is the own record as the caller sees it. */
export async function ownData(account: Row, work: Work): Promise<OwnData> {
  const title: Label = ['Account', 'Учётная запись']
  const stored = await storedColumns(work.db, work.definitions)
  const places = [...tables, ...personReferences(work.definitions, stored).map((reference) => placeOf(reference, work))]
  const sections: Section[] = [{ name: 'account', title: say(title, work.language), total: 1, rows: [account] }]
  // Sequential: they share the transaction's connection.
  for (const place of places) sections.push(await sectionOf(place, work))
  for (const column of nestedPersonReferences(work.definitions, stored)) sections.push(await nestedSection(column, work))
  return { madeAt: work.now.toISOString(), sections: sections.filter(({ total }) => total > 0) }
}
