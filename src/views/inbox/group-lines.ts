import { fieldOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'
import { type CardPaths, cardOf } from '#views/cards/card-of.ts'

/** The lines of a row below its group: the heading has said `by`, so the next value that names the row moves up to its place. */
export function groupLines(resource: AnyResource, by: string): CardPaths {
  const [title, second] = cardOf(resource)
  const others = second.filter((path) => path !== by)
  if (!title.includes(by)) return [title, others]
  const next = others.find((path) => fieldOf(resource, path)?.type === 'reference')
  const kept = title.filter((path) => path !== by)
  if (next !== undefined) return [[...kept, next], others.filter((path) => path !== next)]
  return kept.length > 0 ? [kept, others] : [others.slice(0, 1), others.slice(1)]
}
