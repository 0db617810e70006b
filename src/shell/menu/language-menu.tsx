import { languageRow, languages } from '#schema/words.ts'
import { useShell } from '#shell/shell-services.ts'
import { useShellLanguage, useWords } from '#shell/use-words.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { Menu } from '#ui/overlay/menu.tsx'

/** Switches between the languages, each named in itself. */
export function LanguageMenu() {
  const words = useWords()
  const current = useShellLanguage()
  const { changeLanguage } = useShell()
  const items = languages.map((language) => ({
    key: language,
    label: <span lang={language}>{languageRow(language).name}</span>,
    checked: language === current,
    onSelect: () => {
      changeLanguage(language).catch(() => openNotification({ kind: 'error', title: words('language.failed') }))
    },
  }))
  return <Menu label={words('language.label')} text={current.toUpperCase()} icon="language" items={items} />
}
