import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { dialog, fact, text } from './support/form.ts'
import { newEss } from './support/records.ts'

const name = (page: Page) => text(page, 'Name')

async function typeInto(page: Page, text: string) {
  await name(page).fill(text)
  await expect(page.getByText('Unsaved changes')).toBeVisible()
}

test('a link does not lead away from unsaved changes unasked', async ({ as, api }) => {
  const ess = await newEss(await api('admin'))
  const page = await as('admin', `/ess/${ess.id}/edit`)
  await typeInto(page, 'Not saved')
  await page.getByRole('link', { name: 'Users' }).click()
  await expect(dialog(page)).toContainText('Leave without saving?')
  await page.getByRole('button', { name: 'Stay' }).click()
  await expect(dialog(page)).toBeHidden()
  await expect(name(page)).toHaveValue('Not saved')
  await expect(page).toHaveURL(/\/edit$/)
  await page.getByRole('link', { name: 'Users' }).click()
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
})

test('nor does Back, which the address shows as not taken', async ({ as, api }) => {
  const ess = await newEss(await api('admin'))
  const page = await as('admin', `/ess/${ess.id}`)
  await page.getByRole('link', { name: 'Edit' }).click()
  await typeInto(page, 'Not saved')
  await page.evaluate(() => history.back())
  await expect(dialog(page)).toContainText('Leave without saving?')
  await expect(page).toHaveURL(/\/edit$/)
  await page.getByRole('button', { name: 'Stay' }).click()
  await expect(name(page)).toHaveValue('Not saved')
  await page.evaluate(() => history.back())
  await page.getByRole('button', { name: 'Leave' }).click()
  await expect(page).toHaveURL(new RegExp(`/ess/${ess.id}$`))
  await expect(fact(page, 'Name')).toHaveText('House of a test')
})

test('closing the tab is asked about, and only while something is unsaved', async ({ as, api }) => {
  const ess = await newEss(await api('admin'))
  const page = await as('admin', `/ess/${ess.id}/edit`)
  const asked: string[] = []
  page.on('dialog', (question) => {
    asked.push(question.type())
    return question.dismiss()
  })
  await typeInto(page, 'Not saved')
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await name(page).fill('House of a test')
  await expect(page.getByText('Unsaved changes')).toBeHidden()
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => page.isClosed()).toBe(true)
  expect(asked).toHaveLength(1)
})

test('what was typed before a reload is offered again', async ({ as, api }) => {
  const ess = await newEss(await api('admin'))
  const page = await as('admin', `/ess/${ess.id}/edit`)
  page.on('dialog', (question) => question.accept())
  await typeInto(page, 'Typed before the reload')
  await page.reload()
  await page.getByRole('button', { name: 'Restore' }).click()
  await expect(name(page)).toHaveValue('Typed before the reload')
})

test('what was typed before the tab was closed is offered again in the next one', async ({ as, api, context }) => {
  const ess = await newEss(await api('admin'))
  const page = await as('admin', `/ess/${ess.id}/edit`)
  await typeInto(page, 'Typed in a tab that is gone')
  await page.close()
  const next = await context.newPage()
  await next.goto(`/ess/${ess.id}/edit`)
  await expect(next.getByText(/There are unsaved changes from/)).toBeVisible()
  await next.getByRole('button', { name: 'Restore' }).click()
  await expect(name(next)).toHaveValue('Typed in a tab that is gone')
  await next.getByRole('button', { name: 'Save' }).click()
  await expect(fact(next, 'Name')).toHaveText('Typed in a tab that is gone')
  await next.goto(`/ess/${ess.id}/edit`)
  await expect(name(next)).toHaveValue('Typed in a tab that is gone')
  await expect(next.getByText(/There are unsaved changes from/)).toBeHidden()
})

test('coming back to the tab brings the news of others and leaves alone what was typed', async ({
  as,
  api,
  page: own,
  calls,
}) => {
  const admin = await api('admin')
  const ess = await newEss(admin)
  await own.clock.install()
  const page = await as('admin', `/ess/${ess.id}/edit`)
  await typeInto(page, 'Half typ')
  const before = calls.length
  await admin.send('PUT', `ess/${ess.id}`, { notes: 'By a colleague', version: 1 })
  await page.clock.fastForward('00:10')
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await expect(text(page, 'Notes')).toHaveValue('By a colleague')
  expect(calls.slice(before)).toContain(`GET /api/ess/${ess.id}`)
  await expect(name(page)).toHaveValue('Half typ')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(fact(page, 'Name')).toHaveText('Half typ')
  await expect(fact(page, 'Notes')).toHaveText('By a colleague')
})

test('of two editors the later one chooses field by field what stays', async ({ as, api }) => {
  const admin = await api('admin')
  const ess = await newEss(admin, { manufacturer: 'First maker' })
  const page = await as('admin', `/ess/${ess.id}/edit`)
  await typeInto(page, 'My name')
  await text(page, 'Manufacturer').fill('My maker')
  await text(page, 'Model').fill('My model')
  await admin.send('PUT', `ess/${ess.id}`, {
    name: 'Their name',
    manufacturer: 'Their maker',
    notes: 'Their notes',
    version: 1,
  })
  await page.getByRole('button', { name: 'Save' }).click()
  const merge = page.getByRole('alert').filter({ hasText: 'This record has changed since you opened it' })
  await expect(merge.getByRole('group', { name: 'Name' })).toContainText('House of a test')
  await expect(merge.getByRole('group', { name: 'Model' })).toBeHidden()
  await merge
    .getByRole('group', { name: 'Name' })
    .getByRole('radio', { name: /My name/ })
    .check()
  await merge
    .getByRole('group', { name: 'Manufacturer' })
    .getByRole('radio', { name: /Their maker/ })
    .check()
  await merge.getByRole('button', { name: 'Save the choice' }).click()
  await expect(fact(page, 'Name')).toHaveText('My name')
  expect(await admin.get(`ess/${ess.id}`)).toMatchObject({
    name: 'My name',
    manufacturer: 'Their maker',
    model: 'My model',
    notes: 'Their notes',
    version: 3,
  })
})
