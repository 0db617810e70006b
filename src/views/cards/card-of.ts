import '#schema/later/list-facts.ts'
import { fieldOf, listOf, titleOf } from '#schema/definition.ts'
import type { AnyResource } from '#schema/resource.ts'

/** The two lines of a card. */
export type CardPaths = readonly [title: readonly string[], line: readonly string[]]

/** Maximum number of values on the second line of a derived card. */
const lineParts = 3

const isState = (resource: AnyResource) => (path: string) => fieldOf(resource, path)?.type === 'status'

/** First line: title and first state; second line: the next columns. */
function derivedCard(resource: AnyResource, columns: readonly string[]): CardPaths {
  const title = columns.includes(titleOf(resource)) ? titleOf(resource) : columns[0]
  const others = columns.filter((path) => path !== title)
  const state = others.find(isState(resource))
  const first = [title, state].filter((path) => path !== undefined)
  return [first, others.filter((path) => path !== state).slice(0, lineParts)]
}

/** The two card lines of a row: from the definition, unless the viewer has chosen other columns. */
export function cardOf(resource: AnyResource, columns: readonly string[] = listOf(resource).columns): CardPaths {
  const { card } = resource.list ?? {}
  const isOwn = columns.join() === listOf(resource).columns.join()
  return card && isOwn ? card : derivedCard(resource, columns)
}

/** Adds the sort field to the card. */
export function withOrder([first, second]: CardPaths, order: string | undefined): CardPaths {
  return order === undefined || first.includes(order) || second.includes(order) ? [first, second] : [first, [order, ...second]]
}
