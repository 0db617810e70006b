import { testChanged } from './support/changed-project.ts'
import { expect } from './support/console.ts'
import { choose, dialog, expectFault, fact, list, notice, number, search, text } from './support/form.ts'
import { serviceVisit } from './support/service-visit.ts'

const test = testChanged(async (project) => {
  await project.addResource('service-visit.ts', 'serviceVisit', serviceVisit)
  expect(await project.script('check')).toContain('no fault')
})

/** A visit that the API makes; rejected unless the definition reached the server's validation. */
const visit = (facts: Record<string, unknown>) => ({ kind: 'REPAIR', plannedOn: '2026-03-01', ...facts })

test('a resource is one file of at most 60 lines', () => {
  expect(serviceVisit.trimEnd().split('\n').length).toBeLessThanOrEqual(60)
})

test('it stands in the menu, in both languages, and its list is there', async ({ as, api }) => {
  const page = await as('admin', '/')
  await page.getByRole('navigation', { name: 'Main menu' }).getByRole('link', { name: 'Service visits' }).click()
  await expect(page.getByRole('heading', { name: 'Service visits', level: 1 })).toBeVisible()
  for (const name of ['Number', 'Site', 'Kind', 'Planned for', 'State'])
    await expect(page.getByRole('columnheader', { name })).toBeVisible()
  await page.getByRole('banner').getByRole('button', { name: 'Language EN' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Русский' }).click()
  await expect(page.getByRole('link', { name: 'Выезды' }).first()).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Назначен на' })).toBeVisible()
  // The choice is kept in the profile, which other tests sign in with.
  await page.getByRole('banner').getByRole('button', { name: 'Язык RU' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'English' }).click()
  await expect(page.getByRole('columnheader', { name: 'Planned for' })).toBeVisible()
  const me = await api('admin')
  await expect.poll(async () => (await me.get<{ user: { language: string } }>('auth/me')).user.language).toBe('en')
})

test('its form checks, creates, and shows the record; editing sends the change', async ({ as, calls }) => {
  const page = await as('moderator', '/service-visit')
  await page.getByRole('link', { name: 'Create' }).first().click()
  await text(page, 'Number').fill('1')
  await page.getByRole('button', { name: 'Create' }).click()
  await expectFault(text(page, 'Number'), /expected form/)
  await expectFault(text(page, 'Planned for'), /required/)
  await expect(page.getByRole('spinbutton', { name: 'Cost' })).toBeHidden()
  await text(page, 'Number').fill('V-0001')
  await search(page, 'Site', 'ESS-000001')
  await choose(page, 'Kind', 'Inspection')
  await text(page, 'Planned for').fill('2026-04-02')
  await number(page, 'Hours').fill('2.5')
  await page.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name: 'V-0001', level: 1 })).toBeVisible()
  await expect(fact(page, 'Site').getByRole('link', { name: 'ESS-000001' })).toBeVisible()
  await expect(fact(page, 'State')).toHaveText('Open')
  await page.getByRole('link', { name: 'Edit' }).click()
  await expect(list(page, 'Kind')).toBeVisible()
  await expect(text(page, 'Number')).toBeHidden()
  await text(page, 'Planned for').fill('2026-04-03')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(fact(page, 'Planned for')).toHaveText('3 Apr 2026')
  expect(calls.filter((call) => /^(POST|PUT) \/api\/service-visit/.test(call))).toHaveLength(2)
})

test('the server checks the same, says every fault with its field, and keeps numbers apart', async ({ api }) => {
  const [admin, moderator] = [await api('admin'), await api('moderator')]
  const { id } = await admin.first('ess?code=ESS-000002')
  const bad = await admin.call<{ message: string[]; fields: Record<string, string> }>('POST', 'service-visit', {
    number: 'X',
    hours: 99,
  })
  expect(bad.status).toBe(400)
  expect(Object.keys(bad.body.fields).toSorted()).toEqual(['essId', 'hours', 'kind', 'number', 'plannedOn'])
  expect(bad.body.message).toHaveLength(5)
  const good = visit({ number: 'V-0100', essId: id, costEur: 120 })
  expect((await admin.call('POST', 'service-visit', good)).status).toBe(201)
  expect((await admin.call('POST', 'service-visit', good)).status).toBe(409)
  expect((await moderator.call('POST', 'service-visit', visit({ number: 'V-0101', essId: id, costEur: 1 }))).status).toBe(403)
  expect((await admin.call('POST', 'service-visit', visit({ number: 'V-0102', essId: id, state: 'DONE' }))).status).toBe(400)
  expect(await moderator.first('service-visit?number=V-0100')).not.toHaveProperty('costEur')
  expect(await admin.first('service-visit?number=V-0100')).toMatchObject({ costEur: 120, ess: { code: 'ESS-000002' } })
})

