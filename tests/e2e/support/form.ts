import { expect, type Locator, type Page } from '@playwright/test'

type Scope = Page | Locator

/** The input of a field, by its label. */
export const text = (scope: Scope, name: string) => scope.getByRole('textbox', { name, exact: true })
export const number = (scope: Scope, name: string) => scope.getByRole('spinbutton', { name, exact: true })
export const list = (scope: Scope, name: string) => scope.getByRole('combobox', { name, exact: true })

/** Opens a list by the keyboard: a press of the mouse could miss it while its dialog is still on its way in. */
export const openList = (scope: Scope, label: string) => list(scope, label).press('ArrowDown')

/** Takes one of a list that is open. While the list unfolds its options move away from under the mouse. */
export async function pick(page: Page, option: string, exact = false): Promise<void> {
  const choice = page.getByRole('option', { name: option, exact })
  await expect(choice).toBeVisible()
  await expect(page.locator('.ant-slide-up-appear, .ant-slide-up-enter')).toHaveCount(0)
  await choice.click()
}

/** Chooses in a list that opens: by the label of the field and the words of the option. */
export async function choose(page: Page, label: string, option: string): Promise<void> {
  await openList(page, label)
  await pick(page, option, true)
}

/** Chooses in a list that asks the server: types, and takes what comes. */
export async function search(page: Page, label: string, name: string): Promise<void> {
  // A list of several takes no text until it is open.
  await openList(page, label)
  await list(page, label).fill(name)
  await pick(page, name)
}

export const dialog = (page: Page): Locator => page.getByRole('dialog')

/** Notification at the corner of the page. */
export const notice = (page: Page, text: string | RegExp): Locator =>
  page.locator('.ant-notification-notice, .ui-notice').filter({ hasText: text })

/** The value of a fact on the page of a record. */
export const fact = (page: Page, term: string): Locator =>
  page
    .getByRole('term')
    .filter({ hasText: new RegExp(`^${term}$`) })
    .locator('xpath=following-sibling::*[1]')

/** A field that is wrong says so to everybody: marked, and with its message as a description. */
export async function expectFault(field: Locator, message: string | RegExp): Promise<void> {
  await expect(field).toHaveAttribute('aria-invalid', 'true')
  await expect(field).toHaveAccessibleDescription(message)
}
