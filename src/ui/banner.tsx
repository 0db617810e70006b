import type { ReactNode } from 'react'
import { Icon } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import type { IconName } from './icon-paths.ts'
import type { Tone } from './tokens.ts'
import { useUiWords } from './ui-words.tsx'

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

/** One line across the page or a form: what is the matter and what to do. */
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
