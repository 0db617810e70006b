import type { Page } from '@playwright/test'
import { expect, test } from './support/console.ts'

const list = 'GET /api/ess?_start=0&_end=25&_sort=attention&_order=asc'

/** Holds the scripts of the console back until it is released. */
async function holdConsole(page: Page): Promise<() => void> {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/console-*.js', async (route) => {
    await released
    await route.continue()
  })
  return release
}

test('the first data and every script of an address are asked for by the document, once', async ({ as, calls }) => {
  const page = await as('admin', '/about')
  const release = await holdConsole(page)
  calls.length = 0
  await page.goto('/ess', { waitUntil: 'commit' })
  await expect.poll(() => calls).toEqual(expect.arrayContaining(['GET /api/auth/me', list]))
  await expect(page.locator('#frame')).toBeVisible()
  const preloaded = await page
    .locator('link[rel=modulepreload]')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href')?.replace(/^\/assets\/(\w+)-.*/, '$1')))
  expect(preloaded).toEqual(expect.arrayContaining(['console', 'list']))
  release()
  await expect(page.getByRole('row', { name: /ESS-/ }).first()).toBeVisible()
  await expect(page.locator('#frame')).toBeHidden()
  const first = calls.filter((call) => call === 'GET /api/auth/me')
  expect(first).toHaveLength(1)
})

test('the theme of this device is there before the scripts are', async ({ as }) => {
  const page = await as('admin', '/about')
  await page.evaluate(() => localStorage.setItem('theme', 'dark'))
  const release = await holdConsole(page)
  await page.goto('/ess', { waitUntil: 'commit' })
  await expect(page.locator('#frame')).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  release()
  await expect(page.getByRole('navigation', { name: 'Main menu' })).toBeVisible()
})

test('a visitor sees no frame, and the document asks for nothing', async ({ page, calls }) => {
  await page.goto('/ess')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(page.locator('#frame')).toBeHidden()
  expect(calls).toEqual([])
})

test('the document asks for no list that the role may not see', async ({ as, calls }) => {
  const page = await as('client', '/ess')
  await expect(page.getByRole('heading', { name: /403/, level: 1 })).toBeVisible()
  expect(calls.filter((call) => call.startsWith('GET /api/ess'))).toEqual([])
})
