import '@ant-design/v5-patch-for-react-19'
import { Select } from 'antd'
import type { ControlProps } from '#ui/input/control-props.ts'
import { AntdProvider } from './antd-provider.tsx'
import { given } from './defined-props.ts'

export type TagsInputProps = Omit<ControlProps, 'readOnly'> & { value: readonly string[]; onChange: (value: string[]) => void }

/** Free-text tags: Enter, a comma or a line break ends one. */
export function TagsInput({ value, onChange, 'aria-required': _required, name: _name, ...control }: TagsInputProps) {
  return (
    <AntdProvider>
      <Select<string[]>
        {...given(control)}
        mode="tags"
        className="ui-wide"
        open={false}
        suffixIcon={null}
        tokenSeparators={[',', ';', '\n']}
        value={[...value]}
        onChange={(next) => onChange([...new Set(next.map((word) => word.trim()).filter(Boolean))])}
      />
    </AntdProvider>
  )
}
