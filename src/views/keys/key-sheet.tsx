import type { ReactNode } from 'react'
import { usePermissions, useSay } from '#fields/definitions.tsx'
import { isAllowed } from '#schema/permissions.ts'
import type { AnyResource } from '#schema/resource.ts'
import { ModalDialog } from '#ui/antd/lazy-antd.ts'
import { Kbd } from '#ui/layout/kbd.tsx'
import { keyWords } from './key-words.ts'

type KeySheetProps = { resource: AnyResource; hasSelection: boolean; open: boolean; onClose: () => void }

type Line = { keys: readonly string[]; text: string }

/** Overview of the keyboard shortcuts available here. */
export function KeySheet({ resource, hasSelection, open, onClose }: KeySheetProps) {
  const sayLabel = useSay()
  const permissions = usePermissions()
  const actions = Object.entries(resource.actions ?? {}).flatMap(([name, { key, label }]): Line[] =>
    key && isAllowed(permissions, resource.name, name) ? [{ keys: [key], text: sayLabel(label) }] : [],
  )
  const moving: Line[] = [
    { keys: ['j'], text: sayLabel(keyWords.next) },
    { keys: ['k'], text: sayLabel(keyWords.previous) },
    { keys: ['Enter'], text: sayLabel(keyWords.open) },
    ...(hasSelection ? [{ keys: ['x'], text: sayLabel(keyWords.select) }] : []),
  ]
  const everywhere: Line[] = [
    { keys: ['/'], text: sayLabel(keyWords.search) },
    { keys: ['Ctrl', 'K'], text: sayLabel(keyWords.palette) },
    { keys: ['Ctrl', 'S'], text: sayLabel(keyWords.save) },
    { keys: ['?'], text: sayLabel(keyWords.sheet) },
  ]
  return (
    <ModalDialog open={open} title={sayLabel(keyWords.title)} onClose={onClose}>
      <div className="view-keys">
        <Part title={sayLabel(keyWords.rows)} lines={moving} />
        {actions.length > 0 && <Part title={sayLabel(keyWords.actions)} lines={actions} />}
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
