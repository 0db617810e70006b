import { WebhookReceiver } from '#tests/support/webhook-receiver.ts'
import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'
import { choose, dialog, expectFault, fact, notice, text } from './support/form.ts'
import { newBoard } from './support/records.ts'

test('an admin makes a webhook, sees its secret once, sends a test, and sees each delivery as it goes', async ({ as, api }) => {
  const receiver = await new WebhookReceiver().open()
  const page = await as('admin', '/webhook')
  await expect(page.getByText('A webhook notifies another system about warnings')).toBeVisible()
  await page.getByRole('link', { name: 'Create' }).first().click()
  await text(page, 'Name').fill('Desk')
  await text(page, 'Address').fill('http://10.0.0.1/in')
  await choose(page, 'Events', 'Record created by a person')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Create' }).click()
  await expectFault(text(page, 'Address'), /not public/)
  await text(page, 'Address').fill(receiver.url)
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(fact(page, 'State')).toHaveText('Paused')
  await expect(fact(page, 'Why it is paused')).toHaveText('Not started yet')
  await expect(page.getByRole('button', { name: 'Send a test' })).toBeHidden()

  await page.getByRole('button', { name: 'New secret' }).click()
  await expect(dialog(page)).toContainText('The secret is shown once')
  await expect(dialog(page)).not.toContainText('old secret')
  await dialog(page).getByRole('button', { name: 'New secret' }).click()
  const field = text(dialog(page), 'Secret')
  await expect(field).toHaveValue(/^whsec_/)
  const secret = await field.inputValue()
  await dialog(page).getByRole('button', { name: 'I have stored it' }).click()
  await expect(dialog(page)).toBeHidden()
  expect(await page.content()).not.toContain(secret)

  await page.getByRole('button', { name: 'Send a test' }).click()
  await expect(page).toHaveURL(/\/webhook-delivery\//)
  await expect(fact(page, 'State')).toHaveText('Delivered')
  await expect(fact(page, 'Status code')).toHaveText('204')
  await expect(fact(page, 'Event')).toHaveText('Test')
  const [message] = receiver.received
  expect(message && WebhookReceiver.read(secret, message).type).toBe('webhook.test')
  expect(await seriousFaults(page)).toEqual([])

  receiver.replies = [{ status: 500, body: 'The desk is closed' }, { status: 200 }]
  await fact(page, 'Webhook').getByRole('link').click()
  await page.getByRole('button', { name: 'Resume' }).press('Enter')
  await expect(fact(page, 'State')).toHaveText('Active')
  // The button is gone with what it did: the focus stays beside it.
  await expect(page.locator('main header :focus')).toHaveRole('button')
  await newBoard(await api('admin'))
  await page.getByRole('link', { name: 'Deliveries', exact: true }).click()
  const row = page.getByRole('row', { name: /Record created by a person/ })
  await expect(row).toContainText('Waiting')
  await expect(row).toContainText('500')
  // The second attempt comes five seconds later.
  await expect(row).toContainText('Delivered', { timeout: 20_000 })
  await row.getByRole('link').first().click()
  await page.getByRole('button', { name: 'Send again' }).click()
  await expect(notice(page, 'Sending again with the same id')).toBeVisible()
  await expect.poll(() => receiver.received.length).toBe(4)
  expect(new Set(receiver.ids.slice(1)).size).toBe(1)
  await receiver.close()
})

test('nobody but an admin finds webhooks', async ({ as }) => {
  const page = await as('moderator', '/webhook')
  await expect(page.getByText('Desk')).toBeHidden()
  await expect(page.getByRole('link', { name: 'Webhooks' })).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Webhooks' })).toBeHidden()
})
