import { useNotification } from '@refinedev/core'
import { useCallback, useMemo, useState } from 'react'
import { useConsole, useRuleContext, useSay } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { pathOf } from '#schema/definition.ts'
import { linkOf, mayInTab } from '#schema/form/tab-links.ts'
import type { Action, AnyResource } from '#schema/resource.ts'
import { filled } from '#schema/words.ts'
import { type ActionOffer, isChangeable, type RunOptions } from '#views/actions/action-offer.ts'
import { type BulkResult, runBulk } from '#views/bulk/run-bulk.ts'
import type { RecordTab } from '#views/form/tab-address.ts'
import { useRowTitle } from '#views/list/use-row-title.ts'
import { useInvalidateResource } from '#views/shared/use-invalidate-resource.ts'
import { linkWords } from './link-words.ts'
import { useSetLink } from './use-set-link.ts'

/** Action that picks records to attach; options exclude those already attached where the list can filter them. */
function attachment(target: AnyResource, link: ReturnType<typeof linkOf>): Action {
  const isOne = link?.field.type === 'reference'
  const elsewhere = { options: `${pathOf(target, 'list')}?${link?.name}_ne={id}`, help: linkWords.moves }
  const chosen = { type: 'references', label: target.label.many, to: target.name, required: true } as const
  return { label: linkWords.attach, icon: 'link', form: { chosen: { ...chosen, ...(isOne ? elsewhere : {}) } } }
}

const detachment = (title: string): Action => ({
  label: linkWords.detach,
  icon: 'minus',
  confirm: { title: filled(linkWords.detachTitle, { title }), body: linkWords.detachText },
})

const idsIn = ({ values }: RunOptions): string[] => (Array.isArray(values?.chosen) ? values.chosen.map(String) : [])

export type LinkReport = { action: Action; results: readonly BulkResult[] }

/** Offers to attach and detach the rows of a tab; `report`: failures of a bulk attach. */
export function useLinkOffers(place: RecordTab, target: AnyResource, record: Row) {
  const { definitions, permissions } = useConsole()
  const sayLabel = useSay()
  const ruleContext = useRuleContext()
  const rowTitle = useRowTitle(target)
  const invalidate = useInvalidateResource()
  const { open } = useNotification()
  const setLink = useSetLink(place)
  const [report, setReport] = useState<LinkReport>()
  const { name: tabName, parent } = place

  const settle = useCallback(
    async (message: string | undefined) => {
      if (message !== undefined) open?.({ type: 'success', key: `link-${tabName}`, message })
      await invalidate(target, [parent.name])
    },
    [open, tabName, invalidate, target, parent],
  )
  const action = useMemo(() => attachment(target, linkOf(definitions, place)), [target, definitions, place])
  const attach = async (options: RunOptions) => {
    const ids = idsIn(options)
    if (ids.length === 0) throw new Error(sayLabel(linkWords.chooseFirst))
    const read = new Map<string, Row>(ids.map((id) => [id, { id }]))
    const run = (id: string) => setLink(id, true, (row) => read.set(id, row))
    const results = await runBulk({ rows: new Map(read), action, context: ruleContext(), run, onProgress: () => undefined })
    const isWhole = results.every(({ outcome }) => outcome === 'done')
    if (!isWhole)
      setReport({ action, results: results.map((result) => ({ ...result, row: read.get(result.id) ?? result.row })) })
    await settle(isWhole ? sayLabel(linkWords.attached, { count: ids.length }) : undefined)
  }
  const mayDetach = mayInTab(permissions, definitions, place, 'detach')
  const ofRow = useCallback(
    (row: Row): ActionOffer[] => {
      if (!mayDetach || !isChangeable(target, 'edit', row, ruleContext())) return []
      const [id, title] = [String(row.id), rowTitle(row)]
      const run = async () => {
        await setLink(id, false)
        await settle(sayLabel(linkWords.detached, { title }))
      }
      return [{ resource: target, name: `detach-${tabName}`, action: detachment(title), id, record: row, run }]
    },
    [mayDetach, target, tabName, ruleContext, rowTitle, setLink, settle, sayLabel],
  )
  const isOffered = mayInTab(permissions, definitions, place, 'attach')
  const head: ActionOffer[] = isOffered
    ? [{ resource: parent, name: `attach-${tabName}`, action, id: place.id, record, run: attach }]
    : []
  return { head, ofRow, report, dismiss: () => setReport(undefined) }
}
