import { cleanup, render, screen } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { NumberInput } from '#ui/antd/number-input.tsx'
import { SelectInput } from '#ui/antd/select-input.tsx'
import { TagsInput } from '#ui/antd/tags-input.tsx'
import { TextAreaInput } from '#ui/antd/text-area-input.tsx'
import { DateInput } from '#ui/input/date/date-input.tsx'
import { FormField } from '#ui/input/form-field.tsx'
import { NativeSelect } from '#ui/input/native-select.tsx'
import { TextInput } from '#ui/input/text-input.tsx'

afterEach(cleanup)

type Draw = Parameters<typeof FormField>[0]['children']
const idle = () => undefined
const options = [{ value: 'LFP', label: 'LFP' }]
const controls: [string, Draw][] = [
  ['text', (control) => <TextInput {...control} value="" onChange={idle} />],
  ['number', (control) => <NumberInput {...control} value={undefined} onChange={idle} />],
  ['long text', (control) => <TextAreaInput {...control} value="" onChange={idle} />],
  ['date', (control) => <DateInput {...control} value="" onChange={idle} />],
  ['choice of the browser', (control) => <NativeSelect {...control} options={options} value="LFP" onChange={idle} />],
  ['choice', (control) => <SelectInput {...control} options={options} value={undefined} onChange={idle} />],
  ['choice of several', (control) => <SelectInput {...control} multiple options={options} value={[]} onChange={idle} />],
  ['tags', (control) => <TagsInput {...control} value={[]} onChange={idle} />],
]
const field = (required: boolean, draw: Draw): ReactNode => (
  <FormField id="code" label="Code" required={required}>
    {draw}
  </FormField>
)

describe('an input of a required field', () => {
  it.each(controls)('says so to screen readers, and no more once it is not: %s', (_kind, draw) => {
    const { rerender } = render(field(true, draw))
    const input = screen.getByLabelText(/^Code/, { selector: 'input, textarea, select' })
    expect(input.getAttribute('aria-required')).toBe('true')
    expect(document.querySelectorAll('[aria-required]')).toHaveLength(1)
    rerender(field(false, draw))
    expect(document.querySelectorAll('[aria-required]')).toHaveLength(0)
  })
})
