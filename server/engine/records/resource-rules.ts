import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely, RawBuilder } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import type { Role } from '#schema/roles.ts'
import type { Rule } from '#schema/rule.ts'
import type { Outlook } from '#schema/wire/outlook.ts'
import type { Language } from '#schema/words.ts'
import type { Caller } from '#server/base/caller.ts'
import type { Api, ServerContext } from '#server/base/context.ts'
import type { Mail } from '#server/base/mail.ts'
import type { ShownFault } from '#server/base/problems.ts'
import type { Change } from '#server/db/events/add-events.ts'
import type { Queryable } from '#server/db/query.ts'
import type { DerivedSql } from '#server/engine/sql/shared-rows.ts'

/** A record or a part of one, keyed by field names; columns have the same names. */
export type Row = Record<string, unknown>

/** Tables of definitions are known at run time only, so their rows are plain records. */
// biome-ignore lint/suspicious/noExplicitAny: never used for values; a table name that is only known at run time
export type AnyTables = Record<string, Record<string, any>>

/**
 * Engine calls inside a rule or handler, in its transaction, with the same checks, transitions, rules, audit entry and live
 * event as a call of the API. `readOnly` is open to them, since it closes forms only; derived fields, and on update immutable
 * ones, are not. A refusal is thrown; when it is not caught, the whole transaction rolls back.
 */
export type RecordCalls = {
  /** The record as the caller may see it. */
  create(resource: string, values: Row): Promise<Row>
  /** `change` may include `version`; default: the latest one. */
  update(resource: string, id: string, change: Row): Promise<Row>
  remove(resource: string, id: string, reason?: string): Promise<void>
  /** The same with another role's permissions, in the caller's name: for an action that may do more than its caller. */
  as(role: Role): RecordCalls
}

/** An audit entry of a request; caller, time and address are added to it. */
export type WorkEntry = {
  action: string
  entityType: string
  entityId: string
  code?: string
  before?: Row
  after?: Row
  reason?: string
}

/** Context of a rule or action: one transaction, the caller, and tasks after the commit. */
export type Work = {
  db: Kysely<AnyTables>
  caller: Caller
  now: Date
  language: Language
  requestId: string
  ip: string
  definitions: Definitions
  config: ServerContext['config']
  records: RecordCalls
  /** Adds an audit entry in the same transaction; the engine adds the regular ones. */
  audit(entry: WorkEntry): Promise<void>
  /** The same for a change to many records, in few statements. */
  auditAll(entries: readonly WorkEntry[]): Promise<void>
  /** Announces a change after the commit; the engine announces its own. */
  changed(event: Change): void
  /** Queues a mail in this transaction; it is sent after the commit. */
  mail(mail: Mail): void
  /** A write that survives a refusal: it runs after the rollback in its own transaction. */
  afterRollback(task: (db: Queryable) => Promise<unknown>): void
  /** A task to run after the commit. */
  afterCommit(task: () => Promise<void> | void): void
}

/** Call of an action: `values` are those of its form, checked; a list action has an empty `id` and no `record`. */
export type ActionCall = { id: string; values: Row; record: Row | undefined; work: Work }
/**
 * A response other than the changed record: a body, or the id of a created record. `unchanged`: nothing is recorded or
 * announced.
 */
type ActionAnswer = { body?: unknown; made?: string; unchanged?: true }
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing special need not return
export type ActionHandler = (call: ActionCall) => Promise<ActionAnswer | void>
/**
 * An action with a response other than 200 with its record; `makes` names the resource of a created record. Status 200: the
 * record may already exist. `oneOf` documents optional inputs of which the handler requires one.
 */
export type AnsweringAction = {
  handler: ActionHandler
  status: 200 | 201 | 202 | 204
  makes?: string
  oneOf?: readonly string[]
}

/** Faults of an action's values beyond its form; an impossible action throws. */
export type ActionCheck = (call: ActionCall) => Promise<readonly ShownFault[]>

/** Restrictions of a list of the rules beyond the resource's own. */
type Narrowing = {
  resource: string
  /** Condition on the table "t". */
  where?: RawBuilder<boolean>
  rules?: readonly Rule[]
  /** Query parameters that the route itself reads. */
  ignore?: readonly string[]
  /** The only fields to answer, filter, search and sort by, besides the id. */
  fields?: readonly string[]
  /** Fields that the search looks through as well: what a shown name is made of. */
  searched?: readonly string[]
}

