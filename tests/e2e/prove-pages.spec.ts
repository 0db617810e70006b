import { expect, test } from '@playwright/test'
import { type ExpectedPage, pageFaults } from '#tests/prove/pages/page-faults.ts'
import { planOf, visits } from '#tests/prove/pages/page-plan.ts'
import { provenOfProduct } from '#tests/prove/proven.ts'
import { presentChromium } from '#tests/support/installed-chromium.ts'

const list: ExpectedPage = { screen: 'list', heading: 'Huts' }
const form: ExpectedPage = { screen: 'create' }

/** A sound page, with a body of its own. */
const withBody = (body: string, heading = 'Huts') =>
  `<!doctype html><html lang="en"><head><title>Huts</title></head><body><main><h1>${heading}</h1>${body}</main></body></html>`

test.describe('proving a page', () => {
  test('finds nothing on a sound one', async ({ page }) => {
    await page.setContent(withBody('<p>None yet</p>'))
    expect(await pageFaults(page, list)).toEqual([])
    await page.setContent(withBody('<form><label>Name <input></label></form>'))
    expect(await pageFaults(page, form)).toEqual([])
  })

  for (const [what, body, fault] of [
    ['an input without a name', '<input>', /^label: <input>/],
    ['text that is hard to see', '<p style="color: #bbb; background: #fff">Pale</p>', /^color-contrast: /],
    ['a picture without words', '<img src="data:,">', /^image-alt: /],
  ] as const)
    test(`finds ${what}`, async ({ page }) => {
      await page.setContent(withBody(body))
      expect(await pageFaults(page, list)).toEqual([expect.stringMatching(fault)])
    })

  test('finds that another page is shown, or no form', async ({ page }) => {
    await page.setContent(withBody('', '404 There is no such page'))
    expect(await pageFaults(page, list)).toEqual(['it shows “404 There is no such page”'])
    await page.setContent(withBody('', 'Users'))
    expect(await pageFaults(page, list)).toEqual(['its heading is “Users” and not “Huts”'])
    await page.setContent(withBody(''))
    expect(await pageFaults(page, form)).toEqual(['it shows no form'])
  })

  test('leaves out what a definition does not have, and says so', () => {
    const of = (name: string) => provenOfProduct(name).resource
    expect(planOf(of('audit-log'), 'admin', [{ id: '1' }]).leftOut.map(([what]) => what)).toEqual(['page create', 'page edit'])
    expect(planOf(of('ess-model'), 'admin', []).leftOut.map(([what]) => what)).toEqual(['page show', 'page edit'])
    expect(planOf(of('ess-model'), 'admin', [{ id: '1' }]).pages.map(({ screen }) => screen)).toEqual([
      'list',
      'create',
      'show',
      'edit',
    ])
  })

  test('sees each language, look and width beside each other', () => {
    const all = visits.flatMap(({ language, looks }) => looks.map(([look, width]) => [language, look, width]))
    for (const [one, other] of [
      [0, 1],
      [0, 2],
      [1, 2],
    ] as const)
      expect(new Set(all.map((visit) => `${visit[one]} ${visit[other]}`)).size).toBe(4)
  })

  test('takes no browser that is not there', () => {
    expect(presentChromium({ CHROMIUM_PATH: '/nowhere/chromium' })).toBeUndefined()
  })
})
