import '@ant-design/v5-patch-for-react-19'
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { type FormEvent, type KeyboardEvent, type MouseEvent, useMemo, useState } from 'react'
import type { ControlProps } from '#ui/input/control-props.ts'
import { overPopup } from '#ui/overlay/over-popup.ts'
import { useUiLocale } from '#ui/theme/ui-words.tsx'
import { AntdProvider } from './antd-provider.tsx'
import { typedFormats, wireOf } from './date-formats.ts'
import { given } from './defined-props.ts'

export type DateInputProps = ControlProps & {
  /** `2026-05-31`, with time `2026-05-31T14:05`; empty for no value. It has no time zone: the caller chooses one. */
  value: string
  /** What is typed and is no date comes as it is typed: the validator refuses it. */
  onChange: (value: string) => void
  withTime?: boolean | undefined
  /** The first day of the calendar that can be picked. */
  min?: string | undefined
}

const valid = (day: dayjs.Dayjs) => (day.isValid() ? day : null)

/** A date in the order of the viewer's locale: typed, or picked in a calendar. The calendar is for the mouse; keyboard users type. */
export function DateInput({ value, onChange, withTime, min, ...control }: DateInputProps) {
  const locale = useUiLocale()
  const kind = withTime ? 'moment' : 'day'
  const formats = useMemo(() => typedFormats[kind](locale), [kind, locale])
  const [isOpen, setOpen] = useState(false)
  const day = dayjs(value, wireOf[kind], true)
  // antd clears a text that is no date as soon as the value changes: the former one stands below what is typed.
  const [former, setFormer] = useState<dayjs.Dayjs | null>(null)
  const shown = value === '' || day.isValid() ? valid(day) : former
  // antd reports a typed date on blur only.
  const handleInput = ({ target }: FormEvent) => {
    if (!(target instanceof HTMLInputElement)) return
    setOpen(false)
    const typed = dayjs(target.value, formats, true)
    setFormer(shown)
    onChange(typed.isValid() ? typed.format(wireOf[kind]) : target.value)
  }
  // The calendar would cover the next control, so it opens on click and not on keyboard focus.
  const handleClick = ({ currentTarget, target }: MouseEvent) => {
    if (target instanceof Node && currentTarget.contains(target)) setOpen(true)
  }
  // Esc closes the calendar first, then the layer around it.
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape' && isOpen) event.stopPropagation()
  }
  return (
    <AntdProvider>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears of the input inside */}
      <div className="ui-date" onInput={handleInput} onKeyDown={handleKeyDown} onClick={handleClick}>
        <DatePicker
          {...given({ ...control, minDate: min ? dayjs(min) : undefined, showTime: withTime && { format: 'HH:mm' } })}
          className="ui-wide"
          classNames={{ popup: { root: overPopup } }}
          format={formats}
          placeholder={control.placeholder ?? formats[0] ?? ''}
          needConfirm={false}
          preserveInvalidOnBlur
          showNow={false}
          value={shown}
          onChange={(picked: dayjs.Dayjs | null) => onChange(picked ? picked.format(wireOf[kind]) : '')}
          open={isOpen}
          onOpenChange={(open) => open || setOpen(false)}
        />
      </div>
    </AntdProvider>
  )
}
