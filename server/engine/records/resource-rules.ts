import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely, RawBuilder } from 'kysely'
import type { Definitions } from '#schema/definition.ts'
import type { Rule } from '#schema/rule.ts'
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

/** A change that the live stream tells. */
export type Change = { resource: string; id: string; version: number; type: 'created' | 'updated' | 'deleted' }

/** What a rule or an action works with: one transaction, who calls, and what leaves only after the commit. */
export type Work = {
  db: Kysely<AnyTables>
  caller: Caller
  now: Date
  language: Language
  requestId: string
  ip: string
  definitions: Definitions
  /** One more audit entry in the same transaction; the engine writes the ordinary ones by itself. */
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
  /** Sends a mail of #server/mail/mail-templates.ts after the commit, by `mailerOf(context)`. */
  mail(mail: Mail): void
  /** What must be kept although the work is refused: done after it was undone, in a transaction of its own. */
  despiteRefusal(task: (db: Queryable) => Promise<unknown>): void
  /** Anything else that must wait for the commit. */
  afterCommit(task: () => Promise<void> | void): void
}

export type ActionCall = { id: string; values: Row; record: Row | undefined; work: Work }
/** What it answers with instead of the record after the change: a body, or the id of what it has made. */
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

/** How a list of the domain is narrower than the resource's own. */
type Narrowing = {
  resource: string
  /** A condition on the table, which is called "t". */
  where?: RawBuilder<boolean>
  rules?: readonly Rule[]
  /** Query parameters that the route reads by itself. */
  ignore?: readonly string[]
  /** The only fields that are answered, filtered and sorted by, beside the id. */
  fields?: readonly string[]
}

/**
 * What the engine lends to routes that the domain writes by itself. `list` and `show` read by themselves, so they are called before
 * or after `run`, never inside of it: the embedded engine has one session, and they would wait for its transaction for ever.
 */
export type RecordTools = {
  context: ServerContext
  /** Runs work in one transaction for the caller of a request. Refuses (401) when nobody is signed in. */
  run<T>(request: FastifyRequest, work: (work: Work) => Promise<T>): Promise<T>
  /** Answers a list by the standard parameters, with its total in X-Total-Count. */
  list(request: FastifyRequest, reply: FastifyReply, narrowing: Narrowing): Promise<FastifyReply>
  /** A record as the caller may see it; 404 when there is none or it is out of sight. */
  show(request: FastifyRequest, resource: string, id: string): Promise<Row>
}

/** While the condition holds for "t", these SQL values stand for the fields' own. */
export type Masks = { when: RawBuilder<unknown>; values: Readonly<Record<string, RawBuilder<unknown>>> }

/** What a resource does beyond its definition. Every part is optional; a resource without rules needs none of this. */
export type ResourceRules = {
  /**
   * SQL of the derived fields; the resource's table is called "t": sql`"t"."lockedAt" is not null`. A derived group is a jsonb;
   * moments in it are written by `isoTime` of #server/db/iso-time.ts. A part of a group that lists are filtered by may stand here by
   * its path, too (`connection.state`): it is cheaper to work out than the whole group.
   */
  derived?: Readonly<Record<string, RawBuilder<unknown>>>
  /**
   * SQL of the derived fields that are another value for each caller; undefined where the row is for nobody. The text, here and in
   * `masks`, differs by role only: what is of the caller himself is a parameter, since a text without any serves all of his role.
   */
  forCaller?: (caller: Caller | undefined) => Readonly<Record<string, RawBuilder<unknown>>>
  /**
   * What a caller sees instead of a value, in SQL: he filters, sorts and searches by the mask, too, and finds it where another record
   * names the row. Undefined when nothing is kept from him.
   */
  masks?: (caller: Caller) => Masks | undefined
  /** Rows that are the caller's own: any role may read them, and write the fields named (a user's own profile). */
  own?: { when: Rule; edit?: readonly string[] }
  /** Who is told that these rows have changed though his role does not list them: their people. What they may read is said elsewhere. */
  listeners?: (db: Queryable, ids: readonly string[]) => Promise<readonly { id: string; userId: string }[]>
  /** Changes or refuses (by a thrown problem) what is about to be written. */
  beforeCreate?: (values: Row, work: Work) => Promise<Row>
  afterCreate?: (record: Row, work: Work) => Promise<void>
  beforeUpdate?: (change: Row, current: Row, work: Work) => Promise<Row>
  afterUpdate?: (record: Row, before: Row, work: Work) => Promise<void>
  /** `done`: the rule has deleted (softly) by itself. */
  beforeDelete?: (current: Row, work: Work) => Promise<'delete' | 'done'>
  /**
   * Masks or adds what only this caller may or must not see; runs on every record that leaves as a whole. Rows of lists leave as the
   * database writes them: what is kept from their reader is said by `masks`.
   */
  present?: (record: Row, caller: Caller) => Row
  /** Asked before an action is done, also of values that its form refuses, so that everything wrong is told at once. */
  checks?: Readonly<Record<string, ActionCheck>>
  /** Actions whose effect is more than writing the form's values and `set`. */
  actions?: Readonly<Record<string, ActionHandler | AnsweringAction>>
  /** Idempotent SQL run after the tables stand: `create unique index if not exists …`, for what a definition can not say. */
  indexes?: readonly string[]
  /** Extra calls of the contract; each declares its access. The engine adds no route where one of these already stands. */
  routes?: (api: Api, tools: RecordTools) => void | Promise<void>
}
