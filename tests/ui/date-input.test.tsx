import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { DateInput } from '#ui/input/date/date-input.tsx'
import { englishUiWords, UiWordsProvider } from '#ui/theme/ui-words.tsx'

afterEach(cleanup)

/** The calendar is loaded when it is first opened. */
const wait = { timeout: 10_000 }

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

  it('is taken key by key, from nothing and by taking away, without being rewritten meanwhile', () => {
    const { input, last } = shown('ru-RU', '', true)
    for (const text of ['1', '1.6', '1.6.2026', '1.6.2026 9', '1.6.2026 9:3', '1.6.2026 9:30']) {
      fireEvent.input(input, { target: { value: text } })
      expect(input.value).toBe(text)
    }
    expect(last()).toBe('2026-06-01T09:30')
    fireEvent.input(input, { target: { value: '1.6.2026 9:3' } })
    expect([input.value, last()]).toEqual(['1.6.2026 9:3', '1.6.2026 9:3'])
    fireEvent.input(input, { target: { value: '1.6.2026 9:31' } })
    fireEvent.blur(input)
    expect(input.value).toBe('01.06.2026 09:31')
  })

  it('that is none stands as it is after the form was drawn again', () => {
    expect(shown('en-GB', '31/02/2026').input.value).toBe('31/02/2026')
  })

  it('moves by days with the arrow keys', () => {
    const { input, last } = shown('en-GB', '2026-05-31T08:05', true)
    fireEvent.keyDown(input, { key: 'ArrowUp' })
    expect([input.value, last()]).toEqual(['01/06/2026 08:05', '2026-06-01T08:05'])
    fireEvent.keyDown(input, { key: 'ArrowDown' })
    expect(last()).toBe('2026-05-31T08:05')
  })

  it('says its order in the letters of the language, also to screen readers', () => {
    render(
      <UiWordsProvider words={{ ...englishUiWords, dateLetters: 'ДД ММ ГГГГ ЧЧ ММ' }} locale="ru-RU">
        <Field start="" withTime={true} onChange={() => undefined} />
      </UiWordsProvider>,
    )
    const input = screen.getByLabelText<HTMLInputElement>('Installed')
    expect(input.placeholder).toBe('ДД.ММ.ГГГГ ЧЧ:ММ')
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe('ДД.ММ.ГГГГ ЧЧ:ММ')
  })

  it('that is none gives way to a day of the calendar, also to the former one', async () => {
    const { input, last } = shown('en-GB', '2026-05-31')
    fireEvent.input(input, { target: { value: '31/02/2026' } })
    fireEvent.click(input)
    const days = await waitFor(() => {
      const found = document.querySelectorAll('.ant-picker-cell-in-view .ant-picker-cell-inner')
      if (!found[14]) throw new Error('the calendar is not open yet')
      return found
    }, wait)
    fireEvent.click(days[14] as Element)
    expect(last()).toMatch(/^\d{4}-\d\d-15$/)
    expect(input.value).toMatch(/^15\/\d\d\/\d{4}$/)
  })
})
