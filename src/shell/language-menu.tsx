import { languages } from '#schema/words.ts'
import { Menu } from '#ui/menu.tsx'
import { openNotification } from '#ui/notification.ts'
import { useShell } from './shell-services.ts'
import { useShellLanguage, useWords } from './use-words.ts'

/** Switches between the languages, each named in itself. */
export function LanguageMenu() {
  const words = useWords()
  const current = useShellLanguage()
  const { changeLanguage } = useShell()
  const items = languages.map((language) => ({
    key: language,
    label: <span lang={language}>{words(`language.${language}`)}</span>,
    checked: language === current,
    onSelect: () => {
      changeLanguage(language).catch(() => openNotification({ kind: 'error', title: words('language.failed') }))
    },
  }))
  return <Menu label={words('language.label')} text={current.toUpperCase()} icon="language" items={items} />
}
