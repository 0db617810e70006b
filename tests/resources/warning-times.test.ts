import { expect, it } from 'vitest'
import { telemetryWarning } from '#resources/telemetry-warning.ts'
import { languages, say } from '#schema/words.ts'

const { startedAt, raisedAt } = telemetryWarning.fields

it('the beginning of a warning is a column and a filter beside the time at which it was raised', () => {
  expect(startedAt).not.toHaveProperty('detailOnly')
  expect(telemetryWarning.list?.filters).toEqual(expect.arrayContaining(['startedAt', 'raisedAt']))
})

it('the two times of a warning are told apart by one word', () => {
  const words = languages.map((language) => [say(startedAt.label, language), say(raisedAt.label, language)])
  expect(words).toEqual([
    ['Began', 'Raised'],
    ['Началось', 'Обнаружено'],
  ])
})
