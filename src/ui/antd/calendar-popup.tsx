import '@ant-design/v5-patch-for-react-19'
import { DatePicker } from 'antd'
import dayjs from 'dayjs'
import { type DateKind, isDate } from '#ui/input/date/date-formats.ts'
import { overPopup } from '#ui/overlay/over-popup.ts'
import { AntdProvider } from './antd-provider.tsx'
import { given } from './defined-props.ts'

export type CalendarPopupProps = {
  /** As exchanged; anything else shows the present month. */
  value: string
  kind: DateKind
  min: string | undefined
  onPick: (value: string) => void
  onClose: () => void
}

const wireFormats: Readonly<Record<DateKind, string>> = { day: 'YYYY-MM-DD', moment: 'YYYY-MM-DDTHH:mm' }

/** The calendar of a date input, below it. The picker's own input is its anchor alone. */
export function CalendarPopup({ value, kind, min, onPick, onClose }: CalendarPopupProps) {
  const take = (picked: dayjs.Dayjs | dayjs.Dayjs[] | null) => {
    if (picked && !Array.isArray(picked)) onPick(picked.format(wireFormats[kind]))
  }
  return (
    <AntdProvider>
      <DatePicker
        {...given({
          minDate: min ? dayjs(min) : undefined,
          showTime: kind === 'moment' ? { format: 'HH:mm' } : undefined,
        })}
        className="ui-date-anchor"
        classNames={{ popup: { root: overPopup } }}
        open
        inputReadOnly
        tabIndex={-1}
        aria-hidden="true"
        needConfirm={false}
        showNow={false}
        value={isDate(value, kind) ? dayjs(value) : null}
        onCalendarChange={take}
        onOpenChange={(open) => open || onClose()}
      />
    </AntdProvider>
  )
}
