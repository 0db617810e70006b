import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, it } from 'vitest'
import { NumberInput } from '#ui/antd/number-input.tsx'
import { englishUiWords, UiWordsProvider } from '#ui/theme/ui-words.tsx'

afterEach(cleanup)

type Value = number | string | undefined

function Field({ onChange }: { onChange: (value: Value) => void }) {
  const [value, setValue] = useState<Value>()
  const handleChange = (next: Value) => {
    setValue(next)
    onChange(next)
  }
  return <NumberInput aria-label="Power" unit="Wh" value={value} onChange={handleChange} />
}

/** The value that a typed text gives, and the text that stands in the field after it. */
function typed(locale: string, ...texts: string[]) {
  let value: Value
  const onChange = (next: Value) => {
    value = next
  }
  render(
    <UiWordsProvider words={englishUiWords} locale={locale}>
      <Field onChange={onChange} />
    </UiWordsProvider>,
  )
  const input = screen.getByLabelText<HTMLInputElement>('Power')
  for (const text of texts) fireEvent.change(input, { target: { value: text } })
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
  ['en-GB', '\uff11\uff12\uff0e\uff15', 12.5],
  ['en-GB', '\u0661\u0662\u066b\u0665', 12.5],
  ['en-GB', '\u06f1\u06f2', 12],
  ['en-GB', '\u22125', -5],
  ['en-GB', '\u2212 5', -5],
  ['en-GB', '12 000 Wh', 12_000],
  ['en-GB', '12000Wh', 12_000],
  ['en-GB', '12\u2019000', 12_000],
  ['en-GB', '12,34,567', 1_234_567],
  ['en-GB', '.5', 0.5],
  ['en-GB', '1e3', 1000],
])('a number typed in %s as %s is read as %d', (locale, text, value) => {
  expect(typed(locale, text).value).toBe(value)
})

it('a number field shows what it has read with the decimal mark of the locale', () => {
  expect(typed('en-GB', '12,5').shown).toBe('12.5')
  expect(typed('ru-RU', '12.5').shown).toBe('12,5')
})

it.each(['15 kWh', 'fifteen', '-', '1.2.3', '12 5', '1,2,3.4', '1e999', '0x10', '5 Wh Wh'])(
  'a number field keeps %s, which is no number, as it was typed, and gives it',
  (text) => {
    expect(typed('en-GB', '7', text)).toEqual({ value: text, shown: text })
  },
)

it('a number field is empty once a text that is no number is taken out of it', () => {
  expect(typed('en-GB', '7', '7 k', '')).toEqual({ value: undefined, shown: '' })
})

it('a number field rounds nothing', () => {
  expect(typed('en-GB', '1234.56')).toEqual({ value: 1234.56, shown: '1234.56' })
})
