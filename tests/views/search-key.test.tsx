import { cleanup, fireEvent, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { numbered } from '#tests/support/boat-list.ts'
import { expectQuietConsole } from '#tests/support/quiet-console.ts'
import { renderScreens } from '#tests/support/render-screens.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)
expectQuietConsole()

it.each([
  ['an English', { key: '/', code: 'Slash' }, true],
  ['a Russian', { key: '.', code: 'Slash' }, true],
  ['a German', { key: '-', code: 'Slash' }, false],
  ['a number', { key: '.', code: 'NumpadDecimal' }, false],
])('the key of the slash on %s keyboard focuses the search of a list', async (_keyboard, key, isSearch) => {
  renderScreens({ at: '/boats', tables: numbered(2) })
  const search = await screen.findByRole('searchbox')
  fireEvent.keyDown(document.body, key)
  expect(document.activeElement === search).toBe(isSearch)
})
