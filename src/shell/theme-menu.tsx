import type { IconName } from '#ui/icon-paths.ts'
import { Menu } from '#ui/menu.tsx'
import { setTheme, type ThemeChoice, useTheme } from '#ui/theme.ts'
import { useWords } from './use-words.ts'

const icons = { system: 'settings', light: 'sun', dark: 'moon' } as const satisfies Record<ThemeChoice, IconName>
export const themeChoices: readonly ThemeChoice[] = ['system', 'light', 'dark']

/** Light, dark, or as the system has it. */
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
