import type { ReactNode } from 'react'
import { Icon } from '#ui/icon/icon.tsx'
import type { IconName } from '#ui/icon/icon-paths.ts'
import type { Tone } from '#ui/theme/tokens.ts'
import { useUiWords } from '#ui/theme/ui-words.tsx'

export type TagProps = {
  tone?: Tone | undefined
  icon?: IconName | undefined
  title?: string | undefined
  onRemove?: (() => void) | undefined
  children: ReactNode
}

export function Tag({ tone = 'idle', icon, title, onRemove, children }: TagProps) {
  const words = useUiWords()
  return (
    <span className={`ui-tag ui-tone-${tone}`} title={title}>
      {icon && <Icon name={icon} sizePx={12} />}
      <span className="ui-tag-text">{children}</span>
      {onRemove && (
        <button type="button" className="ui-tag-remove" onClick={onRemove}>
          <Icon name="close" sizePx={12} label={words.remove} />
        </button>
      )}
    </span>
  )
}
