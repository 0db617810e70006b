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
  /** A text is what was typed and could not be read. */
  value: number | string | undefined
  onChange: (value: number | string | undefined) => void
  /** Shown after the number; the value is in this unit. */
  unit?: string | undefined
  step?: number | undefined
}

/**
 * A number in the viewer's locale. Judging is the validator's: a value out of range is not clamped, decimals are not rounded
 * away, and a text that is no number stays and is the value, since a form would otherwise save the former one in its place.
 */
export function NumberInput({ value, onChange, unit, step, ...control }: NumberInputProps) {
  const marks = numberMarks(useUiLocale())
  const unitId = useId()
  const read = (text: string) => {
    const plain = plainNumber(text, marks, unit)
    return text.trim() === '' ? undefined : plain === undefined ? text : Number(plain)
  }
  return (
    <AntdProvider>
      <InputNumber<number | string>
        {...given({ ...control, step })}
        {...(unit && { suffix: <span id={unitId}>{unit}</span> })}
        aria-describedby={classes(unit && unitId, control['aria-describedby']) || undefined}
        className="ui-wide"
        value={value ?? null}
        onChange={(next) => onChange(next === null ? undefined : Number(next))}
        // The control tells of no text that it takes for none, nor of an empty one after it.
        onInput={(text) => onChange(read(text))}
        decimalSeparator={marks.decimal}
        parser={(text = '') => plainNumber(text, marks, unit) ?? text}
      />
    </AntdProvider>
  )
}
