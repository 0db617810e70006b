import '@ant-design/v5-patch-for-react-19'
import { Input } from 'antd'
import type { ControlProps } from '#ui/input/control-props.ts'
import { classes } from '#ui/theme/classes.ts'
import { AntdProvider } from './antd-provider.tsx'
import { given } from './defined-props.ts'
import { sendForm } from './send-form.ts'

export type TextAreaInputProps = ControlProps & {
  value: string
  onChange: (value: string) => void
  /** Grows from this many lines… */
  rows?: number | undefined
  /** …to this many, then scrolls. */
  maxRows?: number | undefined
  /** Shows a character counter; does not cut the text. */
  maxLength?: number | undefined
  /** Monospace: JSON, keys. */
  code?: boolean | undefined
}

export function TextAreaInput({ value, onChange, rows = 3, maxRows = 12, maxLength, code, ...control }: TextAreaInputProps) {
  return (
    <AntdProvider>
      <Input.TextArea
        {...given(control)}
        className={classes('ui-wide', code && 'ui-code-area', maxLength !== undefined && 'ui-counted')}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={sendForm}
        autoSize={{ minRows: rows, maxRows }}
        count={maxLength === undefined ? {} : { max: maxLength, show: true }}
        spellCheck={!code}
      />
    </AntdProvider>
  )
}
