import { useConsole, useSay } from '#fields/definitions.tsx'
import { mayInTab } from '#schema/form/tab-links.ts'
import type { AnyResource } from '#schema/resource.ts'
import { Button } from '#ui/input/button.tsx'
import { createInPath, type RecordTab } from '#views/form/tab-address.ts'
import { viewWords } from '#views/shared/words.ts'

export type TabVerbsProps = { place: RecordTab; target: AnyResource }

/** Buttons that create or attach rows. */
export function TabVerbs({ place, target }: TabVerbsProps) {
  const sayLabel = useSay()
  const { definitions, permissions } = useConsole()
  if (!mayInTab(permissions, definitions, place, 'create')) return null
  return (
    <Button kind="primary" icon="plus" href={createInPath(target, place)}>
      {sayLabel(viewWords.createIn, { name: sayLabel(target.label.one) })}
    </Button>
  )
}