test('its filters are derived from its fields', async ({ as, api, calls }) => {
  const admin = await api('admin')
  const { id } = await admin.first('ess?code=ESS-000003')
  await admin.send('POST', 'service-visit', visit({ number: 'V-0200', essId: id, kind: 'REPAIR' }))
  await admin.send('POST', 'service-visit', visit({ number: 'V-0201', essId: id, kind: 'INSPECTION' }))
  const page = await as('admin', '/service-visit?q=V-02')
  await expect(page.getByRole('row')).toHaveCount(3)
  await page.getByRole('button', { name: 'Filters', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Kind', exact: true }).click()
  await page.getByRole('checkbox', { name: 'Repair' }).check()
  await expect(page.getByRole('row')).toHaveCount(2)
  expect(calls.some((call) => call.startsWith('GET /api/service-visit?') && call.includes('kind=REPAIR'))).toBe(true)
})

test('its actions run: one with a form, one that asks for the number first', async ({ as, api, calls }) => {
  const admin = await api('admin')
  const { id } = await admin.first('ess?code=ESS-000004')
  const [first, second] = [
    await admin.send('POST', 'service-visit', visit({ number: 'V-0300', essId: id })),
    await admin.send('POST', 'service-visit', visit({ number: 'V-0301', essId: id })),
  ]
  const page = await as('admin', `/service-visit/${first.id}`)
  await page.getByRole('button', { name: 'Finish' }).click()
  await dialog(page).getByRole('button', { name: 'Finish' }).click()
  await expectFault(text(dialog(page), 'Result'), /required/)
  await text(dialog(page), 'Result').fill('Fuse replaced')
  await dialog(page).getByRole('button', { name: 'Finish' }).click()
  await expect(notice(page, 'The visit is done')).toBeVisible()
  await expect(fact(page, 'State')).toHaveText('Done')
  await expect(fact(page, 'Result')).toHaveText('Fuse replaced')
  await expect(page.getByRole('button', { name: 'Finish' })).toBeHidden()

  await page.goto(`/service-visit/${second.id}`)
  await page.getByRole('button', { name: 'Call off' }).click()
  await expect(dialog(page)).toContainText('Nobody will come.')
  await expect(dialog(page).getByRole('button', { name: 'Call off' })).toBeDisabled()
  await dialog(page).getByRole('textbox').fill('V-0301')
  await dialog(page).getByRole('button', { name: 'Call off' }).click()
  await expect(fact(page, 'State')).toHaveText('Cancelled')
  expect(calls.filter((call) => call.startsWith('PUT '))).toEqual([
    `PUT /api/service-visit/${first.id}/finish`,
    `PUT /api/service-visit/${second.id}/call-off`,
  ])
  expect((await admin.call('PUT', `service-visit/${first.id}/call-off`)).status).toBe(409)
})

test('its tab lists the boards of the site', async ({ as, api }) => {
  const admin = await api('admin')
  const board = await admin.first('control-pcb?role=MAIN')
  const made = await admin.send('POST', 'service-visit', visit({ number: 'V-0400', essId: board.essId }))
  const page = await as('admin', `/service-visit/${made.id}`)
  await page.getByRole('link', { name: 'Boards of the site' }).click()
  await expect(page).toHaveURL(/\/boards$/)
  await expect(page.getByRole('link', { name: String(board.code) })).toBeVisible()
})

test('a role that may not is kept out of the page and of the API', async ({ as, api, calls }) => {
  const page = await as('service_engineer', '/service-visit')
  await expect(page.getByRole('heading', { name: /403/, level: 1 })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Service visits' })).toBeHidden()
  expect(calls.filter((call) => call.includes('service-visit'))).toEqual([])
  expect((await (await api('service_engineer')).call('GET', 'service-visit')).status).toBe(403)
})

test('the documentation of the API has its calls', async ({ api }) => {
  const { paths } = await (await api('admin')).get<{ paths: Record<string, object> }>('openapi.json')
  const own = Object.entries(paths).filter(([path]) => /^(\/api)?\/service-visit/.test(path))
  const calls = own.flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method} ${path.replace(/^\/api/, '')}`),
  )
  expect(calls.toSorted()).toEqual([
    'delete /service-visit/{id}',
    'get /service-visit',
    'get /service-visit/{id}',
    'post /service-visit',
    'put /service-visit/{id}',
    'put /service-visit/{id}/call-off',
    'put /service-visit/{id}/finish',
  ])
})
