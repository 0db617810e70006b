import type { IconName } from '#ui/icon/icon-paths.ts'
import { Button } from '#ui/input/button.tsx'
import { CheckboxGroup, type CheckboxGroupProps } from '#ui/input/checkbox-group.tsx'
import { useUiWords } from '#ui/theme/ui-words.tsx'
import { Popover } from './popover.tsx'

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
