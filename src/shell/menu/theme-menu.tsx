import { useWords } from '#shell/use-words.ts'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { Menu } from '#ui/overlay/menu.tsx'
import { setTheme, type ThemeChoice, useTheme } from '#ui/theme/theme.ts'

const icons = { system: 'settings', light: 'sun', dark: 'moon' } as const satisfies Record<ThemeChoice, IconName>
export const themeChoices: readonly ThemeChoice[] = ['system', 'light', 'dark']

/** Light, dark, or the system's theme. */
export function ThemeMenu() {
  const words = useWords()
  const { theme, choice } = useTheme()
  const items = themeChoices.map((option) => ({
    key: option,
    label: words(`theme.${option}`),
    icon: icons[option],
    checked: option === choice,
    onSelect: () => setTheme(option),
  }))
  return <Menu label={words('theme.label')} icon={icons[theme]} items={items} />
}
