import type { Page } from '@playwright/test'
import type { ApiUser } from './api-user.ts'

/** Gives a page the session that its first load finds in the browser's storage. */
export async function signInPage(page: Page, { session }: ApiUser): Promise<void> {
  const record = { session, rev: Date.now(), skewMs: 0 }
  await page.addInitScript((stored) => {
    if (sessionStorage.getItem('signed-in')) return
    sessionStorage.setItem('signed-in', 'yes')
    localStorage.setItem('ess-console.session', stored)
  }, JSON.stringify(record))
}
