import type { Page } from '@playwright/test'
import { warnings } from '#resources/fleet/warnings/warnings.ts'
import { linkTo, newAccount } from './support/accounts.ts'
import type { ApiUser } from './support/api-user.ts'
import { test as base, expect, signInPage } from './support/console.ts'
import { dialog, fact, notice, openList } from './support/form.ts'
import { TalkingBoard } from './support/talking-board.ts'

type Scope = 'READ' | 'FULL'
type Site = { board: TalkingBoard; warning: string; update: string }

/** A site with an update that waits and a warning that stays until it is cleared. */
async function newSite(admin: ApiUser, url: string): Promise<Site> {
  const board = await TalkingBoard.attach(admin, url)
  await board.send(board.frame())
  const firmware = await admin.first(`firmware/for-request-update?controlPcbId=${board.id}`)
  const update = await admin.send('POST', 'firmware-update', { controlPcbId: board.id, firmwareId: firmware.id })
  await board.send(board.frame({ eventFlags: 2 ** warnings.INSULATION_FAULT.flag.bit }))
  const warning = await admin.first(`telemetry-warning?controlPcbId=${board.id}&code=INSULATION_FAULT`)
  return { board, warning: warning.id, update: update.id }
}

const test = base.extend<{ site: Site; engineer: (scope?: Scope) => Promise<Page> }>({
  site: async ({ api, server }, use) => use(await newSite(await api('admin'), server.url)),
  /** The page of a new engineer, assigned to the site when a scope is given. */
  engineer: async ({ page, api, server, site }, use) =>
    use(async (scope) => {
      const admin = await api('admin')
      const { user, id, email } = await newAccount(server.url, admin, 'service_engineer')
      if (scope) {
        await admin.send('POST', `ess/${site.board.essId}/invite-service-engineer`, { userId: id, scope })
        const token = (await linkTo(admin, email, '/invitation/complete')).split('#token=')[1]
        await user.send('PUT', 'user/invitation/complete', { token })
      }
      await signInPage(page, user)
      return page
    }),
})

const main = (page: Page) => page.getByRole('main')
const why = (page: Page) => main(page).getByText('Actions here are for engineers who are assigned to the ESS with full rights')
const deeds = (page: Page, name: string) => main(page).getByRole('button', { name, exact: true })
const moreOf = (page: Page, row: RegExp) => page.getByRole('row', { name: row }).getByRole('button', { name: /^More actions/ })

/** Every page of a site on which something is done, with what is done there. */
const pages = ({ board, warning, update }: Site): [path: string, names: string[]][] => [
  [`/telemetry-warning/${warning}`, ['Acknowledge', 'Assign']],
  [`/control-pcb/${board.id}`, ['Edit configuration', 'Capture raw packets']],
  [`/control-pcb/${board.id}/configuration`, ['Edit configuration']],
  [`/ess/${board.essId}`, ['Set maintenance', 'Edit notes']],
  [`/ess/${board.essId}/control-pcb`, ['Attach board']],
  [`/firmware-update/${update}`, ['Cancel']],
]

for (const scope of [undefined, 'READ'] as const)
  test(`an engineer ${scope ? 'who may only read' : 'of other sites'} is offered nothing that is refused him, and told why`, async ({
    engineer,
    site,
  }) => {
    const page = await engineer(scope)
    for (const [path, names] of pages(site)) {
      await page.goto(path)
      await expect(why(page)).toBeVisible()
      for (const name of names) await expect(deeds(page, name), `${name} at ${path}`).toBeHidden()
    }
    await page.goto(`/control-pcb/${site.board.id}/telemetry-warnings`)
    await moreOf(page, /Insulation fault/).click()
    await expect(page.getByRole('menuitem')).toHaveText(['Comment'])
    await page.goto(`/control-pcb/${site.board.id}/firmware-updates`)
    await expect(page.getByRole('row', { name: /Queued/ })).toBeVisible()
    await expect(moreOf(page, /Queued/)).toBeHidden()
  })

test('an engineer with full rights is offered what is done at his site, and it is done', async ({ engineer, site }) => {
  const page = await engineer('FULL')
  for (const [path, names] of pages(site)) {
    await page.goto(path)
    for (const name of names) await expect(deeds(page, name), `${name} at ${path}`).toBeVisible()
    await expect(why(page)).toBeHidden()
  }
  await page.goto(`/control-pcb/${site.board.id}/telemetry-warnings`)
  await moreOf(page, /Insulation fault/).click()
  await expect(page.getByRole('menuitem')).toHaveText(['Acknowledge', 'Assign', 'Comment', 'Clear'])
  await page.getByRole('menuitem', { name: 'Acknowledge' }).click()
  await dialog(page).getByRole('button', { name: 'Acknowledge' }).click()
  await expect(notice(page, 'The warning is acknowledged')).toBeVisible()
  await page.goto(`/telemetry-warning/${site.warning}`)
  await expect(fact(page, 'State')).toHaveText('Active, acknowledged')
})

test('boards of a new update are those that an engineer may update', async ({ engineer, site, api }) => {
  const page = await engineer('FULL')
  await page.goto('/firmware-update/create')
  await openList(page, 'Control PCB')
  await expect(page.locator('.ant-select-item-option')).toHaveText([new RegExp(site.board.code)])
  expect((await (await api('admin')).get<unknown[]>('control-pcb/for-request-update?_end=5')).length).toBe(5)
})

test('admins and moderators act at every site', async ({ as, site }) => {
  const page = await as('moderator', `/telemetry-warning/${site.warning}`)
  await expect(deeds(page, 'Acknowledge')).toBeVisible()
  await expect(why(page)).toBeHidden()
  await page.goto(`/ess/${site.board.essId}`)
  await expect(deeds(page, 'Set maintenance')).toBeVisible()
})

test('an engineer finds the warnings that he has taken by one link', async ({ engineer, site }) => {
  const page = await engineer('FULL')
  await page.goto(`/telemetry-warning/${site.warning}`)
  await main(page).getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Assign to me' }).click()
  await expect(notice(page, 'The warning is assigned to you')).toBeVisible()
  await page.goto('/telemetry-warning')
  await main(page).getByRole('link', { name: 'Assigned to me' }).click()
  await expect(page.getByRole('row').filter({ has: page.getByRole('cell') })).toHaveCount(1)
  await expect(page.getByRole('row').nth(1)).toContainText(site.board.code)
})
