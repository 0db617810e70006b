import { palettes, type ThemeName, type Tone, toneColors } from '#ui/theme/tokens.ts'

/** Line colours per theme; each has a contrast of at least 3 : 1 against the surface (tests/ui/chart.test.ts). */
export const lineColors = {
  light: {
    amber: '#b3740a',
    blue: '#2466c4',
    green: '#1f8549',
    violet: '#7a3fb5',
    red: '#c8323a',
    teal: '#0d7d86',
    pink: '#b8357f',
    slate: '#667085',
  },
  dark: {
    amber: '#e6ad45',
    blue: '#6cabf7',
    green: '#4fc07d',
    violet: '#b692ea',
    red: '#f2736f',
    teal: '#43bfc5',
    pink: '#ee80ba',
    slate: '#a3abb9',
  },
} as const satisfies Record<ThemeName, Record<string, string>>

export type LineColor = keyof (typeof lineColors)['light']

/** Colours of axes, grid and other chart parts that are not lines. */
export const chartPalette = (theme: ThemeName) => {
  const { border, textFaint, textMuted, text, surface, accent } = palettes[theme]
  return { grid: border, axis: textFaint, muted: textMuted, text, surface, accent }
}

export const toneColor = (theme: ThemeName, tone: Tone): string => toneColors[theme][tone].solid

export const faded = (color: string, alpha: number): string =>
  `${color}${Math.round(alpha * 255)
    .toString(16)
    .padStart(2, '0')}`
