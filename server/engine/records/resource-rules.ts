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
import type { Queryable } from '#server/db/query.ts'

/** A record or a part of one, keyed by the names of the definition; columns are called the same. */
export type Row = Record<string, unknown>

/** Tables of definitions are known at run time only, so their rows are plain records. */
// biome-ignore lint/suspicious/noExplicitAny: never used for values; a table name that is only known at run time
export type AnyTables = Record<string, Record<string, any>>

/** A change announced by the live stream. */
export type Change = { resource: string; id: string; version: number; type: 'created' | 'updated' | 'deleted' }

/**
 * Calls of the engine inside of a rule or a handler, in its transaction: checks, transitions, rules, audit entry and live event are those
 * of a call of the API. A refusal is thrown; where it is not caught, it takes the whole call back.
 */
export type RecordCalls = {
  /** The record as the caller may see it. */
  create(resource: string, values: Row): Promise<Row>
  /** `change` may name `version`; without it the latest one is changed. */
  update(resource: string, id: string, change: Row): Promise<Row>
  remove(resource: string, id: string, reason?: string): Promise<void>
  /** The same with the rights of another role, in the name of the caller: for an action that may do more than who presses it. */
  as(role: Role): RecordCalls
}

/** The context of a rule or an action: one transaction, the caller, and tasks after the commit. */
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
  /** Adds an audit entry in the same transaction; the engine writes the ordinary ones. */
  audit(entry: {
    action: string
    entityType: string
    entityId: string
    code?: string
    before?: Row
    after?: Row
    reason?: string
  }): Promise<void>
  /** Announces a change after the commit; the engine announces those of its own calls. */
  changed(event: Change): void
  /** Writes a mail in this transaction; it leaves after the commit. */
  mail(mail: Mail): void
  /** A write that survives a refusal: it runs after the rollback in its own transaction. */
  despiteRefusal(task: (db: Queryable) => Promise<unknown>): void
  /** Anything else that must wait for the commit. */
  afterCommit(task: () => Promise<void> | void): void
}

export type ActionCall = { id: string; values: Row; record: Row | undefined; work: Work }
/** An answer other than the changed record: a body, or the id of a created record. */
type ActionAnswer = { body?: unknown; made?: string }
// biome-ignore lint/suspicious/noConfusingVoidType: a handler that answers nothing special need not return
export type ActionHandler = (call: ActionCall) => Promise<ActionAnswer | void>
/**
 * An action that answers something else than 200 with its record; `makes` names the resource of the record that it makes. 200: one that
 * may be there already.
 */
export type AnsweringAction = { handler: ActionHandler; status: 200 | 201 | 202 | 204; makes?: string }

/** Every fault of an action's values that its form does not see; what may not be at all is thrown. */
export type ActionCheck = (call: ActionCall) => Promise<readonly ShownFault[]>

/** Restrictions of a rule's list beyond the resource's own. */
type Narrowing = {
  resource: string
  /** A condition on the table, which is called "t". */
  where?: RawBuilder<boolean>
  rules?: readonly Rule[]
  /** Query parameters that the route reads itself. */
  ignore?: readonly string[]
  /** The only fields that are answered, filtered and sorted by, beside the id. */
  fields?: readonly string[]
}

/**
 * Engine functions for routes of the rules. Call `list`, `meant` and `show` before or after `run`, never inside: the embedded engine has
 * one session, and they would deadlock on its transaction.
 */
export type RecordTools = {
  context: ServerContext
  /** Runs work in one transaction for the caller of a request. Refuses (401) without a session. */
  run<T>(request: FastifyRequest, work: (work: Work) => Promise<T>): Promise<T>
  /** Answers a list by the standard parameters, with its total in X-Total-Count. */
  list(request: FastifyRequest, reply: FastifyReply, narrowing: Narrowing): Promise<FastifyReply>
  /** The ids of the rows that a filter in a body means, by the parameters of the list, in its order; at most so many. */
  meant(request: FastifyRequest, resource: string, asked: { filter: Row; most: number }): Promise<string[]>
  /** A record as the caller may see it; 404 when there is none or it is out of sight. */
  show(request: FastifyRequest, resource: string, id: string): Promise<Row>
}

/** While the condition holds for "t", these SQL expressions replace the fields. */
export type Masks = { when: RawBuilder<unknown>; values: Readonly<Record<string, RawBuilder<unknown>>> }

/** Rules of a resource beyond its definition. Every part is optional. */
export type ResourceRules = {
  /**
   * SQL of derived fields over the table "t": sql`"t"."lockedAt" is not null`. A derived group is jsonb; its times use
   * `isoTime` of #server/db/iso-time.ts. A part that lists filter by may have its own entry (`connection.state`), which is
   * cheaper than the whole group.
   */
  derived?: Readonly<Record<string, RawBuilder<unknown>>>
  /**
   * SQL of derived fields that differ by caller; undefined without a caller. The text, here and in `masks`, may differ by role
   * only; values of the caller are parameters, so that one prepared text serves the role.
   */
  forCaller?: (caller: Caller | undefined) => Readonly<Record<string, RawBuilder<unknown>>>
  /**
   * Masks: SQL that replaces values a caller may not see, also in filters, sorts, search and references. Undefined when nothing
   * is hidden.
   */
  masks?: (caller: Caller) => Masks | undefined
  /** Rows that are the caller's own: any role may read them, and write the fields named (a user's own profile). */
  own?: { when: Rule; edit?: readonly string[] }
  /**
   * People who receive change events of these rows although their role does not list them. Their read permissions are defined
   * elsewhere.
   */
  listeners?: (db: Queryable, ids: readonly string[]) => Promise<readonly { id: string; userId: string }[]>
  /** Changes or refuses (by a thrown problem) what is about to be written. */
  beforeCreate?: (values: Row, work: Work) => Promise<Row>
  afterCreate?: (record: Row, work: Work) => Promise<void>
  beforeUpdate?: (change: Row, current: Row, work: Work) => Promise<Row>
  afterUpdate?: (record: Row, before: Row, work: Work) => Promise<void>
  /** `done`: the rule has deleted (softly) itself. */
  beforeDelete?: (current: Row, work: Work) => Promise<'delete' | 'done'>
  /**
   * Adds or hides caller-specific values; runs on every complete record in an answer. Rows of lists come from the database
   * directly: use `masks` for them.
   */
  present?: (record: Row, caller: Caller) => Row
  /** Records that these values of a form take in, for the `outlook` of the definition. The values are checked as on saving. */
  outlook?: (values: Row, work: Work) => Promise<Outlook>
  /** Runs before an action, also for values that its form refuses, so that all faults are reported at once. */
  checks?: Readonly<Record<string, ActionCheck>>
  /** Actions whose effect is more than writing the form's values and `set`. */
  actions?: Readonly<Record<string, ActionHandler | AnsweringAction>>
  /**
   * Idempotent SQL after table creation, for constraints that a definition cannot express: `create unique index if not exists
   * …`.
   */
  indexes?: readonly string[]
  /** Extra routes; each declares its access. The engine adds no route at an occupied address. */
  routes?: (api: Api, tools: RecordTools) => void | Promise<void>
}
