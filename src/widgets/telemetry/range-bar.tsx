import { useState } from 'react'
import { useSay } from '#fields/definitions.tsx'
import { presentMs } from '#schema/format/present-time.ts'
import { isoFromLocal, localFromIso } from '#schema/format/zone-time.ts'
import type { TimeWindow } from '#ui/chart/chart-types.ts'
import { Button } from '#ui/input/button.tsx'
import { DateInput } from '#ui/input/date/date-input.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { IconButton } from '#ui/input/icon-button.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { type RangeName, ranges, soundWindow } from './chart-state.ts'
import { telemetryWords } from './telemetry-words.ts'
import type { ChartControl } from './use-chart-state.ts'

export type RangeBarProps = {
  control: ChartControl
  /** The displayed span. */
  window: TimeWindow
  zone: string | undefined
}

const names = Object.keys(ranges) as RangeName[]

/** Range controls: presets that end now, custom spans, steps and zoom. */
export function RangeBar({ control, window, zone }: RangeBarProps) {
  const sayLabel = useSay()
  const { state, change } = control
  const lengthMs = window.toMs - window.fromMs
  const show = (next: TimeWindow) => change({ window: soundWindow(next, presentMs()) })
  const move = (shareOfWindow: number) => {
    const byMs = lengthMs * shareOfWindow
    show({ fromMs: window.fromMs + byMs, toMs: window.toMs + byMs })
  }
  const scale = (factor: number) => {
    const byMs = (lengthMs * (factor - 1)) / 2
    show({ fromMs: window.fromMs - byMs, toMs: window.toMs + byMs })
  }
  return (
    <div className="tele-range">
      <fieldset className="tele-ranges">
        <legend className="ui-hidden">{sayLabel(telemetryWords.range)}</legend>
        {names.map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={!state.window && state.range === name}
            onClick={() => change({ range: name, window: undefined, atMs: undefined })}
          >
            {sayLabel(ranges[name].label)}
          </button>
        ))}
      </fieldset>
      <Popover label={sayLabel(telemetryWords.customTitle)} text={sayLabel(telemetryWords.custom)} icon="calendar" size="small">
        {(close) => (
          <CustomRange
            {...{ window, zone }}
            onShow={(next) => {
              close()
              show(next)
            }}
          />
        )}
      </Popover>
      <span className="tele-moves">
        <IconButton icon="chevron-left" size="small" label={sayLabel(telemetryWords.earlier)} onClick={() => move(-0.5)} />
        <IconButton
          icon="chevron-right"
          size="small"
          label={sayLabel(telemetryWords.later)}
          disabled={!state.window}
          onClick={() => move(0.5)}
        />
        <IconButton icon="plus" size="small" label={sayLabel(telemetryWords.zoomIn)} onClick={() => scale(0.5)} />
        <IconButton icon="minus" size="small" label={sayLabel(telemetryWords.zoomOut)} onClick={() => scale(2)} />
        {state.window && (
          <Button size="small" icon="undo" onClick={() => change({ window: undefined })}>
            {sayLabel(telemetryWords.reset)}
          </Button>
        )}
      </span>
    </div>
  )
}

type CustomRangeProps = { window: TimeWindow; zone: string | undefined; onShow: (window: TimeWindow) => void }

function CustomRange({ window, zone, onShow }: CustomRangeProps) {
  const sayLabel = useSay()
  const [from, setFrom] = useState(() => localFromIso(new Date(window.fromMs).toISOString(), zone))
  const [to, setTo] = useState(() => localFromIso(new Date(window.toMs).toISOString(), zone))
  const [fromMs, toMs] = [from, to].map((local) => Date.parse(isoFromLocal(local, zone) ?? ''))
  const isSound = fromMs !== undefined && toMs !== undefined && fromMs < toMs
  return (
    <form
      className="tele-custom"
      onSubmit={(event) => {
        event.preventDefault()
        if (isSound) onShow({ fromMs, toMs })
      }}
    >
      <FormField label={sayLabel(telemetryWords.from)}>
        {(control) => <DateInput {...control} value={from} onChange={setFrom} withTime />}
      </FormField>
      <FormField label={sayLabel(telemetryWords.to)} error={isSound ? undefined : sayLabel(telemetryWords.badRange)}>
        {(control) => <DateInput {...control} value={to} onChange={setTo} withTime />}
      </FormField>
      <Button type="submit" kind="primary" disabled={!isSound}>
        {sayLabel(telemetryWords.show)}
      </Button>
    </form>
  )
}
