import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { NumberInput } from '#ui/antd/number-input.tsx'
import { englishUiWords, UiWordsProvider } from '#ui/theme/ui-words.tsx'

afterEach(cleanup)

function Field({ onChange }: { onChange: (value: number | undefined) => void }) {
  const [value, setValue] = useState<number>()
  const handleChange = (next: number | undefined) => {
    setValue(next)
    onChange(next)
  }
  return <NumberInput aria-label="Power" value={value} onChange={handleChange} />
}

/** The value that a typed text gives, and the text that stands in the field after it. */
function typed(locale: string, text: string) {
  let value: number | undefined
  const onChange = (next: number | undefined) => {
    value = next
  }
  render(
    <UiWordsProvider words={englishUiWords} locale={locale}>
      <Field onChange={onChange} />
    </UiWordsProvider>,
  )
  const input = screen.getByLabelText<HTMLInputElement>('Power')
  fireEvent.change(input, { target: { value: text } })
  fireEvent.blur(input)
  const shown = input.value
  cleanup()
  return { value, shown }
}

it('has its unit in its description, before a hint', () => {
  render(
    <>
      <NumberInput aria-label="Power" aria-describedby="hint" unit="kW" value={5} onChange={() => undefined} />
      <p id="hint">At most 10</p>
    </>,
  )
  const described = screen.getByLabelText('Power').getAttribute('aria-describedby') ?? ''
  expect(described.split(' ').map((id) => document.getElementById(id)?.textContent)).toEqual(['kW', 'At most 10'])
})

it.each([
  ['en-GB', '12,5', 12.5],
  ['en-GB', '12.5', 12.5],
  ['en-GB', '-0,25', -0.25],
  ['en-GB', '1,234.5', 1234.5],
  ['en-GB', '1.234,5', 1234.5],
  ['en-GB', '12,500', 12_500],
  ['en-GB', '1,234,567', 1_234_567],
  ['en-GB', '12 500', 12_500],
  ['ru-RU', '12,5', 12.5],
  ['ru-RU', '12.5', 12.5],
  ['ru-RU', '12,500', 12.5],
  ['ru-RU', '1\u00a0234,5', 1234.5],
  ['ru-RU', '1\u202f234.5', 1234.5],
  ['ru-RU', '1.234.567', 1_234_567],
])('a number typed in %s as %s is read as %d', (locale, text, value) => {
  expect(typed(locale, text).value).toBe(value)
})

it('a number field shows what it has read with the decimal mark of the locale', () => {
  expect(typed('en-GB', '12,5').shown).toBe('12.5')
  expect(typed('ru-RU', '12.5').shown).toBe('12,5')
})
