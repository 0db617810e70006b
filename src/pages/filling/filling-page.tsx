import type { ComponentType } from 'react'
import { useConsole, useSay } from '#fields/definitions.tsx'
import type { Label } from '#schema/words.ts'
import { NotFoundScreen } from '#shell/errors/message-screens.tsx'
import { isMet, type Need } from '#shell/own-pages.ts'
import { usePathname } from '#shell/use-address.ts'
import { useWords } from '#shell/use-words.ts'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { PageHeader } from '#ui/layout/page-header.tsx'
import { TabNav } from '#ui/layout/tab-nav.tsx'
import { DemoTab } from './demo-tab.tsx'
import './filling.css'
import { fillingWords } from './filling-words.ts'
import { ImportTab } from './import/import-tab.tsx'
import { JobsTab } from './jobs-tab.tsx'
import { OutboxTab } from './outbox-tab.tsx'
import { ReferenceTab } from './reference/reference-tab.tsx'

const first = 'import'
const anImport: Need = { action: 'import' }
const tabs: Readonly<Record<string, { label: Label; icon: IconName; needs: Need; Body: ComponentType }>> = {
  [first]: { label: fillingWords.import, icon: 'upload', needs: anImport, Body: ImportTab },
  reference: {
    label: fillingWords.reference,
    icon: 'settings',
    needs: { resource: 'telemetry-warning', action: 'list' },
    Body: ReferenceTab,
  },
  demo: { label: fillingWords.demo, icon: 'star', needs: { resource: 'ess', action: 'import' }, Body: DemoTab },
  jobs: { label: fillingWords.jobs, icon: 'history', needs: anImport, Body: JobsTab },
  outbox: {
    label: fillingWords.outbox,
    icon: 'mail',
    needs: { resource: 'undelivered-message', action: 'list' },
    Body: OutboxTab,
  },
}

/** Ways to add data to an installation, each a tab with its own address. */
export function FillingPage() {
  const words = useWords()
  const sayLabel = useSay()
  const pathname = usePathname()
  const key = pathname.split('/')[2] || first
  const { permissions } = useConsole()
  const offered = Object.entries(tabs).filter(([, { needs }]) => isMet(needs, permissions))
  const tab = offered.find(([name]) => name === key)?.[1]
  if (!tab) return <NotFoundScreen />
  const { Body } = tab
  return (
    <>
      <PageHeader title={words('nav.filling')} subtitle={sayLabel(fillingWords.lead)} />
      <TabNav
        label={sayLabel(fillingWords.tabs)}
        current={key}
        items={offered.map(([name, { label, icon }]) => ({
          key: name,
          label: sayLabel(label),
          icon,
          href: name === first ? '/filling' : `/filling/${name}`,
        }))}
      />
      <Body />
    </>
  )
}
