import { useConsole } from '#fields/definitions.tsx'
import type { InputProps } from '#fields/field-kind.ts'
import { SelectInput } from '#ui/antd/lazy-antd.ts'
import { zoneChoices } from './zone-choices.ts'

/** A searchable list of the zones that the browser knows; without a search the viewer's own zone comes first. */
export function ZoneInput({ field, value, onChange, control }: InputProps<'timezone'>) {
  const { zone } = useConsole()
  return (
    // Names of zones are the same in every language.
    <div translate="no">
      <SelectInput
        {...control}
        load={async (search) => zoneChoices(search, zone)}
        clearable={!field.required}
        value={typeof value === 'string' && value !== '' ? value : undefined}
        onChange={(next: string | undefined) => onChange(next ?? null)}
      />
    </div>
  )
}
