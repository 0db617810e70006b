import { useSay } from '#fields/definitions.tsx'
import { type Channel, factsOf } from '#schema/telemetry/channel-facts.ts'
import { Button } from '#ui/button.tsx'
import { Checkbox } from '#ui/checkbox.tsx'
import { Popover } from '#ui/popover.tsx'
import { chartChannels, panels, usualChannels } from './panels.ts'
import { telemetryWords } from './telemetry-words.ts'

export type ChannelPickerProps = { channels: readonly Channel[]; onChange: (channels: readonly Channel[]) => void }

/** Which channels are shown, panel by panel. */
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
