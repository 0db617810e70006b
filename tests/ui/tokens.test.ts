import { readFileSync } from 'node:fs'
import { theme as antd } from 'antd'
import { describe, expect, it } from 'vitest'
import { antdTheme } from '#ui/antd/theme.ts'
import { palettes, seed, type ThemeName, toneColors, tones } from '#ui/theme/tokens.ts'

const css = readFileSync(new URL('../../src/ui/theme/theme.css', import.meta.url), 'utf8')
const themes: ThemeName[] = ['light', 'dark']

/** Variables of theme.css with their values in both themes. */
function variablesOfCss(): Record<string, Record<ThemeName, string>> {
  const flat = css.replace(/\s+/g, ' ')
  const found = [...flat.matchAll(/(--ui-[a-z-]+): ([^;]+);/g)].map(([, name = '', value = '']) => {
    const both = /^light-dark\( ?(.+), ([^,]+?) ?\)$/.exec(value)
    return [name, { light: both?.[1] ?? value, dark: both?.[2] ?? value }]
  })
  return Object.fromEntries(found)
}

const bare = (value: string | undefined) => value?.replace(/['"\s]/g, '')

function luminance(hex: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5]
    .map((start) => Number.parseInt(hex.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [lighter = 0, darker = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (lighter + 0.05) / (darker + 0.05)
}

/** Degrees of the colour wheel, 0 red, 240 blue. */
function hue(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const most = Math.max(r, g, b)
  const span = most - Math.min(r, g, b)
  const turn = most === r ? (g - b) / span : most === g ? 2 + (b - r) / span : 4 + (r - g) / span
  return (turn * 60 + 360) % 360
}

const kebab = (name: string) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** The colour variables of one look by CSS name: `--ui-text-muted`, `--ui-good-background`. theme.css must say the same. */
function colorVariables(theme: ThemeName): Record<string, string> {
  const base = Object.entries(palettes[theme]).map(([key, value]) => [`--ui-${kebab(key)}`, value])
  const toned = tones.flatMap((tone) =>
    Object.entries(toneColors[theme][tone]).map(([part, value]) => [`--ui-${tone}-${part}`, value]),
  )
  return Object.fromEntries([...base, ...toned])
}

/** The measures by CSS name. */
function measureVariables(): Record<string, string> {
  return {
    '--ui-radius': `${seed.radiusPx}px`,
    '--ui-control-height': `${seed.controlHeightPx}px`,
    '--ui-control-height-small': `${seed.controlHeightSmallPx}px`,
    '--ui-space': `${seed.spacePx}px`,
    '--ui-font-size': `${seed.fontSizePx}px`,
    '--ui-font-code': seed.fontFamilyCode,
  }
}

it('has a dark purple as its primary colour', () => {
  const { primary } = palettes.light
  expect(hue(primary)).toBeGreaterThan(255)
  expect(hue(primary)).toBeLessThan(295)
  expect(luminance(primary)).toBeLessThan(0.12)
})

describe.each(themes)('the %s look', (theme) => {
  it('has the same colours in the style sheet as in the tokens', () => {
    const said = variablesOfCss()
    for (const [name, value] of Object.entries(colorVariables(theme))) expect(bare(said[name]?.[theme]), name).toBe(bare(value))
  })

  it('gives antd the colours and measures that the style sheet has', () => {
    const token = antd.getDesignToken(antdTheme(theme))
    const color = palettes[theme]
    expect(token).toMatchObject({
      colorPrimary: color.primary,
      colorError: color.danger,
      colorText: color.text,
      colorBgContainer: color.surface,
      colorBorder: color.borderControl,
      borderRadius: seed.radiusPx,
      controlHeight: seed.controlHeightPx,
      fontFamily: 'var(--ui-font)',
    })
  })

  it('keeps 4.5 to 1 where there is text', () => {
    const color = palettes[theme]
    const onSurfaces = [color.text, color.textMuted, color.textFaint, color.accent].flatMap((text) =>
      [color.background, color.surface, color.raised, color.sunken, color.hover].map((behind) => [text, behind] as const),
    )
    const filled = [
      [color.onPrimary, color.primary],
      [color.onPrimary, color.primaryHover],
      [color.onDanger, color.danger],
      [color.onDanger, color.dangerHover],
      [color.accent, color.selected],
      [color.text, color.selected],
    ] as const
    const toned = tones.map((tone) => [toneColors[theme][tone].text, toneColors[theme][tone].background] as const)
    const weak = [...onSurfaces, ...filled, ...toned].filter(([text, behind]) => contrast(text, behind) < 4.5)
    expect(weak).toEqual([])
  })

  it('keeps 3 to 1 where a line or a dot carries the meaning', () => {
    const color = palettes[theme]
    const marks = [color.borderControl, color.accent, ...tones.map((tone) => toneColors[theme][tone].solid)]
    expect(marks.filter((mark) => contrast(mark, color.surface) < 3)).toEqual([])
  })
})

it('has the same measures in the style sheet as in the tokens', () => {
  const said = variablesOfCss()
  for (const [name, value] of Object.entries(measureVariables())) expect(bare(said[name]?.light), name).toBe(bare(value))
})

it('knows no variable in the style sheet that the tokens do not have', () => {
  const known = { ...colorVariables('light'), ...measureVariables(), [seed.fontFamily.slice('var('.length, -1)]: '' }
  expect(Object.keys(variablesOfCss()).filter((name) => !(name in known))).toEqual([])
})
