import type { Page } from '@playwright/test'
import { accountPassword, linkTo } from './support/accounts.ts'
import type { ApiUser } from './support/api-user.ts'
import { test } from './support/clocked-console.ts'
import { expect } from './support/console.ts'
import { dialog, notice, text } from './support/form.ts'
import { newEss, newUser } from './support/records.ts'

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })

/** Presses “Send again” in the menu of a row, and agrees. */
async function sendAgain(page: Page, row: string | RegExp): Promise<void> {
  await page
    .getByRole('row', { name: row })
    .getByRole('button', { name: /^More actions/ })
    .click()
  await page.getByRole('menuitem', { name: 'Send again' }).click()
  await agree(page)
}
async function agree(page: Page): Promise<void> {
  await dialog(page).getByRole('button', { name: 'Send again' }).click()
  await expect(notice(page, 'The invitation is sent again')).toBeVisible()
}

/** The link of a letter that is not the one that is known. */
async function otherLink(admin: ApiUser, email: string, path: string, known: string): Promise<string> {
  await expect.poll(() => linkTo(admin, email, path)).not.toBe(known)
  return linkTo(admin, email, path)
}

async function finish(page: Page, link: string): Promise<void> {
  await page.goto(link)
  await text(page, 'First name').fill('Petra')
  await text(page, 'Last name').fill('Person')
  await page.getByLabel(/^New password/).fill(accountPassword)
  await page.getByRole('button', { name: /^(Create the account|Accept)$/ }).click()
}

test('open invitations are a figure of the first page; sent again, the new link works and the old one says why not', async ({
  as,
  api,
  clock,
  browser,
  server,
}) => {
  const admin = await api('admin')
  const email = String((await newUser(admin)).email)
  const old = await linkTo(admin, email, '/register/complete')
  // A letter is sent again after a minute at the earliest.
  await clock.pass(2)
  const page = await as('admin')
  await page.getByRole('link', { name: /^Open invitations/ }).click()
  await expect(page).toHaveURL('/invitation?state=PENDING')
  await expect(heading(page, 'Invitations')).toBeVisible()
  await sendAgain(page, new RegExp(email))
  const link = await otherLink(admin, email, '/register/complete', old)

  const context = await browser.newContext({ baseURL: server.url })
  const visitor = await context.newPage()
  await finish(visitor, old)
  await expect(heading(visitor, 'The link no longer works')).toBeVisible()
  await finish(visitor, link)
  await expect(visitor.getByText('The account is ready. You can sign in.')).toBeVisible()
  await context.close()
  await expect(page.getByRole('row', { name: new RegExp(email) })).toBeHidden()
})

/** Offers of the palette for a word. */
async function palettePages(page: Page, word: string) {
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Page, record or command' })).toBeFocused()
  await page.keyboard.type(word)
  return page.getByRole('option')
}

test('the menu and the palette lead to the invitations', async ({ as }) => {
  const page = await as('moderator')
  await expect(heading(page, 'Dashboard')).toBeVisible()
  await page
    .getByRole('navigation')
    .getByRole('link', { name: /^Invitations/ })
    .click()
  await expect(heading(page, 'Invitations')).toBeVisible()
  await page.goto('/')
  await expect(heading(page, 'Dashboard')).toBeVisible()
  await expect((await palettePages(page, 'invitations')).first()).toHaveText('Invitations')
  await page.keyboard.press('Enter')
  await expect(heading(page, 'Invitations')).toBeVisible()
})

test('the palette hides the invitations from who may not list them', async ({ as }) => {
  const page = await as('service_engineer')
  await expect(heading(page, 'Dashboard')).toBeVisible()
  await expect((await palettePages(page, 'firmw')).first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Page, record or command' }).fill('invitations')
  await expect(page.getByRole('option')).toHaveCount(0)
})

test('a user who has not answered is sent the letter again from his record', async ({ as, api, clock }) => {
  const admin = await api('admin')
  const { id, email } = await newUser(admin)
  const old = await linkTo(admin, String(email), '/register/complete')
  await clock.pass(2)
  const page = await as('admin', `/user/${id}`)
  await page.getByRole('button', { name: 'Send again' }).click()
  await agree(page)
  const link = await otherLink(admin, String(email), '/register/complete', old)
  await finish(page, link)
  await expect(page.getByText('The account is ready.')).toBeVisible()
  await page.goto(`/user/${id}`)
  await expect(page.getByRole('button', { name: 'Lock' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Send again' })).toBeHidden()
})

for (const [kind, tab] of [
  ['guest', 'Guests'],
  ['service-engineer', 'Service Engineers'],
] as const)
  test(`anyone who was invited as a ${kind} is sent the mail again from the tab ${tab}`, async ({ as, api, clock }) => {
    const admin = await api('admin')
    const ess = await newEss(admin)
    const owner = await admin.first('user/client?status=ACTIVE')
    await admin.send('PUT', `ess/${ess.id}/owner`, { clientId: owner.id })
    const email = `again-${kind}@test.example`
    await admin.send('POST', `ess/${ess.id}/invite-${kind}`, { email, ...(kind === 'guest' ? {} : { scope: 'READ' }) })
    const [seen] = await (await api('service_engineer')).get<object[]>(`ess/${ess.id}/${kind}`)
    expect(seen).toMatchObject({ state: 'INVITED' })
    expect(Object.keys(seen ?? {}).filter((name) => name.startsWith('invitation'))).toEqual([])
    const old = await linkTo(admin, email, '/invitation/complete')
    await clock.pass(2)
    const page = await as('moderator', `/ess/${ess.id}/${kind}`)
    await sendAgain(page, new RegExp(email))
    const link = await otherLink(admin, email, '/invitation/complete', old)
    await finish(page, link)
    await expect(page.getByText(/The invitation is accepted/)).toBeVisible()
    await page.goto(`/ess/${ess.id}/${kind}`)
    const row = page.getByRole('row', { name: 'Petra Person' })
    await expect(row).toContainText('Active')
    await row.getByRole('button', { name: /^More actions/ }).click()
    await expect(page.getByRole('menuitem', { name: /^Remove/ })).toBeVisible()
    await expect(page.getByRole('menuitem', { name: 'Send again' })).toBeHidden()
  })
