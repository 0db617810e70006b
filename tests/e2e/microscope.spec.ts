import type { Page } from '@playwright/test'
import { seriousFaults } from './support/axe.ts'
import { expect, test } from './support/console.ts'
import { notice } from './support/form.ts'
import { TalkingBoard } from './support/talking-board.ts'

type Listed = { id: string; status: string; reason: string[] }

const flipped = (bytes: Buffer, at: number) => {
  bytes[at] = (bytes[at] ?? 0) ^ 4
  return bytes
}

/** A board that has sent two sound packets, one with an impossible value, one with a flipped bit, and noise. */
const doubtful = test.extend<{ board: TalkingBoard; packet: (reason: string | undefined) => Promise<string> }>({
  board: async ({ api, server }, use) => {
    const board = await TalkingBoard.attach(await api('admin'), server.url)
    await board.send(board.frame(), board.frame({ socPct: 63.5 }))
    await board.send(board.frame({ cellVoltageMinMv: 9900 }))
    await board.send(flipped(board.frame({ socPct: 63.6, loadPowerW: 1900 }), 52))
    await board.send(Buffer.from('noise on the line'))
    await use(board)
  },
  packet: async ({ api, board }, use) =>
    use(async (reason) => {
      const all = await (await api('admin')).get<Listed[]>(`package?controlPcbId=${board.id}&_sort=receivedAt&_order=desc`)
      const found = all.find((each) => (reason ? each.reason.includes(reason) : each.reason.length === 0))
      if (!found) throw new Error(`no packet with ${reason}`)
      return found.id
    }),
})

const bytes = (page: Page) => page.getByRole('listbox', { name: /Bytes/ })
const byte = (page: Page, at: number) => bytes(page).getByRole('option', { name: new RegExp(`^Byte ${at}:`) })
const litBytes = (page: Page) => bytes(page).getByRole('option', { selected: true })
const field = (page: Page, name: string) =>
  page.getByRole('row').filter({ has: page.getByRole('button', { name, exact: true }) })

doubtful('a flipped bit is told with both checksums, and its byte is lit', async ({ as, packet }) => {
  const page = await as('service_engineer', `/package-control/${await packet('CRC_MISMATCH')}`)
  const verdict = page.getByRole('region', { name: 'Verdict' })
  await expect(verdict).toContainText('Checksum differs')
  await expect(verdict.getByText('Counted over the bytes')).toBeVisible()
  const sums = await verdict.locator('dd').allTextContents()
  expect(sums).toHaveLength(2)
  expect(sums[0]).toMatch(/^[0-9a-f]{4}$/)
  expect(sums[1]).toMatch(/^[0-9a-f]{4}$/)
  expect(sums[0]).not.toBe(sums[1])
  await expect(verdict).toContainText('One flipped bit in byte 52 would explain it.')
  await expect(byte(page, 52)).toHaveAccessibleName(/Battery voltage, wrong/)
  await expect(litBytes(page)).toHaveCount(4)
  await verdict.getByRole('button', { name: 'Show bytes 165–166' }).click()
  await expect(litBytes(page)).toHaveText([/../, /../])
  await expect(byte(page, 165)).toHaveAccessibleName(/Checksum, wrong/)
})

doubtful('a field lights its bytes and a byte its field, by the mouse and by the keyboard', async ({ as, packet }) => {
  const page = await as('admin', `/package-control/${await packet(undefined)}`)
  await expect(litBytes(page)).toHaveCount(0)
  await field(page, 'State of charge').hover()
  await expect(litBytes(page)).toHaveText(['02', '7b'])
  await byte(page, 12).hover()
  await expect(field(page, 'Device time')).toHaveClass(/packet-lit/)

  await page.getByRole('button', { name: 'State of charge', exact: true }).focus()
  await page.mouse.move(0, 0)
  await expect(litBytes(page)).toHaveText(['02', '7b'])
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: 'State of health', exact: true })).toBeFocused()
  await expect(litBytes(page)).toHaveText(['03', 'd6'])

  await bytes(page).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowRight')
  await expect(field(page, 'Battery power')).toHaveClass(/packet-lit/)
  await expect(field(page, 'Battery power')).toContainText('discharging 1,536 W')
  await expect(litBytes(page)).toHaveCount(4)
})

