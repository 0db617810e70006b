import type { Page } from '@playwright/test'
import { ApiUser } from './support/api-user.ts'
import { test as base, expect } from './support/console.ts'
import { TalkingBoard } from './support/talking-board.ts'

const names = [
  'user',
  'email',
  'client',
  'clientEmail',
  'ess',
  'essCode',
  'board',
  'boardCode',
  'packet',
  'firmware',
  'version',
] as const
type Records = Record<(typeof names)[number], string>

const test = base.extend<object, { records: Records }>({
  records: [
    async ({ server }, use) => {
      const admin = await ApiUser.signIn(server.url, 'admin@example.com')
      const board = await TalkingBoard.attach(admin, server.url)
      await board.send(board.frame())
      const packet = await admin.first(`package?controlPcbId=${board.id}`)
      const firmware = await admin.first('firmware?status=RELEASED')
      const user = await admin.first('user?email=installer@example.com')
      const client = await admin.first('user/client?email=client@example.com')
      const ess = await admin.get(`ess/${board.essId}`)
      await use({
        user: user.id,
        email: String(user.email),
        client: client.id,
        clientEmail: String(client.email),
        ess: ess.id,
        essCode: String(ess.code),
        board: board.id,
        boardCode: board.code,
        packet: packet.id,
        firmware: firmware.id,
        version: String(firmware.firmwareVersion),
      })
    },
    { scope: 'worker' },
  ],
})

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const expectCurrentTab = (page: Page, name: string) =>
  expect(page.getByRole('main').getByRole('link', { name, exact: true }).first()).toHaveAttribute('aria-current', 'page')

const fill = (path: string, records: Records) => names.reduce((text, name) => text.replace(`{${name}}`, records[name]), path)

const lists = [
  ['/', 'Dashboard'],
  ['/profile', 'Profile'],
  ['/user', 'Users'],
  ['/client', 'Clients'],
  ['/ess', 'ESS'],
  ['/control-pcb', 'Control PCB'],
  ['/package-control', 'Package control'],
  ['/firmware', 'Firmware'],
  ['/filling', 'Filling'],
] as const

for (const [path, title] of lists) {
  test(`the page at ${path} is called ${title}`, async ({ as }) => {
    const page = await as('admin', path)
    await expect(heading(page, title)).toBeVisible()
    await expect(page).toHaveTitle(`${title} · ESS console`)
  })
}

/** Address, whose name is the title, label of the tab. */
const tabs: readonly (readonly [path: string, title: keyof Records, label: string])[] = [
  ['/user/{user}/ess', 'email', 'ESS'],
  ['/client/{client}', 'clientEmail', 'Info'],
  ['/client/{client}/ess', 'clientEmail', 'ESS'],
  ['/ess/{ess}/control-pcb', 'essCode', 'Controls PCB'],
  ['/ess/{ess}/guest', 'essCode', 'Guests'],
  ['/ess/{ess}/service-engineer', 'essCode', 'Service Engineers'],
  ['/control-pcb/{board}', 'boardCode', 'Status'],
  ['/control-pcb/{board}/ess', 'boardCode', 'ESS'],
  ['/control-pcb/{board}/telemetry', 'boardCode', 'Telemetry'],
  ['/control-pcb/{board}/package-control', 'boardCode', 'Package control'],
]

for (const [path, titled, label] of tabs) {
  test(`the tab ${label} stands at ${path}`, async ({ as, records }) => {
    const page = await as('moderator', fill(path, records))
    await expect(heading(page, records[titled])).toBeVisible()
    await expectCurrentTab(page, label)
    await expect(page).toHaveTitle(new RegExp(`^${records[titled]}`))
  })
}

test('the tab of a user has every ESS that he has to do with, as an installer too', async ({ as, records }) => {
  const page = await as('moderator', fill('/user/{user}/ess', records))
  await expect(page.getByRole('row', { name: /ESS-/ }).first()).toBeVisible()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  expect((await download).suggestedFilename()).toMatch(/\.csv$/)
})

test('a packet opens inside the tab of its board, and at an address of its own', async ({ as, records }) => {
  const page = await as('service_engineer', `/control-pcb/${records.board}/package/${records.packet}`)
  await expect(heading(page, records.boardCode)).toBeVisible()
  await expectCurrentTab(page, 'Package control')
  await page.goto(`/package-control/${records.packet}`)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(records.boardCode)
})

test('a firmware is called by its version', async ({ as, records }) => {
  const page = await as('service_engineer', `/firmware/${records.firmware}`)
  await expect(heading(page, records.version)).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^${records.version}`))
})
