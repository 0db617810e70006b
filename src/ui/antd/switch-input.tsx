import '@ant-design/v5-patch-for-react-19'
import { Switch } from 'antd'
import type { ControlProps } from '#ui/input/control-props.ts'
import { AntdProvider } from './antd-provider.tsx'
import { given } from './defined-props.ts'

export type SwitchInputProps = Omit<ControlProps, 'placeholder' | 'status' | 'name' | 'onBlur' | 'readOnly'> & {
  value: boolean
  onChange: (value: boolean) => void
}

export function SwitchInput({ value, onChange, 'aria-required': _required, ...control }: SwitchInputProps) {
  return (
    <AntdProvider>
      <span className="ui-switch-row">
        <Switch {...given(control)} checked={value} onChange={(checked) => onChange(checked)} />
      </span>
    </AntdProvider>
  )
}
