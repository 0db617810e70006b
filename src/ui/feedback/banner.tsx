import type { ReactNode } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import { IconButton } from '#ui/input/icon-button.tsx'
import type { Tone } from '#ui/theme/tokens.ts'
import { useUiWords } from '#ui/theme/ui-words.tsx'

const bannerIcons = {
  idle: 'info',
  info: 'info',
  good: 'check',
  warn: 'warning',
  bad: 'warning',
} as const satisfies Record<Tone, IconName>

export type BannerProps = {
  tone?: Tone | undefined
  action?: ReactNode
  onDismiss?: (() => void) | undefined
  children: ReactNode
}

/** One line across the page or a form: the problem and the remedy. */
export function Banner({ tone = 'info', action, onDismiss, children }: BannerProps) {
  const words = useUiWords()
  return (
    <div className={`ui-banner ui-tone-${tone}`} role={tone === 'bad' ? 'alert' : 'status'}>
      <Icon name={bannerIcons[tone]} />
      <div className="ui-banner-text">{children}</div>
      {action && <div className="ui-actions">{action}</div>}
      {onDismiss && <IconButton icon="close" size="small" label={words.dismiss} onClick={onDismiss} />}
    </div>
  )
}
