import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { DateInput } from '#ui/antd/date-input.tsx'
import { englishUiWords, UiWordsProvider } from '#ui/theme/ui-words.tsx'

afterEach(cleanup)

type FieldProps = { start: string; withTime: boolean; onChange: (value: string) => void }

function Field({ start, withTime, onChange }: FieldProps) {
  const [value, setValue] = useState(start)
  const handleChange = (next: string) => {
    setValue(next)
    onChange(next)
  }
  return <DateInput aria-label="Installed" value={value} withTime={withTime} onChange={handleChange} />
}

function shown(locale: string, start: string, withTime = false) {
  const seen: string[] = []
  render(
    <UiWordsProvider words={englishUiWords} locale={locale}>
      <Field start={start} withTime={withTime} onChange={(value) => seen.push(value)} />
    </UiWordsProvider>,
  )
  return { input: screen.getByLabelText<HTMLInputElement>('Installed'), last: () => seen.at(-1) }
}

describe('a date in a form', () => {
  it.each([
    ['en-GB', '2026-05-31', false, '31/05/2026'],
    ['ru-RU', '2026-05-31', false, '31.05.2026'],
    ['en-GB', '2026-05-31T08:05', true, '31/05/2026 08:05'],
    ['ru-RU', '2026-05-31T21:05', true, '31.05.2026 21:05'],
  ])('stands in the order of the console’s language: %s %s', (locale, value, withTime, text) => {
    expect(shown(locale, value, withTime).input.value).toBe(text)
  })

  it.each([
    ['ru-RU', false, '1.6.2026', '2026-06-01'],
    ['en-GB', false, '01/06/2026', '2026-06-01'],
    ['en-GB', false, '2026-06-01', '2026-06-01'],
    ['ru-RU', true, '1.6.2026 9:30', '2026-06-01T09:30'],
    ['en-GB', true, '2026-06-01T09:30', '2026-06-01T09:30'],
    ['en-GB', false, '', ''],
  ])('is taken as it is typed, letter by letter: %s %s %s', (locale, withTime, text, value) => {
    const { input, last } = shown(locale, withTime ? '2026-05-31T08:05' : '2026-05-31', withTime)
    fireEvent.input(input, { target: { value: text } })
    expect(last()).toBe(value)
  })

  it('that is none stays as it is typed, and goes to the validator', () => {
    const { input, last } = shown('en-GB', '2026-05-31')
    fireEvent.input(input, { target: { value: '31/02/2026' } })
    fireEvent.blur(input)
    expect(last()).toBe('31/02/2026')
    expect(input.value).toBe('31/02/2026')
  })
})