doubtful('a packet is compared with the last valid one before it, and the address keeps that', async ({ as, packet }) => {
  const page = await as('admin', `/package-control/${await packet('CRC_MISMATCH')}`)
  await page.getByRole('checkbox', { name: 'Compare with the last valid packet' }).check()
  await expect(page.getByRole('status').filter({ hasText: 'differ from the packet of' })).toBeVisible()
  await expect(field(page, 'State of charge').getByRole('cell').nth(1)).toHaveText('63.5%')
  await expect(byte(page, 43)).toHaveAccessibleName(/differs from the last valid packet/)
  await expect(byte(page, 44)).not.toHaveAccessibleName(/differs/)
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Last valid' })).toBeVisible()
})

doubtful('where no valid packet came before, no comparison is on offer, and the page says why', async ({ as, api, board }) => {
  const all = await (await api('admin')).get<Listed[]>(`package?controlPcbId=${board.id}&_sort=receivedAt&_order=asc`)
  const page = await as('admin', `/package-control/${all[0]?.id}`)
  const compare = page.getByRole('checkbox', { name: 'Compare with the last valid packet' })
  await expect(page.getByRole('status').filter({ hasText: 'There is no valid packet of this type before.' })).toBeVisible()
  await expect(compare).toBeDisabled()
  await expect(compare).not.toBeChecked()
})

doubtful('a packet is decoded again by those who may', async ({ as, api, packet }) => {
  const id = await packet('VALUE_OUT_OF_RANGE')
  const page = await as('moderator', `/package-control/${id}`)
  await expect(field(page, 'Lowest cell')).toContainText('Expected: 1500–4000 mV')
  await page.getByRole('button', { name: 'Decode again' }).click()
  await expect(notice(page, 'The packet is decoded with the present decoder')).toBeVisible()
  const record = await (await api('admin')).get(`package/${id}`)
  expect(record.reprocessedAt).not.toBeNull()
  await expect(page.locator('dt', { hasText: 'Decoded again' }).locator('+ dd')).not.toContainText('No value')
})

doubtful('the list of a board counts reasons, filters by them, and opens packets inside the board', async ({ as, board }) => {
  const page = await as('admin', `/control-pcb/${board.id}/package-control`)
  const reasons = page.getByRole('group', { name: 'Reasons' })
  await expect(reasons.getByRole('button')).toHaveCount(3)
  await reasons.getByRole('button', { name: /Value out of range/ }).click()
  await expect(page.getByRole('row')).toHaveCount(2)
  await expect(page).toHaveURL(/reason=VALUE_OUT_OF_RANGE/)
  await page.getByRole('row').nth(1).getByRole('link').first().click()
  await expect(page).toHaveURL(new RegExp(`/control-pcb/${board.id}/package/`))
  await expect(page.getByRole('heading', { level: 1, name: board.code })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: /^Package / })).toBeFocused()
  await expect(field(page, 'Lowest cell')).toContainText('9,900 mV')
  await page.goBack()
  await expect(reasons.getByRole('button', { name: /Value out of range/, pressed: true })).toBeVisible()
})

for (const colorScheme of ['light', 'dark'] as const) {
  doubtful.describe(`in the ${colorScheme} look`, () => {
    doubtful.use({ colorScheme })

    doubtful('the microscope has no serious fault, in Russian either, and fits a phone', async ({ as, packet, page: own }) => {
      await own.addInitScript(() => localStorage.setItem('ess-console.language', 'ru'))
      const page = await as('admin', `/package-control/${await packet('CRC_MISMATCH')}?compare=1`)
      await expect(page.getByRole('columnheader', { name: 'Последний верный' })).toBeVisible()
      await expect(page.getByText('Контрольная сумма не совпадает')).toBeVisible()
      expect(await seriousFaults(page)).toEqual([])
      await page.setViewportSize({ width: 390, height: 844 })
      await expect.poll(() => page.evaluate(() => document.scrollingElement?.scrollWidth)).toBe(390)
    })
  })
}
