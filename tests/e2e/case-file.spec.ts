import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { readZip } from '#tests/support/read-zip.ts'
import type { ApiUser } from './support/api-user.ts'
import { seriousFaults } from './support/axe.ts'
import { test as base, expect } from './support/console.ts'
import { dialog, fact, notice, text } from './support/form.ts'
import { TalkingBoard } from './support/talking-board.ts'

const hot = { cellTempMinC: 45, cellTempAvgC: 46, cellTempMaxC: 47 }

/** A board that was well for a quarter of an hour and is too hot since three minutes. */
const test = base.extend<{ board: TalkingBoard }>({
  board: async ({ api, server }, use) => {
    const board = await TalkingBoard.attach(await api('admin'), server.url)
    await board.history({ fromMin: 15, values: (ago) => (ago > 3 ? {} : hot) })
    await use(board)
  },
})

const warningOf = (admin: ApiUser, board: TalkingBoard) =>
  admin.first(`telemetry-warning?controlPcbId=${board.id}&code=OVER_TEMP`)
const action = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true })

/** By the menu, which leads to the one that is there, too. */
async function openFrom(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Open case file' }).click()
  await expect(page).toHaveURL(/\/case-file\/[\w-]+$/)
}

test('a case file is opened from its warning, tells what it holds, and is downloaded as an archive that says the same', async ({
  as,
  api,
  board,
}) => {
  const admin = await api('admin')
  const { id } = await warningOf(admin, board)
  const page = await as('moderator', `/telemetry-warning/${id}`)
  await action(page, 'Open case file').click()
  await expect(page).toHaveURL(/\/case-file\/[\w-]+$/)
  await expect(notice(page, 'Case file created')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(/^CASE-\d{6}$/)
  await expect(fact(page, 'State')).toHaveText('Being collected')
  await expect(fact(page, 'Packages')).toHaveText('15')
  await expect(fact(page, 'Samples')).toHaveText('15')
  await expect(page.getByRole('main')).toContainText(`Late data of ${board.code} is added`)

  const download = page.waitForEvent('download')
  await action(page, 'Download ZIP').click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^CASE-\d{6}\.zip$/)
  const { manifest, untrue } = readZip(await readFile(await file.path()))
  expect(untrue).toEqual([])
  expect(manifest.counts).toMatchObject({ packages: 15, samples: 15 })
  const [own] = await admin.get<{ code: string; startsAt: string }[]>(`case-file?warningId=${id}`)
  expect(manifest).toMatchObject({ code: own?.code, from: own?.startsAt })
})

test('its counts follow what is still collected, while it is looked at', async ({ as, api, board, page: own }) => {
  const admin = await api('admin')
  const { id } = await warningOf(admin, board)
  const made = await admin.send<{ id: string }>('PUT', `telemetry-warning/${id}/open-case`)
  await own.clock.install()
  const page = await as('admin', `/case-file/${made.id}`)
  await expect(fact(page, 'Packages')).toHaveText('15')
  await board.send(board.frame(hot))
  await page.clock.fastForward(31_000)
  await expect(fact(page, 'Packages')).toHaveText('16')
  await expect(fact(page, 'Samples')).toHaveText('16')
})

test('it leads to the packets and the chart of its time, and back to its warning', async ({ as, api, board }) => {
  const { id } = await warningOf(await api('admin'), board)
  const page = await as('admin', `/telemetry-warning/${id}`)
  await openFrom(page)
  const address = page.url()
  await page.getByRole('link', { name: 'Packets of that time' }).click()
  await expect(page).toHaveURL(`${address}/package`)
  await expect(page.getByRole('row')).toHaveCount(16)
  await page.goto(address)
  await page.getByRole('link', { name: 'Telemetry of that time' }).click()
  await expect(page).toHaveURL(new RegExp(`/control-pcb/${board.id}/telemetry\\?from=.*&to=.*`))
  await expect(page.getByRole('link', { name: /Battery too hot/ })).toBeVisible()
  await page.goto(address)
  await fact(page, 'Warning').getByRole('link', { name: 'Battery too hot' }).click()
  await expect(page).toHaveURL(new RegExp(`/telemetry-warning/${id}$`))
})

test('anyone who asks for it again comes to the same one, which stands at the warning and at the ESS', async ({
  as,
  api,
  board,
}) => {
  const { id } = await warningOf(await api('admin'), board)
  const made = await (await api('moderator')).send<{ id: string; code: string }>('PUT', `telemetry-warning/${id}/open-case`)
  const page = await as('admin', `/telemetry-warning/${id}`)
  await expect(fact(page, 'Case file').getByRole('link', { name: made.code })).toBeVisible()
  await openFrom(page)
  await expect(page).toHaveURL(new RegExp(`/case-file/${made.id}$`))
  await expect(fact(page, 'Created by')).toContainText('Milan Moderator')
  await action(page, 'Edit note').click()
  await text(dialog(page), 'Note').fill('For the maker of the fan')
  await dialog(page).getByRole('button', { name: 'Edit note' }).click()
  await expect(fact(page, 'Note')).toHaveText('For the maker of the fan')
  await page.goto(`/ess/${board.essId}/case-file`)
  await expect(page.getByRole('row', { name: new RegExp(`${made.code}.*Battery too hot`) })).toBeVisible()
})

test('an engineer who does not look after the site reads it, and is offered neither a new one nor its note', async ({
  as,
  api,
  board,
}) => {
  const admin = await api('admin')
  const { id } = await warningOf(admin, board)
  const page = await as('service_engineer', `/telemetry-warning/${id}`)
  await expect(page.getByRole('main')).toContainText('Actions here are for engineers who are assigned')
  await expect(action(page, 'Open case file')).toHaveCount(0)
  const made = await admin.send<{ id: string }>('PUT', `telemetry-warning/${id}/open-case`)
  await page.goto(`/case-file/${made.id}`)
  await expect(action(page, 'Download ZIP')).toBeVisible()
  await expect(page.getByRole('main')).toContainText('Actions here are for engineers who are assigned')
  await expect(action(page, 'Edit note')).toHaveCount(0)
})

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} look`, () => {
    test.use({ colorScheme })

    test('its page has no serious fault, in Russian either, and fits a phone', async ({ as, api, board, page: own }) => {
      const { id } = await warningOf(await api('admin'), board)
      const made = await (await api('admin')).send<{ id: string }>('PUT', `telemetry-warning/${id}/open-case`)
      await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
      const page = await as('admin', `/case-file/${made.id}`)
      await expect(fact(page, 'Пакеты')).toHaveText('15')
      expect(await seriousFaults(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
    })
  })
}
