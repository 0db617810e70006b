import type { ReactNode } from 'react'
import { usePermissions, useSay } from '#fields/definitions.tsx'
import { isAllowed } from '#schema/permissions.ts'
import { ModalDialog } from '#ui/antd/lazy-antd.ts'
import { Kbd } from '#ui/layout/kbd.tsx'
import { bulkActions } from '#views/actions/action-offer.ts'
import { keyWords } from './key-words.ts'
import { keysTitle, type PagePart, usePageParts } from './page-keys.ts'
import './keys.css'

type KeySheetProps = { open: boolean; onClose: () => void }

type Line = { keys: readonly string[]; text: string }
type Rows = Exclude<PagePart, string>

/** Overview of the keyboard shortcuts that work on the page. */
export function KeySheet({ open, onClose }: KeySheetProps) {
  const sayLabel = useSay()
  const permissions = usePermissions()
  const parts = usePageParts()
  const lists = parts.filter((part): part is Rows => typeof part !== 'string')
  const actionsOf = (isOfMany: boolean) =>
    lists.flatMap(({ resource, hasSelection }) => {
      const ofMany = new Set(hasSelection ? bulkActions(resource, permissions).map(({ name }) => name) : [])
      return Object.entries(resource.actions ?? {}).flatMap(([name, { key, label }]): Line[] =>
        key && isAllowed(permissions, resource.name, name) && ofMany.has(name) === isOfMany
          ? [{ keys: [key], text: sayLabel(label) }]
          : [],
      )
    })
  const [actions, actionsOfMany] = [actionsOf(false), actionsOf(true)]
  const moving: Line[] = [
    { keys: ['j'], text: sayLabel(keyWords.next) },
    { keys: ['k'], text: sayLabel(keyWords.previous) },
    { keys: ['Enter'], text: sayLabel(keyWords.open) },
    ...(lists.some(({ hasSelection }) => hasSelection) ? [{ keys: ['x'], text: sayLabel(keyWords.select) }] : []),
  ]
  const onPage: Line[] = [
    ...(parts.includes('search') ? [{ keys: ['/'], text: sayLabel(keyWords.search) }] : []),
    ...(parts.includes('form') ? [{ keys: ['Ctrl', 'S'], text: sayLabel(keyWords.save) }] : []),
  ]
  const everywhere: Line[] = [
    { keys: ['Ctrl', 'K'], text: sayLabel(keyWords.palette) },
    { keys: ['?'], text: sayLabel(keyWords.sheet) },
  ]
  return (
    <ModalDialog open={open} title={sayLabel(keysTitle)} onClose={onClose}>
      <div className="view-keys">
        {lists.length > 0 && <Part title={sayLabel(keyWords.rows)} lines={moving} />}
        {actionsOfMany.length > 0 && <Part title={sayLabel(keyWords.actionsOfMany)} lines={actionsOfMany} />}
        {actions.length > 0 && <Part title={sayLabel(keyWords.actions)} lines={actions} />}
        {onPage.length > 0 && <Part title={sayLabel(keyWords.onPage)} lines={onPage} />}
        <Part title={sayLabel(keyWords.everywhere)} lines={everywhere} />
      </div>
    </ModalDialog>
  )
}

function Part({ title, lines }: { title: ReactNode; lines: readonly Line[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <dl>
        {lines.map(({ keys, text }) => (
          <div key={text}>
            <dt>
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