/**
 * Engine functions for routes of the rules. Call `list`, `selectedIds` and `show` before or after `transact`, never inside: the
 * embedded engine has one session, so they would deadlock.
 */
export type RecordTools = {
  context: ServerContext
  /** Runs work in one transaction for a request's caller. Throws 401 without a session. */
  transact<T>(request: FastifyRequest, work: (work: Work) => Promise<T>): Promise<T>
  /** Runs a read for a request's caller, without a transaction: each statement sees what is committed by then. */
  withoutTransaction<T>(request: FastifyRequest, work: (work: Work) => Promise<T>): Promise<T>
  /** Answers a list by the standard parameters, with the total in X-Total-Count. */
  list(request: FastifyRequest, reply: FastifyReply, narrowing: Narrowing): Promise<FastifyReply>
  /** Ids of the rows that a filter in a body matches, in list order, up to a limit. */
  selectedIds(request: FastifyRequest, resource: string, asked: { filter: Row; most: number }): Promise<string[]>
  /** A record as the caller may see it; 404 when missing or not visible. */
  show(request: FastifyRequest, resource: string, id: string): Promise<Row>
}

/** SQL expressions that replace fields of "t" while the condition holds. */
export type Masks = { when: RawBuilder<unknown>; values: Readonly<Record<string, RawBuilder<unknown>>> }

/** Server rules of a resource beyond its definition. Every part is optional. */
export type ResourceRules = {
  /**
   * SQL of derived fields over the table "t": sql`"t"."lockedAt" is not null`. A derived group is jsonb; its times use
   * `isoTime` of #server/db/iso-time.ts. A part used in filters may have its own entry (`connection.state`), which is cheaper
   * than the whole group. What several fields read is a `SharedRow`.
   */
  derived?: Readonly<Record<string, DerivedSql>>
  /**
   * SQL of derived fields that differ by caller; undefined without a caller. The text, here and in `masks`, may differ by role
   * only; the caller's values are parameters, so that one prepared statement serves the role.
   */
  forCaller?: (caller: Caller | undefined) => Readonly<Record<string, RawBuilder<unknown>>>
  /**
   * SQL that replaces values hidden from a caller, also in filters, sorts, search and references. Undefined when nothing is
   * hidden.
   */
  masks?: (caller: Caller) => Masks | undefined
  /** Rows that belong to the caller: any role may read them, and write the named fields (a user's own profile). */
  own?: { when: Rule; edit?: readonly string[] }
  /** Recipients of change events of these rows whose role does not list them. Read permissions are defined elsewhere. */
  recipients?: (db: Queryable, ids: readonly string[]) => Promise<readonly { id: string; userId: string }[]>
  /** Modifies or refuses (by throwing) the values to be written. */
  beforeCreate?: (values: Row, work: Work) => Promise<Row>
  afterCreate?: (record: Row, work: Work) => Promise<void>
  beforeUpdate?: (change: Row, current: Row, work: Work) => Promise<Row>
  afterUpdate?: (record: Row, before: Row, work: Work) => Promise<void>
  /** `done`: the rule has deleted the row itself (softly). */
  beforeDelete?: (current: Row, work: Work) => Promise<'delete' | 'done'>
  /**
   * Adds or hides caller-specific values; runs on every complete record in an answer. Rows of lists come directly from the
   * database: use `masks` for them.
   */
  present?: (record: Row, caller: Caller, now: Date) => Row
  /** Records covered by a form's values, for the definition's `outlook`. The values are validated as on saving. */
  outlook?: (values: Row, work: Work) => Promise<Outlook>
  /** Runs before an action, even when its form is invalid, so that all faults are reported at once. */
  checks?: Readonly<Record<string, ActionCheck>>
  /** Handlers of actions that do more than write form values and `set`. */
  actions?: Readonly<Record<string, ActionHandler | AnsweringAction>>
  /**
   * Idempotent SQL after table creation, for constraints that a definition cannot express: `create unique index if not exists
   * …`.
   */
  indexes?: readonly string[]
  /** Additional routes; each declares its access. The engine adds no route at an occupied path. */
  routes?: (api: Api, tools: RecordTools) => void | Promise<void>
}
