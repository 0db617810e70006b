import { resources } from '#resources/index.ts'
import { rolesFor } from '#schema/definition.ts'
import { fleetStaff, type Role, roles } from '#schema/roles.ts'
import { accounts } from './support/api-user.ts'
import { expect, test } from './support/console.ts'
import { demoPassword } from './support/live-server.ts'
import { newEss, newUser } from './support/records.ts'

/** The sections that the contract gives to each role. */
const fleet = ['ESS', 'Control PCB', 'Package control', 'Firmware']
const sections: Record<Role, string[]> = {
  admin: ['Users', 'Clients', ...fleet],
  moderator: ['Users', 'Clients', ...fleet],
  service_engineer: ['Clients', ...fleet],
  installer: [],
  client: [],
}

/** Sections beyond those: what else the definitions offer to a role. */
const further = (role: Role) =>
  resources
    .filter((resource) => resource.menu !== false && rolesFor(resource, 'list').includes(role))
    .map(({ label }) => label.many[0])
    .filter((label) => !sections.admin.includes(label))

/** Open work is for those who act on it. */
const inbox = (role: Role) => (fleetStaff.includes(role) ? ['Inbox'] : [])

for (const role of roles) {
  test(`the menu of ${role} has the sections of that role and no other`, async ({ as, calls }) => {
    const page = await as(role)
    const menu = page.getByRole('navigation', { name: 'Main menu' })
    await expect(menu.getByRole('link').first()).toHaveText('Dashboard')
    // A count behind a label arrives a moment later.
    const shown = (await menu.getByRole('link').allInnerTexts()).map((text) => text.replace(/\n.*/s, ''))
    const known = [...sections.admin, 'Dashboard']
    expect(shown.filter((label) => known.includes(label))).toEqual(['Dashboard', ...sections[role]])
    expect(shown.filter((label) => !known.includes(label)).toSorted()).toEqual([...inbox(role), ...further(role)].toSorted())
    expect(calls.filter((call) => call.includes('/api/user')).length > 0 && !sections[role].includes('Users')).toBe(false)
  })
}

/** Counts of the menu are of the lists that a role may open: their own contract test looks at each role. */
const isData = (call: string) => !/^(GET|POST) \/api\/(auth\/|events|device|health|public\/|menu\/counts)/.test(call)

const forbidden: [Role, string][] = [
  ['service_engineer', '/user'],
  ['service_engineer', '/user/create'],
  ['service_engineer', '/ess/create'],
  ['installer', '/ess'],
  ['client', '/firmware'],
  ['client', '/control-pcb'],
]

for (const [role, path] of forbidden) {
  test(`${path} is forbidden to ${role}, and no data crosses the wire`, async ({ as, calls }) => {
    const page = await as(role, path)
    await expect(page.getByRole('heading', { name: /403/, level: 1 })).toBeVisible()
    await page.waitForTimeout(700)
    expect(calls.filter(isData)).toEqual([])
    await page.getByRole('link', { name: 'To the first page' }).click()
    await expect(page.getByRole('heading', { name: 'Dashboard', level: 1 })).toBeVisible()
  })
}

test('a page below a forbidden one is forbidden too: the ESS of a user', async ({ as, api, calls }) => {
  const user = await newUser(await api('admin'), 'client')
  for (const path of [`/user/${user.id}`, `/user/${user.id}/ess`, `/user/${user.id}/edit`]) {
    const page = await as('service_engineer', path)
    await expect(page.getByRole('heading', { name: /403/, level: 1 })).toBeVisible()
    await page.waitForTimeout(700)
  }
  expect(calls.filter(isData)).toEqual([])
})

test('who may only look is offered nothing else', async ({ as, api }) => {
  const ess = await newEss(await api('admin'))
  const page = await as('service_engineer', `/ess/${ess.id}`)
  await expect(page.getByRole('heading', { name: String(ess.code), level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Edit' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Set owner' })).toBeHidden()
  await page.getByRole('link', { name: 'Guests' }).click()
  await expect(page.getByRole('table', { name: 'Guests' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Invite guest' })).toBeHidden()
})

test('who signs in after another person sees nothing of the first', async ({ as }) => {
  const page = await as('admin', '/user')
  // The newest are those of other tests, which are at home at another domain than the demo.
  await expect(page.getByRole('link', { name: /@/ }).first()).toBeVisible()
  await page.getByRole('button', { name: 'Account of Ada Admin' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.goto('/login?to=/user')
  await page.getByLabel('E-mail').fill(accounts.service_engineer)
  await page.getByLabel('Password', { exact: true }).fill(demoPassword)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: /403/, level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: /@/ })).toHaveCount(0)
  await expect(page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Users' })).toBeHidden()
})
