import { Button } from './button.tsx'
import { CheckboxGroup, type CheckboxGroupProps } from './checkbox-group.tsx'
import type { IconName } from './icon-paths.ts'
import { Popover } from './popover.tsx'
import { useUiWords } from './ui-words.tsx'

export type CheckboxPopoverProps = CheckboxGroupProps & { icon?: IconName | undefined; size?: 'small' | 'medium' | undefined }

/** A filter by a few values: a button that counts the choices and opens them. */
export function CheckboxPopover({ icon, size, ...group }: CheckboxPopoverProps) {
  const words = useUiWords()
  return (
    <Popover
      label={group.label}
      text={group.label}
      icon={icon}
      size={size}
      count={group.values.length}
      disabled={group.disabled}
    >
      <CheckboxGroup {...group} />
      <div className="ui-popover-foot">
        <Button kind="text" size="small" disabled={group.values.length === 0} onClick={() => group.onChange([])}>
          {words.clear}
        </Button>
      </div>
    </Popover>
  )
}
