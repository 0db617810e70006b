import type { Page } from '@playwright/test'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { accountPassword, linkTo, newAccount } from './support/accounts.ts'
import { expect, signInPage, test } from './support/console.ts'
import { notice, text } from './support/form.ts'
import { newEss } from './support/records.ts'
import { TalkingBoard } from './support/talking-board.ts'

const card = (page: Page, name: string) => page.locator('.ui-card', { has: page.getByRole('heading', { name, exact: true }) })

test('the own name is changed, and the console says it at once, in other tabs too', async ({ page, api, server, context }) => {
  const { user, email } = await newAccount(server.url, await api('admin'))
  await signInPage(page, user)
  await page.goto('/profile')
  await expect(card(page, 'Personal data')).toBeVisible()
  await expect(page.getByRole('definition').first()).toHaveText(email)
  const other = await context.newPage()
  await other.goto('/ess')
  await expect(other.getByRole('button', { name: 'Account of Petra Person' })).toBeVisible()
  await text(page, 'First name').fill('Paula')
  const save = card(page, 'Personal data').getByRole('button', { name: 'Save' })
  await save.press('Enter')
  await expect(notice(page, 'Saved')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Account of Paula Person' })).toBeVisible()
  await expect(save).toBeDisabled()
  await expect(save).toBeFocused()
  await expect(other.getByRole('button', { name: 'Account of Paula Person' })).toBeVisible()
  await page.reload()
  await expect(text(page, 'First name')).toHaveValue('Paula')
})

test('times are those of the zone in the profile, at once and from then on', async ({ page, api, server }) => {
  const admin = await api('admin')
  const { user } = await newAccount(server.url, admin)
  const ess = await newEss(admin)
  const created = (timeZone: string) =>
    new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone }).format(
      new Date(String(ess.createdAt)),
    )
  await signInPage(page, user)
  await page.goto(`/ess/${ess.id}`)
  await expect(page.getByText(`Created ${created('Europe/Moscow')}`)).toBeVisible()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('menuitem', { name: 'Profile' }).click()
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Pacific/Auckland')
  await card(page, 'Personal data').getByRole('button', { name: 'Save' }).click()
  await expect(notice(page, 'Saved')).toBeVisible()
  await page.goBack()
  await expect(page.getByText(`Created ${created('Pacific/Auckland')}`)).toBeVisible()
  await page.reload()
  await expect(page.getByText(`Created ${created('Pacific/Auckland')}`)).toBeVisible()
  const again = await newSignIn(server.url, String(user.session && (user.session as { user: { email: string } }).user.email))
  expect(again).toBe('Pacific/Auckland')
})

