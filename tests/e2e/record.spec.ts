import { expect, test } from './support/console.ts'
import { fact, notice } from './support/form.ts'
import { hold } from './support/hold.ts'
import { newEss } from './support/records.ts'

test('the second record never shows the first, however slow the answer', async ({ as, api, page: own }) => {
  const admin = await api('admin')
  const [first, second] = await Promise.all([newEss(admin, { notes: 'First' }), newEss(admin, { notes: 'Second' })])
  await own.route(`**/api/ess/${second.id}`, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    await route.continue()
  })
  const page = await as('admin', `/ess/${first.id}`)
  await expect(fact(page, 'Notes')).toHaveText('First')
  await page.evaluate((path) => {
    history.pushState({}, '', path)
    window.dispatchEvent(new PopStateEvent('popstate'))
  }, `/ess/${second.id}`)
  await expect(page.getByText(String(first.code))).toHaveCount(0)
  await expect(page.getByText('First', { exact: true })).toHaveCount(0)
  await expect(fact(page, 'Notes')).toHaveText('Second')
  await page.goBack()
  await expect(fact(page, 'Notes')).toHaveText('First')
})

test('opening a record from a list shows at once what the row knows', async ({ as, api, page: own }) => {
  const ess = await newEss(await api('admin'), { name: 'Known from the list', notes: 'Only in the record' })
  const answer = await hold(own, `**/api/ess/${ess.id}`)
  const page = await as('admin', `/ess?q=${ess.code}`)
  await page.getByRole('link', { name: String(ess.code) }).click()
  await expect(page.getByRole('heading', { name: String(ess.code), level: 1 })).toBeVisible()
  await expect(fact(page, 'Name')).toHaveText('Known from the list')
  await expect(page.getByText('Only in the record')).toHaveCount(0)
  answer()
  await expect(fact(page, 'Notes')).toHaveText('Only in the record')
})

test('a click on a row shows the head of the record first, Back and Forward show all of it at once', async ({ as, api }) => {
  const ess = await newEss(await api('admin'))
  const page = await as('admin', `/ess?q=${ess.code}`)
  const link = page.getByRole('row').getByRole('link', { name: String(ess.code) })
  // The first record of a visit loads its code, which may come in one piece with the head.
  await link.click()
  await expect(fact(page, 'Serial number')).toBeVisible()
  await page.goBack()
  await expect(link).toBeVisible()
  // Keeps with each head that appears how many facts stand below it.
  const facts = await page.evaluateHandle((code) => {
    const found: number[] = []
    let isHead = false
    new MutationObserver(() => {
      const before = isHead
      isHead = document.querySelector('h1')?.textContent === code
      if (isHead && !before) found.push(document.querySelectorAll('main dt').length)
    }).observe(document.body, { childList: true, subtree: true, characterData: true })
    return found
  }, String(ess.code))
  await link.click()
  await expect(fact(page, 'Serial number')).toBeVisible()
  await page.goBack()
  await expect(link).toBeVisible()
  await page.goForward()
  await expect(fact(page, 'Serial number')).toBeVisible()
  const [afterClick, afterForward] = await facts.jsonValue()
  expect(afterClick).toBe(0)
  expect(afterForward).toBeGreaterThan(20)
})

test('a pasted link opens the record and the very tab', async ({ as, api }) => {
  const ess = await newEss(await api('admin'))
  const page = await as('moderator', `/ess/${ess.id}/guest`)
  await expect(page.getByRole('heading', { name: String(ess.code), level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Guests' })).toHaveAttribute('aria-current', 'page')
  await expect(page.getByRole('table', { name: 'Guests' })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(String(ess.code)))
})

for (const path of ['/ess/%20', '/ess/%20/edit']) {
  test(`where the address ${path} lacks the id, that is what is said`, async ({ as, calls }) => {
    const page = await as('admin', path)
    await expect(page.getByRole('heading', { name: 'No ID provided' })).toBeVisible()
    expect(calls.filter((call) => call.startsWith('GET /api/ess'))).toEqual([])
  })
}

for (const path of ['/ess/018bd5ec-0000-7000-8000-000000000000', '/ess/not-an-id', '/nowhere', '/ess/a/b/c/d']) {
  test(`there is nothing at ${path}, and the frame stays`, async ({ as }) => {
    const page = await as('admin', path)
    await expect(page.getByRole('main').getByRole('heading', { name: /Not found/, level: 1 })).toBeVisible()
    await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Users' }).click()
    await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
  })
}

test('a tab that the record does not have is not found, the record is', async ({ as, api }) => {
  const ess = await newEss(await api('admin'))
  const page = await as('admin', `/ess/${ess.id}/secrets`)
  await expect(page.getByRole('heading', { name: String(ess.code), level: 1 })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Not found')
})

test('a record that is deleted is gone from the list, and its page says so', async ({ as, api, calls }) => {
  const admin = await api('admin')
  const ess = await newEss(admin)
  const page = await as('admin', `/ess/${ess.id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toContainText(`Delete ${ess.code}?`)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(notice(page, `Deleted: ${ess.code}`)).toBeVisible()
  await expect(page).toHaveURL(/\/ess$/)
  expect(calls).toContain(`DELETE /api/ess/${ess.id}`)
  await page.goto(`/ess/${ess.id}`)
  await expect(page.getByRole('heading', { name: 'Not found', level: 1 })).toBeVisible()
})
