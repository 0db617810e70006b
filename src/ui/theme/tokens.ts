/** The two themes. `system` is a choice, not a theme (theme.ts). */
export type ThemeName = 'light' | 'dark'

/** Meaning of a state, in rising order of severity. */
export const tones = ['idle', 'info', 'good', 'warn', 'bad'] as const
export type Tone = (typeof tones)[number]

/** Text on background, and a solid mark (dot or bar) on a surface. */
type ToneColors = { text: string; background: string; solid: string }

/**
 * Sizes shared by both halves of the kit: theme.css repeats them (tests/ui/tokens.test.ts), and the antd theme is built from
 * them.
 */
export const seed = {
  radiusPx: 6,
  controlHeightPx: 32,
  controlHeightSmallPx: 26,
  spacePx: 4,
  fontSizePx: 14,
  /** By the variable, which names the own typeface once that has come (face.ts). */
  fontFamily: 'var(--ui-font)',
  fontFamilyCode: "ui-monospace, 'SF Mono', 'Cascadia Mono', 'Roboto Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace",
} as const

/** Colours by name, one set per theme. Text pairs have a contrast of at least 4.5 : 1 (tests/ui/tokens.test.ts). */
export const palettes = {
  light: {
    primary: '#5b2a86',
    primaryHover: '#6f3a9f',
    primaryActive: '#47206a',
    onPrimary: '#ffffff',
    accent: '#5b2a86',
    background: '#f6f5f8',
    surface: '#ffffff',
    raised: '#ffffff',
    sunken: '#faf9fb',
    border: '#e5e2ea',
    borderButton: '#cfc9d9',
    borderControl: '#928a9e',
    text: '#1f1a27',
    textMuted: '#5c5567',
    textFaint: '#6d6578',
    hover: '#f5f2f9',
    selected: '#efe7f8',
    danger: '#bf2329',
    dangerHover: '#a81c22',
    onDanger: '#ffffff',
    skeleton: '#ebe8ef',
    scrim: 'rgb(31 26 39 / 45%)',
    shadow: 'rgb(38 25 56 / 14%)',
  },
  dark: {
    primary: '#8756c4',
    primaryHover: '#8d5dca',
    primaryActive: '#7646b0',
    onPrimary: '#ffffff',
    accent: '#c8a9f0',
    background: '#121016',
    surface: '#19161f',
    raised: '#221e2a',
    sunken: '#16131b',
    border: '#302b3a',
    borderButton: '#453e51',
    borderControl: '#756c84',
    text: '#ece9f1',
    textMuted: '#b0a8bc',
    textFaint: '#9a91a7',
    hover: '#221d2b',
    selected: '#322548',
    danger: '#cf3d42',
    dangerHover: '#d2444a',
    onDanger: '#ffffff',
    skeleton: '#2a2534',
    scrim: 'rgb(6 4 9 / 62%)',
    shadow: 'rgb(0 0 0 / 55%)',
  },
} as const satisfies Record<ThemeName, Record<string, string>>

export const toneColors = {
  light: {
    idle: { text: '#554e61', background: '#eeecf2', solid: '#8d8698' },
    info: { text: '#1c4f92', background: '#e6f0fc', solid: '#2f74d0' },
    good: { text: '#17602f', background: '#e1f4e7', solid: '#2b9a52' },
    warn: { text: '#744503', background: '#fcf0d6', solid: '#d0830a' },
    bad: { text: '#a01c21', background: '#fde9e8', solid: '#d92d33' },
  },
  dark: {
    idle: { text: '#bdb6c8', background: '#2b2635', solid: '#8d8499' },
    info: { text: '#95c1f8', background: '#17293f', solid: '#4b8fe6' },
    good: { text: '#84d69e', background: '#153021', solid: '#3fb56a' },
    warn: { text: '#f1bd63', background: '#38290f', solid: '#e09a2b' },
    bad: { text: '#ffa29e', background: '#411b1e', solid: '#ee5358' },
  },
} as const satisfies Record<ThemeName, Record<Tone, ToneColors>>
