import '@ant-design/v5-patch-for-react-19'
import { InputNumber } from 'antd'
import { useId } from 'react'
import type { ControlProps } from '#ui/input/control-props.ts'
import { numberMarks, plainNumber } from '#ui/input/typed-number.ts'
import { classes } from '#ui/theme/classes.ts'
import { useUiLocale } from '#ui/theme/ui-words.tsx'
import { AntdProvider } from './antd-provider.tsx'
import { given } from './defined-props.ts'

export type NumberInputProps = ControlProps & {
  value: number | undefined
  onChange: (value: number | undefined) => void
  /** Shown after the number; the value is in this unit. */
  unit?: string | undefined
  step?: number | undefined
  digits?: number | undefined
}

/**
 * A number in the viewer's locale. Limits belong to the validator: a value out of range stays visible instead of being clamped.
 */
export function NumberInput({ value, onChange, unit, step, digits, ...control }: NumberInputProps) {
  const marks = numberMarks(useUiLocale())
  const unitId = useId()
  return (
    <AntdProvider>
      <InputNumber<number | string>
        {...given({ ...control, precision: digits, step })}
        {...(unit && { suffix: <span id={unitId}>{unit}</span> })}
        aria-describedby={classes(unit && unitId, control['aria-describedby']) || undefined}
        className="ui-wide"
        value={value ?? null}
        onChange={(next) => onChange(next === null ? undefined : Number(next))}
        decimalSeparator={marks.decimal}
        parser={(text = '') => plainNumber(text, marks)}
      />
    </AntdProvider>
  )
}