/** The zone that a sign-in elsewhere is given. */
async function newSignIn(url: string, email: string): Promise<unknown> {
  const answer = await fetch(`${url}/api/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: accountPassword }),
  })
  const { user } = (await answer.json()) as { user: { timezone: unknown } }
  return user.timezone
}

test('the password is changed by who knows it, which signs out everywhere', async ({ page, api, server }) => {
  const { user, email } = await newAccount(server.url, await api('admin'))
  await signInPage(page, user)
  await page.goto('/profile')
  const password = card(page, 'Change the password')
  await password.getByLabel('Current password', { exact: true }).fill('not the password')
  await password.getByLabel('New password', { exact: true }).fill('another-quiet-river-8')
  await password.getByRole('button', { name: 'Change the password' }).click()
  await expect(password.getByLabel('Current password', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  await expect(page.getByRole('heading', { level: 1, name: 'Profile' })).toBeVisible()
  await password.getByLabel('Current password', { exact: true }).fill(accountPassword)
  await password.getByRole('button', { name: 'Change the password' }).click()
  await expect(page).toHaveURL(/\/login/)
  await expect(notice(page, 'The password is changed.')).toBeVisible()
  expect((await user.call('GET', 'auth/me')).status).toBe(401)
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Password', { exact: true }).fill('another-quiet-river-8')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
})

test('language and theme are chosen in the profile as well as in the header', async ({ page, api, server }) => {
  const { user, id } = await newAccount(server.url, await api('admin'))
  await signInPage(page, user)
  await page.goto('/profile')
  await page.getByRole('combobox', { name: 'Theme' }).selectOption('dark')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await page.getByRole('combobox', { name: 'Language' }).selectOption('ru')
  await expect(page.getByRole('heading', { level: 1, name: 'Профиль' })).toBeVisible()
  await expect.poll(async () => (await user.get(`user/${id}`)).language).toBe('ru')
  await page.reload()
  await expect(page.getByRole('combobox', { name: 'Тема' })).toHaveValue('dark')
})

test('what was typed into the profile survives a closed tab', async ({ page, api, server, context }) => {
  const { user } = await newAccount(server.url, await api('admin'))
  await signInPage(page, user)
  await page.goto('/profile')
  await text(page, 'Last name').fill('Half-typed')
  await page.close()
  const next = await context.newPage()
  await next.goto('/profile')
  await next.getByRole('button', { name: 'Restore' }).click()
  await expect(text(next, 'Last name')).toHaveValue('Half-typed')
})

test('the way to delete the own account leads over the support', async ({ as }) => {
  const page = await as('client', '/profile')
  await page.getByRole('link', { name: 'Ask for the deletion' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Support' })).toBeVisible()
  // Support knows who asks for what; the rest is the person's word.
  await expect(text(page, 'Your name')).toHaveValue(/^Carl \S/)
  await expect(text(page, 'E-mail')).toHaveValue('client@example.com')
  await expect(text(page, 'Topic')).toHaveValue('Deletion of my account')
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(text(page, 'Message')).toBeFocused()
  await page.getByRole('link', { name: 'To the console' }).click()
  await expect(page).toHaveURL(/:\d+\/$/)
})

test('an engineer asks for mails of warnings, and gets one of his site', async ({ page, api, server }) => {
  const admin = await api('admin')
  const { user, id, email } = await newAccount(server.url, admin, 'service_engineer')
  const board = await TalkingBoard.attach(admin, server.url)
  await admin.send('POST', `ess/${board.essId}/invite-service-engineer`, { userId: id, scope: 'FULL' })
  const token = (await linkTo(admin, email, '/invitation/complete')).split('#token=')[1]
  await user.send('PUT', 'user/invitation/complete', { token })
  await signInPage(page, user)
  await page.goto('/profile')
  const notices = card(page, 'Notifications')
  const mails = notices.getByRole('combobox', { name: 'By e-mail' })
  await expect(mails).toHaveValue('OFF')
  await expect(notices.getByRole('combobox', { name: 'Sites' })).toHaveValue('RELATED')
  await expect(notices.getByRole('combobox', { name: 'When' }).getByRole('option')).toHaveText([
    'At once',
    'After 15 minutes',
    'After an hour',
    'After a day',
  ])
  await mails.selectOption('Warnings')
  await notices.getByRole('button', { name: 'Save' }).click()
  await expect(notice(page, 'Saved')).toBeVisible()
  await page.reload()
  await expect(mails).toHaveValue('WARNING')

  await board.send(board.frame({ eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit }))
  const subjects = async () => {
    const { mails } = await admin.get<{ mails: { to: string; subject: string }[] }>('outbox')
    return mails.flatMap(({ to, subject }) => (to === email ? [subject] : []))
  }
  await expect.poll(async () => (await subjects()).join('; ')).toContain('Insulation fault')
})

test('a client chooses how he is told, but not of whose systems', async ({ as }) => {
  const page = await as('client', '/profile')
  const notices = card(page, 'Notifications')
  await expect(notices.getByRole('combobox', { name: 'In the browser' })).toHaveValue('CRITICAL')
  await expect(notices.getByRole('combobox', { name: 'When' })).toHaveValue('0')
  await expect(notices.getByRole('combobox', { name: 'Sites' })).toHaveCount(0)
})

test('an installer, who is told of no warnings, is offered no choice of them', async ({ as }) => {
  const page = await as('installer', '/profile')
  await expect(card(page, 'Personal data')).toBeVisible()
  await expect(card(page, 'Notifications')).toHaveCount(0)
})
