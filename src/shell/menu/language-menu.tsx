import { useShell } from '#shell/shell-services.ts'
import { useShellLanguage, useWords } from '#shell/use-words.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { Menu } from '#ui/overlay/menu.tsx'
import { offeredLanguages } from './offered-languages.ts'

/** Language switch; each language is named in itself. */
export function LanguageMenu() {
  const words = useWords()
  const current = useShellLanguage()
  const { changeLanguage } = useShell()
  const items = offeredLanguages(current).map(({ code, name }) => ({
    key: code,
    label: <span lang={code}>{name}</span>,
    checked: code === current,
    onSelect: () => {
      changeLanguage(code).catch(() => openNotification({ kind: 'error', title: words('language.failed') }))
    },
  }))
  const label = words('language.label')
  // Label in name (WCAG 2.5.3): the code is the visible text, and thus the voice command.
  const text = (
    <>
      <span className="ui-hidden">{label} </span>
      {current.toUpperCase()}
    </>
  )
  return <Menu label={label} text={text} icon="language" items={items} />
}
