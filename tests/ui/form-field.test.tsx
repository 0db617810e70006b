import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { FormField, type FormFieldProps } from '#ui/input/form-field.tsx'
import { TextInput } from '#ui/input/text-input.tsx'

afterEach(cleanup)

function renderField(props: Partial<FormFieldProps> = {}) {
  render(
    <FormField label="Code" {...props}>
      {(control) => <TextInput {...control} value="" onChange={() => undefined} />}
    </FormField>,
  )
  const input = screen.getByRole('textbox', { name: /^Code/ })
  const description = (input.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent)
  return { input, description }
}

it('ties the label to the control and describes it by nothing when there is nothing', () => {
  const { input, description } = renderField()
  expect(input.id).not.toBe('')
  expect(description).toEqual([])
  expect(input.getAttribute('aria-invalid')).toBeNull()
})

it('reads the error before the hint and marks the control invalid', () => {
  const { input, description } = renderField({ error: 'Already in use', hint: 'As on the plate', required: true })
  expect(description).toEqual(['Already in use', 'As on the plate'])
  expect(input.getAttribute('aria-invalid')).toBe('true')
  expect(input.getAttribute('aria-required')).toBe('true')
})

it('warns without calling the value wrong', () => {
  const { input, description } = renderField({ warning: 'In the past' })
  expect(description).toEqual(['In the past'])
  expect(input.getAttribute('aria-invalid')).toBeNull()
})
