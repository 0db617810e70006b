import { cleanup, render, screen, waitFor } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { FocusFirst } from '#ui/input/focus-first.tsx'

afterEach(cleanup)

it('a dialog opens with the focus in the first field that takes text, and in one to copy where there is no other', async () => {
  const dialog = (withCode: boolean) => (
    <FocusFirst key={String(withCode)}>
      <textarea readOnly aria-label="Key" />
      {withCode && <input aria-label="Code" />}
    </FocusFirst>
  )
  const { rerender } = render(dialog(true))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Code')))
  rerender(dialog(false))
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Key')))
  rerender(
    <FocusFirst key="choice">
      <input readOnly role="combobox" aria-label="Kind" aria-expanded="false" aria-controls="kinds" />
      <input aria-label="Note" />
    </FocusFirst>,
  )
  await waitFor(() => expect(document.activeElement).toBe(screen.getByLabelText('Kind')))
})
