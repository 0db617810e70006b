import { type IconName, iconPaths } from './icon-paths.ts'

export type IconProps = {
  name: IconName
  sizePx?: number | undefined
  label?: string | undefined
  className?: string | undefined
}

/** Decorative unless it has a `label`. */
export function Icon({ name, sizePx = 16, label, className }: IconProps) {
  const meaning = label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true }
  return (
    // biome-ignore lint/a11y/noSvgWithoutTitle: named by aria-label, or decoration
    <svg
      {...meaning}
      className={className ? `ui-icon ${className}` : 'ui-icon'}
      width={sizePx}
      height={sizePx}
      viewBox="0 0 24 24"
      focusable="false"
    >
      <path d={iconPaths[name]} />
    </svg>
  )
}
