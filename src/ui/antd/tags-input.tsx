import '@ant-design/v5-patch-for-react-19'
import { Select } from 'antd'
import { Icon } from '#ui/icon/icon.tsx'
import type { ControlProps } from '#ui/input/control-props.ts'
import { AntdProvider } from './antd-provider.tsx'
import { given } from './defined-props.ts'
import { useRequired } from './use-required.ts'

export type TagsInputProps = Omit<ControlProps, 'readOnly'> & {
  value: readonly string[]
  onChange: (value: string[]) => void
  /** Words to choose from, each with a text beside it. */
  offered?: readonly { value: string; hint: string }[]
}

/** Free-text tags: Enter, a comma or a line break ends one. */
export function TagsInput({
  value,
  onChange,
  offered = [],
  'aria-required': isRequired,
  name: _name,
  ...control
}: TagsInputProps) {
  const select = useRequired(isRequired)
  return (
    <AntdProvider>
      <Select<string[]>
        ref={select}
        {...given(control)}
        mode="tags"
        className="ui-wide"
        {...(offered.length > 0
          ? {
              suffixIcon: <Icon name="chevron-down" />,
              options: offered.map((word) => ({ ...word, label: word.value })),
              optionRender: ({ data: { value: word, hint } }) => (
                <span className="ui-choice">
                  {word}
                  <span>{hint}</span>
                </span>
              ),
            }
          : { open: false, suffixIcon: null })}
        tokenSeparators={[',', ';', '\n']}
        value={[...value]}
        onChange={(next) => onChange([...new Set(next.map((word) => word.trim()).filter(Boolean))])}
      />
    </AntdProvider>
  )
}
