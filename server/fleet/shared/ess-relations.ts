import { type RawBuilder, sql } from 'kysely'
import type { Role } from '#schema/roles.ts'
import { isActiveRelation } from './assignment-sql.ts'

/** States before the handover: until then an installer may open his systems. */
export const beforeHandover: readonly unknown[] = ['PLANNED', 'COMMISSIONING']
export const isBeforeHandover = sql<boolean>`"r"."lifecycle" = any(${sql.val(beforeHandover)}::text[])`

const always = sql<boolean>`true`

/**
 * How a person has to do with a system. `role`: the only one that the relation is for; with another one it opens nothing, tells
 * nothing, and ends. The rows "r" are those where `holds` is true; where `opens` is true too, the person may open the system.
 */
export const essRelations = {
  owner: { role: 'client', table: 'ess', ess: 'id', user: 'ownerId', holds: always, opens: always },
  guest: { role: 'client', table: 'guest', ess: 'essId', user: 'userId', holds: isActiveRelation, opens: always },
  service_engineer: {
    role: 'service_engineer',
    table: 'service_engineer',
    ess: 'essId',
    user: 'userId',
    holds: isActiveRelation,
    opens: always,
  },
  installer: { role: 'installer', table: 'ess', ess: 'id', user: 'installerId', holds: always, opens: isBeforeHandover },
} as const satisfies Record<
  string,
  { role: Role; table: string; ess: string; user: string; holds: RawBuilder<boolean>; opens: RawBuilder<boolean> }
>

export type EssRelation = keyof typeof essRelations
export const relationNames = Object.keys(essRelations) as readonly EssRelation[]

const none = sql`(select null::text where false)`
const unionOf = (parts: readonly RawBuilder<unknown>[]) => (parts.length === 0 ? none : sql`(${sql.join(parts, sql` union `)})`)

/** Ids of systems by the index of each relation: one condition with several would look at every system. */
const idsOf = (names: readonly EssRelation[], user: string, condition: 'holds' | 'opens') =>
  unionOf(
    names.map((name) => {
      const row = essRelations[name]
      const isOpen = condition === 'opens' ? sql` and ${row.opens}` : sql``
      return sql`select "r".${sql.id(row.ess)} from ${sql.table(row.table)} "r" where "r".${sql.id(row.user)} = ${user} and ${row.holds}${isOpen}`
    }),
  )

/** Ids of the systems that a user is related with, or that the relation opens, whatever the role; for the staff. */
export const relatedSystems = (
  names: readonly EssRelation[],
  user: string,
  condition: 'holds' | 'opens',
): RawBuilder<unknown> => idsOf(names, user, condition)

type Holder = { userId: string; role: Role }

/** Ids of the systems that a caller outside of the staff may open, by relations that the role may have. */
export const openSystems = ({ userId, role }: Holder, names: readonly EssRelation[] = relationNames): RawBuilder<unknown> =>
  idsOf(
    names.filter((name) => essRelations[name].role === role),
    userId,
    'opens',
  )

/** Pairs of "id" and "userId": who of these roles may open these systems by a relation. */
export const peopleWith = (roles: readonly Role[], ids: readonly string[]): RawBuilder<unknown> =>
  sql.join(
    Object.values(essRelations)
      .filter(({ role }) => roles.includes(role))
      .map(
        ({ role, table, ess, user, holds, opens }) => sql`select "r".${sql.id(ess)} as "id", "r".${sql.id(user)} as "userId"
          from ${sql.table(table)} "r" join "user" "u" on "u"."id" = "r".${sql.id(user)} and "u"."role" = ${sql.lit(role)}
          where "r".${sql.id(ess)} = any(${sql.val(ids)}::text[]) and ${holds} and ${opens}`,
      ),
    sql` union `,
  )

/** Condition: the user "u" may open a system by a relation that the role may have. */
export const isRelated = (essId: RawBuilder<unknown>): RawBuilder<boolean> =>
  sql<boolean>`(${sql.join(
    Object.values(essRelations).map(
      ({
        role,
        table,
        ess,
        user,
        holds,
        opens,
      }) => sql`"u"."role" = ${sql.lit(role)} and exists (select 1 from ${sql.table(table)} "r"
        where "r".${sql.id(ess)} = ${essId} and "r".${sql.id(user)} = "u"."id" and ${holds} and ${opens})`,
    ),
    sql` or `,
  )})`
