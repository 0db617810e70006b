import { useSay } from '#fields/definitions.tsx'
import { type Channel, factsOf } from '#resources/fleet/channel-of.ts'
import { Button } from '#ui/input/button.tsx'
import { Checkbox } from '#ui/input/checkbox.tsx'
import { Popover } from '#ui/overlay/popover.tsx'
import { chartChannels, panels, usualChannels } from './panel/panels.ts'
import { telemetryWords } from './telemetry-words.ts'

export type ChannelPickerProps = { channels: readonly Channel[]; onChange: (channels: readonly Channel[]) => void }

export function ChannelPicker({ channels, onChange }: ChannelPickerProps) {
  const sayLabel = useSay()
  const toggle = (name: Channel, isOn: boolean) =>
    onChange(chartChannels.filter((each) => (each === name ? isOn : channels.includes(each))))
  return (
    <Popover
      label={sayLabel(telemetryWords.channels)}
      text={sayLabel(telemetryWords.channels)}
      icon="list"
      size="small"
      count={channels.length}
      align="end"
    >
      <div className="tele-picker">
        {panels.map(({ key, label, lines }) => (
          <fieldset key={key}>
            <legend>{sayLabel(label)}</legend>
            {lines.map(({ channel }) => (
              <Checkbox key={channel} checked={channels.includes(channel)} onChange={(isOn) => toggle(channel, isOn)}>
                {sayLabel(factsOf(channel).label)}
              </Checkbox>
            ))}
          </fieldset>
        ))}
      </div>
      <div className="ui-popover-foot">
        <Button kind="text" size="small" onClick={() => onChange(usualChannels)}>
          {sayLabel(telemetryWords.usual)}
        </Button>
      </div>
    </Popover>
  )
}
