import { theme as antd, type ThemeConfig } from 'antd'
import { palettes, seed, type ThemeName, toneColors } from '#ui/theme/tokens.ts'

type Algorithm = Exclude<NonNullable<ThemeConfig['algorithm']>, unknown[]>

const algorithms = { light: antd.defaultAlgorithm, dark: antd.darkAlgorithm } as const satisfies Record<ThemeName, Algorithm>

/** antd's dark algorithm shifts the seed colours; these must equal the colours of the rest of the kit. */
function seedColors(theme: ThemeName) {
  const { primary, danger, accent } = palettes[theme]
  const tone = toneColors[theme]
  return {
    colorPrimary: primary,
    colorError: danger,
    colorInfo: tone.info.solid,
    colorSuccess: tone.good.solid,
    colorWarning: tone.warn.solid,
    colorLink: accent,
  }
}

/** antd's theme from the same seed as theme.css. Light and dark share one stylesheet; only its variables differ. */
export function antdTheme(theme: ThemeName): ThemeConfig {
  const color = palettes[theme]
  const tone = toneColors[theme]
  const colors = seedColors(theme)
  const keepSeed: Algorithm = (token, map) => ({ ...(map ?? algorithms[theme](token)), ...colors })
  return {
    algorithm: [algorithms[theme], keepSeed],
    cssVar: { key: `ui-${theme}` },
    hashed: false,
    token: {
      ...colors,
      borderRadius: seed.radiusPx,
      controlHeight: seed.controlHeightPx,
      controlHeightSM: seed.controlHeightSmallPx,
      sizeUnit: seed.spacePx,
      fontSize: seed.fontSizePx,
      fontFamily: seed.fontFamily,
      fontFamilyCode: seed.fontFamilyCode,
      colorPrimaryHover: color.primaryHover,
      colorPrimaryActive: color.primaryActive,
      colorPrimaryBg: color.selected,
      colorPrimaryText: color.accent,
      colorLinkHover: color.accent,
      colorErrorHover: color.dangerHover,
      colorErrorText: tone.bad.text,
      colorErrorBg: tone.bad.background,
      colorWarningText: tone.warn.text,
      colorWarningBg: tone.warn.background,
      colorText: color.text,
      colorTextSecondary: color.textMuted,
      colorTextTertiary: color.textFaint,
      colorTextDescription: color.textMuted,
      colorTextPlaceholder: color.textFaint,
      colorIcon: color.textFaint,
      colorIconHover: color.text,
      colorBgLayout: color.background,
      colorBgContainer: color.surface,
      colorBgElevated: color.raised,
      colorBgMask: color.scrim,
      colorBgContainerDisabled: color.sunken,
      colorTextDisabled: color.textMuted,
      colorFillTertiary: color.hover,
      colorFillSecondary: color.skeleton,
      colorBorder: color.borderControl,
      colorBorderSecondary: color.border,
      colorSplit: color.border,
      controlItemBgHover: color.hover,
      controlItemBgActive: color.selected,
      controlItemBgActiveHover: color.selected,
      controlOutline: `color-mix(in srgb, ${color.accent} 35%, transparent)`,
      boxShadowSecondary: `0 8px 28px ${color.shadow}`,
      motion: !prefersLessMotion(),
    },
    components: {
      Select: {
        optionSelectedBg: color.selected,
        optionActiveBg: color.hover,
        multipleItemBg: tone.idle.background,
        colorTextQuaternary: color.textFaint,
      },
      Switch: { colorTextQuaternary: color.borderControl, colorTextTertiary: color.textFaint },
      Modal: { titleFontSize: 16 },
      InputNumber: { handleBorderColor: color.border },
    },
  }
}

function prefersLessMotion(): boolean {
  return typeof window !== 'undefined' && window.matchMedia('(prefers-reduced-motion: reduce)').matches
}
