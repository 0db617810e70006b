import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect } from 'vitest'

/** Presses an action of the record on screen, in the menu where it stands there. */
export async function beginAction(action: string): Promise<void> {
  const more = await screen.findByRole('button', { name: 'More actions' })
  const button = screen.queryByRole('button', { name: action })
  fireEvent.click(button ?? more)
  if (!button) fireEvent.click(await screen.findByRole('menuitem', { name: action }))
}
export const openDialog = async () => within(await screen.findByRole('dialog'))
export const noDialog = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
