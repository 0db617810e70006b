import { useConsole } from '#fields/definitions.tsx'
import type { Row } from '#fields/field-kind.ts'
import { fieldText } from '#fields/field-text.ts'
import { isChannel } from '#resources/fleet/channel-of.ts'
import { fieldAt, fieldOf } from '#schema/definition.ts'
import type { Field } from '#schema/field-types.ts'
import { measuredText } from '#schema/format/measured-text.ts'
import { valueAt } from '#schema/rule.ts'
import { useRecord } from '#views/shared/use-record.ts'
import { configurationFields } from '#widgets/board/board-fields.ts'
import { useClockText } from '#widgets/board/use-clock-text.ts'
import type { LastTelemetry } from '#widgets/energy/last-telemetry.ts'
import { channelText } from '#widgets/telemetry/channel-text.ts'

/** Values for a guide's placeholders: latest sample, configuration and the warning. */
export function useGuideFacts(warning: Row, last: LastTelemetry | null | undefined): (name: string) => string | undefined {
  const { definitions, language, zone } = useConsole()
  const { record: board } = useRecord('control-pcb', warning.controlPcbId ? String(warning.controlPcbId) : undefined)
  const clock = useClockText(valueAt(board, 'clockOffsetMs'))
  const boards = definitions.get('control-pcb')
  const text = (field: Field | undefined, value: unknown) =>
    field && value !== null && value !== undefined ? fieldText(field, value, { language, zone }) : undefined
  const own: Readonly<Record<string, string | undefined>> = {
    value: measuredText(warning.value, warning.unit, language),
    threshold: measuredText(warning.threshold, warning.unit, language),
    'pcb.clockOffsetMs': clock,
    subject: text(definitions.get('telemetry-warning')?.fields.subject, warning.subject),
  }
  const channel = (name: string) => {
    const value = last?.channels[name]?.value ?? null
    return isChannel(name) ? channelText(name, value, language) : undefined
  }
  return (name) => {
    if (own[name]) return own[name]
    if (name.startsWith('setting.')) {
      const path = name.slice('setting.'.length)
      return text(fieldAt(configurationFields(definitions), path), valueAt(last?.board?.configuration, path))
    }
    if (name.startsWith('pcb.')) {
      const path = name.slice('pcb.'.length)
      return text(boards && fieldOf(boards, path), valueAt(board, path))
    }
    return channel(name) || undefined
  }
}
