import { isOpenTo, rolesFor, titleOf } from '#schema/definition.ts'
import { unmetText } from '#schema/format/unmet-rule.ts'
import type { AnyResource, Verb } from '#schema/resource.ts'
import { holds, type RuleContext } from '#schema/rule.ts'
import { problem } from '#server/base/problems.ts'
import { belongsTo, type Catalog } from './catalog.ts'
import type { Row } from './resource-rules.ts'

/**
 * A caller's access to one row: the applicable definitions, and own-record fields where no role allows more. `isOwn`: the rules
 * grant the verb because the row belongs to the caller.
 */
export type RowAccess = { resources: readonly AnyResource[]; own: readonly AnyResource[]; isOwn: boolean }

type Asked = { resources: readonly AnyResource[]; verb: Verb; record: Row; context: RuleContext }

/** True when a row is within the scope of a role. */
export function inScope(resource: AnyResource, record: Row, context: RuleContext): boolean {
  const scope = resource.scope?.[context.user.role]
  return !scope || holds(scope, record, context)
}

const isOwn = ({ rules }: Catalog, { verb, record, context }: Asked) => {
  return ({ name }: AnyResource) => {
    const own = rules[name]?.own
    const covers = verb === 'show' || (verb === 'edit' && (own?.edit?.length ?? 0) > 0)
    return !!own && covers && holds(own.when, record, context)
  }
}

/** The definitions under a path through which a caller may use a verb on a row. */
export function rowAccessOf(catalog: Catalog, asked: Asked): RowAccess {
  const { resources, verb, record, context } = asked
  const fitting = resources.filter((resource) => belongsTo(resource, record) && inScope(resource, record, context))
  const byRole = fitting.filter((resource) => rolesFor(resource, verb).includes(context.user.role))
  const mine = fitting.filter(isOwn(catalog, asked))
  return { resources: byRole, own: mine.filter((resource) => !byRole.includes(resource)), isOwn: mine.length > 0 }
}

export const usedAs = ({ resources, own }: RowAccess): readonly AnyResource[] => [...resources, ...own]

const seesNothing = ({ resources, own }: RowAccess): boolean => resources.length + own.length === 0

type Changed = { verb: 'edit' | 'delete'; record: Row; context: RuleContext; isOwn?: boolean }

/** Name of a row in a problem's text. */
export const nameOf = (resource: AnyResource, record: Row): string => String(record[titleOf(resource)] ?? record.id)

const closedBy = { edit: 'edit.wrong-state', delete: 'delete.wrong-state' } as const

type Permitting = { resource: AnyResource; permit: string | undefined }

/**
 * Throws 403 when every one of these facts names a field of the record that denies the caller. Server rules run before, with
 * more specific problems.
 */
export function refuseUnpermitted(facts: readonly Permitting[], record: Row): void {
  const [first] = facts
  if (!first || facts.some(({ permit = '' }) => record[permit] !== false)) return
  throw problem('not-permitted', { values: { title: nameOf(first.resource, record) } })
}

/**
 * Refuses to change a row that is closed in every permitted definition: by its `permit` (403) unless it is the caller's own, or
 * by its state (409). Server rules run before, with more specific problems.
 */
export function refuseClosed(resources: readonly AnyResource[], { verb, record, context, isOwn }: Changed): void {
  const [first] = resources
  const facts = resources.map((resource) => ({ resource, permit: resource.permit }))
  if (!isOwn) refuseUnpermitted(facts, record)
  if (!first || resources.some((resource) => isOpenTo(resource, verb, record, context))) return
  const possible = unmetText(first.when?.[verb], { resource: first, record, context })
  throw problem(closedBy[verb], { values: { title: nameOf(first, record), possible } })
}

/** Refuses a verb on a row: 403 when the caller may see it, else 404, as for a missing row. */
export function requireAccess(catalog: Catalog, asked: Asked): RowAccess {
  const access = rowAccessOf(catalog, asked)
  if (!seesNothing(access)) return access
  throw problem(seesNothing(rowAccessOf(catalog, { ...asked, verb: 'show' })) ? 'not-found' : 'forbidden')
}
