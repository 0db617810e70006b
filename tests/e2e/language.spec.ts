import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'
import { list } from './support/form.ts'

const switchTo = async (page: Page, from: string, name: string) => {
  await page.getByRole('banner').getByRole('button', { name: from, exact: true }).click()
  await page.getByRole('menuitemcheckbox', { name }).click()
}

/** Words on screen that are Latin letters only: names, codes and addresses left out. */
const latinWords = (page: Page) =>
  page.evaluate(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const words = new Set<string>()
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      const text = node.textContent?.trim() ?? ''
      const isShown = node.parentElement?.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      if (isShown && /^[A-Za-z][A-Za-z ,.:…-]*$/.test(text) && /[a-z]{3}/.test(text)) words.add(text)
    }
    return [...words].toSorted()
  })

test('the language is switched in the header: every word, without a reload, and for good', async ({ as, api, calls }) => {
  const page = await as('admin', '/ess?columns=code,lifecycle,connection,installedAt&limit=10&sort=code')
  await expect(page.getByRole('link', { name: 'ESS-000001' })).toBeVisible()
  await page.evaluate(() => Object.assign(window, { isSamePage: true }))
  expect(await latinWords(page)).toContain('Lifecycle')
  await switchTo(page, 'Language EN', 'Русский')
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru')
  await expect(page.getByRole('columnheader', { name: 'Жизненный цикл' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Главное меню' })).toContainText('Пользователи')
  expect(await latinWords(page)).toEqual(['Ctrl K'])
  expect(await page.evaluate(() => 'isSamePage' in window)).toBe(true)
  await expect.poll(() => calls.some((call) => call.startsWith('PUT /api/user/'))).toBe(true)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'СНЭ', level: 1 })).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('lang', 'ru')
  await switchTo(page, 'Язык RU', 'English')
  await expect(page.getByRole('columnheader', { name: 'Lifecycle' })).toBeVisible()
  const me = await api('admin')
  await expect.poll(async () => (await me.get<{ user: { language: string } }>('auth/me')).user.language).toBe('en')
})

for (const path of ['/ess/create', '/profile', '/firmware', '/control-pcb?limit=10']) {
  test(`nothing English is left on ${path} in Russian`, async ({ as, page: own }) => {
    await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
    const page = await as('moderator', path)
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForTimeout(700)
    const words = await latinWords(page)
    expect(
      words.filter((word) => !['Ada Admin', 'Milan Moderator', 'Ctrl K', 'Milan', 'Moderator', 'node'].includes(word)),
    ).toEqual([])
  })
}

test('the server answers in the language of the page', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Language EN' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Русский' }).click()
  await page.getByLabel('Эл. почта').fill('nobody@example.com')
  await page.getByLabel('Пароль', { exact: true }).fill('not the password')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Неверная почта или пароль').first()).toBeVisible()
})

test('numbers and dates follow the language, and a form takes both decimal marks', async ({ as, page: own }) => {
  await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
  const page = await as('admin', '/ess?q=ESS-000001&columns=code,ratedEnergyWh,installedAt')
  await expect(page.getByRole('row').nth(1)).toContainText('10,2 кВт·ч')
  await page.getByRole('link', { name: 'ESS-000001' }).click()
  await page.getByRole('link', { name: 'Изменить' }).click()
  const latitude = page.getByRole('spinbutton', { name: 'Широта' })
  await latitude.fill('48,5')
  await list(page, 'Часовой пояс').focus()
  await expect(latitude).toHaveValue(/^48,50*$/)
  await expect(latitude).not.toHaveAttribute('aria-invalid', 'true')
})
