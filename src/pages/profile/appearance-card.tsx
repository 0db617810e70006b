import { isLanguage } from '#schema/words.ts'
import { offeredLanguages } from '#shell/menu/offered-languages.ts'
import { themeChoices } from '#shell/menu/theme-menu.tsx'
import { useShell } from '#shell/shell-services.ts'
import { useShellLanguage, useWords } from '#shell/use-words.ts'
import { openNotification } from '#ui/feedback/notification.ts'
import { FormField } from '#ui/input/form-field.tsx'
import { FormGrid } from '#ui/input/form-grid.tsx'
import { NativeSelect } from '#ui/input/native-select.tsx'
import { Card } from '#ui/layout/card.tsx'
import { setTheme, useTheme } from '#ui/theme/theme.ts'

/** Language and theme; both take effect at once. */
export function AppearanceCard() {
  const words = useWords()
  const language = useShellLanguage()
  const { choice } = useTheme()
  const { changeLanguage } = useShell()
  const handleLanguage = (next: string) => {
    if (!isLanguage(next)) return
    changeLanguage(next).catch(() => openNotification({ kind: 'error', title: words('language.failed') }))
  }
  const handleTheme = (next: string) => {
    const found = themeChoices.find((option) => option === next)
    if (found) setTheme(found)
  }
  return (
    <Card title={words('profile.appearance')}>
      <FormGrid>
        <FormField id="profile-language" label={words('language.label')}>
          {(control) => (
            <NativeSelect
              {...control}
              options={offeredLanguages(language).map(({ code, name }) => ({ value: code, label: name }))}
              value={language}
              onChange={handleLanguage}
            />
          )}
        </FormField>
        <FormField id="profile-theme" label={words('theme.label')}>
          {(control) => (
            <NativeSelect
              {...control}
              options={themeChoices.map((value) => ({ value, label: words(`theme.${value}`) }))}
              value={choice}
              onChange={handleTheme}
            />
          )}
        </FormField>
      </FormGrid>
    </Card>
  )
}
