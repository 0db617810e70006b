import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { dialog, notice } from './support/form.ts'
import { newEss } from './support/records.ts'

const hostile = ['<img src=x onerror=alert(1)>', '"><svg onload=alert(2)>', '{{7*7}}<%= 7*7 %>', 'javascript:alert(3)'] as const
const name = '<img src=x onerror=alert(1)>'

/** Nothing of a text may become an element, a link that runs, or a dialog of the browser. */
async function expectOnlyText(page: Page, opened: readonly string[]) {
  expect(await page.locator('img[src="x"], svg[onload], a[href^="javascript:"]').count()).toBe(0)
  expect(opened).toEqual([])
}

test('what people type is shown as they typed it, wherever it stands, and runs nowhere', async ({ as, api, page: own }) => {
  const opened: string[] = []
  own.on('dialog', (box) => {
    if (box.type() !== 'beforeunload') opened.push(box.message())
    return box.accept()
  })
  const admin = await api('admin')
  const [first, second, third, fourth] = hostile
  const ess = await newEss(admin, { name, manufacturer: second, model: third, serialNumber: fourth, notes: hostile.join('\n') })
  const person = { email: 'hostile@test.example', role: 'client', firstName: first, lastName: second, companyName: third }
  const client = await admin.send('POST', 'user', { ...person, clientType: 'COMPANY', staffNote: hostile.join(' ') })

  const page = await as('admin', `/ess?q=${ess.code}&columns=code,name,manufacturer,model,serialNumber`)
  for (const text of hostile) await expect(page.getByRole('cell', { name: text, exact: true })).toBeVisible()
  await expectOnlyText(page, opened)

  await page.goto(`/ess/${ess.id}`)
  for (const text of hostile) await expect(page.getByText(text).first()).toBeVisible()
  await expectOnlyText(page, opened)

  await page.goto(`/client/${client.id}`)
  await expect(page.getByText(first).first()).toBeVisible()
  await expect(page.getByText(second).first()).toBeVisible()
  await expectOnlyText(page, opened)

  await page.goto(`/ess/${ess.id}/edit`)
  await expect(page.getByRole('textbox', { name: 'Name', exact: true })).toHaveValue(name)
  await page.getByRole('textbox', { name: 'Name', exact: true }).fill(`${name}!`)
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(notice(page, 'Saved')).toBeVisible()
  await expectOnlyText(page, opened)

  await page.getByRole('link', { name: 'History' }).click()
  await expect(page.getByText(`${name}!`).first()).toBeVisible()
  await expectOnlyText(page, opened)

  await page.getByRole('button', { name: 'Set owner' }).click()
  await page.getByRole('combobox', { name: 'Owner' }).fill('hostile')
  await page.waitForTimeout(700)
  await expectOnlyText(page, opened)
  await dialog(page).getByRole('button', { name: 'Cancel' }).click()

  await page.keyboard.press('Control+K')
  await page.getByRole('combobox', { name: 'Page, record or command' }).fill('<img')
  await page.waitForTimeout(700)
  await expectOnlyText(page, opened)
})

test('a hostile address is a text as well', async ({ as, page: own }) => {
  const opened: string[] = []
  own.on('dialog', (box) => {
    opened.push(box.message())
    return box.accept()
  })
  const page = await as('admin', `/ess?q=${encodeURIComponent(name)}&columns=${encodeURIComponent('"><svg onload=alert(2)>')}`)
  await expect(page.getByRole('searchbox').or(page.getByRole('textbox')).first()).toHaveValue(name)
  await expectOnlyText(page, opened)
  await page.goto(`/ess/${encodeURIComponent(name)}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expectOnlyText(page, opened)
})
