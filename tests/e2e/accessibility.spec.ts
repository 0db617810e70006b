import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'
import { dialog } from './support/form.ts'
import { newUser } from './support/records.ts'
import { TalkingBoard } from './support/talking-board.ts'

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} look`, () => {
    test.use({ colorScheme })

    test('the sign-in page has no serious fault for those who do not see it', async ({ page }) => {
      await page.goto('/login')
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByLabel('E-mail')).toBeVisible()
      expect(await seriousFaults(page)).toEqual([])
    })

    test('nor have the dashboard and the list with an open filter', async ({ as }) => {
      const page = await as('admin', '/')
      await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
      expect(await seriousFaults(page), 'dashboard').toEqual([])
      await page.goto('/ess?lifecycle=COMMISSIONING')
      await expect(page.getByRole('link', { name: /^ESS-/ }).first()).toBeVisible()
      await page.getByRole('button', { name: /Lifecycle/, expanded: false }).click()
      expect(await seriousFaults(page), 'list').toEqual([])
    })

    test('nor have a record and a dialog', async ({ as, api }) => {
      const { id } = await (await api('admin')).first('ess?code=ESS-000003')
      const page = await as('admin', `/ess/${id}`)
      await expect(page.getByRole('heading', { name: 'ESS-000003', level: 1 })).toBeVisible()
      expect(await seriousFaults(page), 'record').toEqual([])
      await page.getByRole('button', { name: 'Set owner' }).click()
      await expect(dialog(page).getByRole('combobox', { name: 'Owner' })).toBeVisible()
      expect(await seriousFaults(page), 'dialog').toEqual([])
    })

    test('nor has a form with faults', async ({ as, api }) => {
      const { id } = await (await api('admin')).first('ess?code=ESS-000003')
      const page = await as('admin', `/ess/${id}/edit`)
      await page.getByRole('textbox', { name: 'Name', exact: true }).fill('')
      await page.getByRole('button', { name: 'Save' }).click()
      await expect(page.getByRole('alert')).toContainText('Please correct 1 field')
      expect(await seriousFaults(page)).toEqual([])
    })

    test('nor have the screens that say no', async ({ as }) => {
      const page = await as('service_engineer', '/user')
      await expect(page.getByRole('heading', { name: /403/ })).toBeVisible()
      expect(await seriousFaults(page)).toEqual([])
    })
  })
}

/** The spacing of text that readers may set (WCAG 1.4.12). */
const wideText = '* { letter-spacing: 0.12em !important; word-spacing: 0.16em !important; line-height: 1.5 !important }'

test('a list shows its times whole, whatever spacing of letters the reader has set', async ({ as, api }) => {
  await newUser(await api('admin'))
  const page = await as('admin', '/')
  await page.addInitScript((rule) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(rule)
    document.adoptedStyleSheets.push(sheet)
  }, wideText)
  await page.setViewportSize({ width: 1000, height: 800 })
  await page.goto('/audit-log')
  const times = page.getByRole('main').locator('tbody time')
  await expect(times.first()).toBeVisible()
  const cut = (all: Element[]) =>
    all.map((time) => time.closest('td, th')).filter((cell) => cell && cell.scrollWidth > cell.clientWidth).length
  expect(await times.evaluateAll(cut)).toBe(0)
})

test('on a screen that is enlarged four times a card of a list shows all of its values', async ({ as }) => {
  const page = await as('admin', '/')
  await page.setViewportSize({ width: 320, height: 640 })
  for (const path of ['/ess?sort=-counts.openWarnings', '/firmware', '/telemetry-warning']) {
    await page.goto(path)
    await expect(page.locator('.ui-grid-cards:not([aria-busy])')).toBeVisible()
    const parts = page.locator('.view-card-line .view-card-part')
    await expect(parts.nth(3)).toBeVisible()
    const hidden = (all: Element[]) =>
      all
        .filter((part) => {
          const [box, line] = [part.getBoundingClientRect(), part.closest('.view-card-line')?.getBoundingClientRect()]
          return line && (box.bottom > line.bottom + 1 || box.right > line.right + 1)
        })
        .map(({ textContent }) => textContent)
    expect(await parts.evaluateAll(hidden), path).toEqual([])
  }
})

test('the headings of a page go down one level at a time', async ({ as, api, server }) => {
  const board = await TalkingBoard.attach(await api('admin'), server.url)
  await board.history({ fromMin: 60, values: () => ({ socPct: 80 }) })
  const page = await as('admin', '/')
  for (const [path, name] of [
    [`/ess/${board.essId}`, /^Today$/],
    [`/control-pcb/${board.id}/telemetry`, /^Charge/],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name })).toBeVisible()
    const levels = await page.getByRole('heading').evaluateAll((all) => all.map(({ localName }) => Number(localName.slice(1))))
    expect(
      levels.filter((level, index) => level > (levels[index - 1] ?? 0) + 1),
      path,
    ).toEqual([])
  }
})
